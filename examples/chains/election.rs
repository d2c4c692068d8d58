// Leader election in a row: a wave starts at each end and runs towards the other. Where the waves
// meet, the node that has been reached from the left becomes the leader.
//
//   left   idle   idle   idle   right        left: reached by the wave from the left
//   done   left   idle   right  done         right: reached by the wave from the right
//   done   done   left   right  done         done: the wave has passed over it
//   done   done   leader done   done
//
// `done` and `leader` are final: when everybody rests there, the election is over, not stuck.
//
//   Row: the system.    Row1(x): the nodes from x to the right end.
//
// Errors: two (two leaders), nobody (it is over, and there is no leader), deadlock.
// Answer: none happens. `left` and `leader` of all nodes together hold exactly one token; between
// the waves, and only there, everybody is idle.

component Node {
    states idle, left, right, done, leader;
    init idle;
    final done, leader;
    left -pass-> done;
    idle -reach-> left;
    right -return-> done;
    idle -meet-> right;
    left -win-> leader;
    right -yield-> done;
}

link neighbours(x, y) = <pass(x) reach(y) + meet(x) return(y) + win(x) yield(y)>;

Row() <- new x, y . <neighbours(x, y)> (Node[left](x), Row1(y));

Row1(x) <- (Node[right](x)) | new y . <neighbours(x, y)> (Node(x), Row1(y));

error two = #leader >= 2;
error nobody = #idle + #left + #right == 0 & !#leader >= 1;
