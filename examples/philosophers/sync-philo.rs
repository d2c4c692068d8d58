// Dining philosophers who take both forks in one step. Any number of them, at least three.
//
//    fork l   p   fork m   q   fork r        left fork, philosopher, fork, philosopher, right fork
//       '-----------  z  ----------'         and z closes the table between r and l
//
//   Table: the system.    Chain(l, p, q, r): a piece of the table from fork l to fork r, with p the
//   first and q the last philosopher between them (so that "p and its neighbour" can be said).
//
// Errors: forbidden (two *neighbours* eat at once; philosophers far apart may), deadlock.
// Answer: neither happens. A fork serves one neighbour at a time: { fork free, left neighbour eats,
// right neighbour eats } is a mutex. If nobody eats, all forks are free, and anybody can begin.

component Phil {
    states think, eat;
    init think;
    think -get-> eat;
    eat -put-> think;
}

component Fork {
    states free, used;
    init free;
    free -take-> used;
    used -leave-> free;
}

// a philosopher p between the forks l and r
link seat(l, p, r) = <get(p) take(l) take(r) + put(p) leave(l) leave(r)>;

Table() <- new l, p, q, r, z .
    <seat(r, z, l)> forbid <eat(z) eat(p) + eat(q) eat(z)> (Phil(z), Chain(l, p, q, r));

Chain(l, p, q, r) <- new m .
    <seat(l, p, m) + seat(m, q, r)>
    forbid <eat(p) eat(q)>
    (Fork(l), Phil(p), Fork(m), Phil(q), Fork(r));
Chain(l, p, q, r) <- new m, o .
    <seat(l, p, m)> forbid <eat(p) eat(o)> (Fork(l), Phil(p), Chain(m, o, q, r));
