// Philosophers around one bowl. Everybody is left-handed; but nobody touches a fork before having
// got the bowl, and the bowl is passed on as soon as its owner has both forks.
//
//    fork l   p   fork m   q   fork r
//        \    |     .-.    |     /           the bowl b is shared by all: Table owns it and lends
//         '---+----( b )---+----'            it to the whole Chain (a borrowed parameter)
//                   '-'
//
//   Table: the system.    Chain(l, p, q, r, b): the piece of it from fork l to fork r, with p the
//   first and q the last philosopher between them, who know the bowl b.
//
// Errors: forbidden (neighbours eat at once), bowls (two have the bowl), deadlock.
// Answer: none happens. Who holds a single fork has the bowl, so there is at most one of that kind,
// and the forks it waits for are held by philosophers who eat and will put them down.

component Bowl {
    states free, taken;
    init free;
    free -fetch-> taken;
    taken -pass-> free;
}

component Phil {
    states think, ready, one, eat;
    init think;
    think -reach-> ready;
    ready -first-> one;
    one -second-> eat;
    eat -drop-> think;
}

component Fork {
    states free, used;
    init free;
    free -take-> used;
    used -leave-> free;
}

link seat(l, p, r, b) =
    <reach(p) fetch(b) + first(p) take(l) + second(p) take(r) pass(b) + drop(p) leave(l) leave(r)>;

Table() <- new b, l, p, q, r, z .
    <seat(r, z, l, b)>
    forbid <eat(z) eat(p) + eat(q) eat(z)>
    (Bowl(b), Phil(z), Chain(l, p, q, r, b));

Chain(l, p, q, r, b) <-
    new m .
    <seat(l, p, m, b) + seat(m, q, r, b)>
    forbid <eat(p) eat(q)>
    (Fork(l), Phil(p), Fork(m), Phil(q), Fork(r))
  | new m, o . <seat(l, p, m, b)> forbid <eat(p) eat(o)> (Fork(l), Phil(p), Chain(m, o, q, r, b));

error bowls = #ready + #one >= 2;
