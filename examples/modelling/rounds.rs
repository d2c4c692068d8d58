// A ROUND: what "all at once" would do, in steps of two. A call goes down a chain, and an echo
// comes back; when the head has the echo, everyone has heard the call.
//
// Answer: the head is never finished while somebody is idle, and nothing gets stuck.

component Head {
    states ready, calling, finished;
    init ready;
    final finished;
    ready -call-> calling;
    calling -collect-> finished;
}

component Node {
    states idle, heard, calling, echo, done;
    init idle;
    final done;
    idle -hear-> heard;
    heard -call-> calling;
    heard -turn-> echo; // the last one
    calling -collect-> echo;
    echo -report-> done;
}

link between(x, y) = <call(x) hear(y) + report(y) collect(x)>;

Main() <- new h, x . <between(h, x)> (Head(h), Nodes(x));

Nodes(x) <- new y . <between(x, y)> (Node(x), Nodes(y)) | <turn(x)> (Node(x));

error early = #finished >= 1 & #idle + #heard >= 1;
