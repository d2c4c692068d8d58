// A TIMEOUT: an internal transition. There is no clock, so it may happen at any moment; what is
// proved holds whatever the delays are. Clients ask a server and may give up; the answer may come
// later.
//
// Answer: one client at most is being served, and nothing gets stuck. Without the transition `gone
// -receive-> idle` the server would wait for ever for a client that gave up: a deadlock.

component Client {
    states idle, waiting, gone;
    init idle;
    idle -ask-> waiting;
    waiting -> gone; // the timeout
    waiting -receive-> idle;
    gone -receive-> idle; // a late answer is thrown away
}

component Server {
    states free, busy;
    init free;
    free -accept-> busy;
    busy -reply-> free;
}

Main() <- new s . (Server(s), Clients(s));

Clients(s) <-
    new c . <ask(c) accept(s) + receive(c) reply(s)> (Client(c), Clients(s))
  | new c . <ask(c) accept(s) + receive(c) reply(s)> (Client(c));

error two = #waiting + #gone >= 2;
error idleserver = #waiting + #gone >= 1 & #free >= 1;
