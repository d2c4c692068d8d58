// IDENTITIES: components have no numbers, and a server can't store a name. Instead each client gets
// a session of its own, and the interactions say which session belongs to whom.
//
// Answer: who is served had asked (a local pattern), and nothing gets stuck.

component Client {
    states idle, waiting, served;
    init idle;
    idle -ask-> waiting;
    waiting -receive-> served;
    served -leave-> idle;
}

component Session {
    states closed, open, answered;
    init closed;
    closed -begin-> open;
    open -answer-> answered;
    answered -end-> closed;
}

component Server {
    states free, busy;
    init free;
    free -pick-> busy;
    busy -drop-> free;
}

link serve(c, n, s) =
    <ask(c) begin(n) + pick(s) answer(n) receive(c) + drop(s) end(n) leave(c)>
    forbid <served(c) closed(n) + served(c) open(n) + idle(c) open(n)>;

Main() <- new s . (Server(s), Clients(s));

Clients(s) <-
    new c, n . <serve(c, n, s)> (Client(c), Session(n), Clients(s))
  | new c, n . <serve(c, n, s)> (Client(c), Session(n));

error two = #served >= 2;
