// A star: one master in the middle, any number of slaves around it.
//
//             Slave
//               |                The master asks one of the slaves (`ask` with its `req`) and waits
//   Slave -- Master -- Slave     for the answer (`ans` with its `rep`) before it asks again.
//               |
//             Slave
//
//   Star: the system.    Slaves(m): any number of slaves, at least one, around the master m; the
//   last of them brings the master with it. So m is handed down the whole list.
//
// Error: deadlock.
// Answer: impossible. Whenever the master waits, a slave is busy: { ready, busy of every slave } is
// a trap.

component Master {
    states ready, wait;
    init ready;
    ready -ask-> wait;
    wait -ans-> ready;
}

component Slave {
    states idle, busy;
    init idle;
    idle -req-> busy;
    busy -rep-> idle;
}

Star() <- new m . (Slaves(m));

Slaves(m) <- new s . <ask(m) req(s) + ans(m) rep(s)> (Slave(s), Master(m));
Slaves(m) <- new s . <ask(m) req(s) + ans(m) rep(s)> (Slave(s), Slaves(m));
