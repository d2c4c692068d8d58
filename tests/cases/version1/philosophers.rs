// Dining philosophers, all left-handed: everybody takes the left fork first, then the right one.
//
//    fork l   p   fork m   q   fork r        every philosopher sits between two forks;
//       '-----------  z  ----------'         z closes the table between r (left) and l (right)
//
//   Table: the system.    Chain(l, p, q, r): the piece of it from fork l to fork r, with p the
//   first and q the last philosopher between them.
//
// Errors: forbidden (two neighbours eat at once), deadlock.
// Answer: neighbours never eat at once: each fork gives a mutex. But the table deadlocks, whatever
// its size (the smallest here has three philosophers and three forks): everybody takes the left
// fork, and then waits for the right one for ever.

component Phil {
    states think, one, eat;
    init think;
    think -first-> one;
    one -second-> eat;
    eat -drop-> think;
}

component Fork {
    states free, used;
    init free;
    free -take-> used;
    used -leave-> free;
}

// p takes the fork a first, b second, and puts both down together
link seat(a, p, b) = <first(p) take(a) + second(p) take(b) + drop(p) leave(a) leave(b)>;

Table() <- new l, p, q, r, z .
    <seat(r, z, l)> forbid <eat(z) eat(p) + eat(q) eat(z)> (Phil(z), Chain(l, p, q, r));

Chain(l, p, q, r) <- new m .
    <seat(l, p, m) + seat(m, q, r)>
    forbid <eat(p) eat(q)>
    (Fork(l), Phil(p), Fork(m), Phil(q), Fork(r));
Chain(l, p, q, r) <- new m, o .
    <seat(l, p, m)> forbid <eat(p) eat(o)> (Fork(l), Phil(p), Chain(m, o, q, r));
