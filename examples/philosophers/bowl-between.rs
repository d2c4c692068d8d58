// BROKEN: the philosophers of bowl-first.rs with the bowl in the wrong place. They take the left
// fork, then the bowl, then the right fork; the bowl goes back with the forks.
//
//    fork l   p   fork m   ...   fork r      and z closes the table between r and l; the bowl b
//        \    |     ( b )         /          is shared by all (a borrowed parameter of Chain)
//
//   Table: the system.    Chain(l, r, b): the piece of it from fork l to fork r.
//
// Errors: bowls (two have the bowl), full (two eat at once), deadlock.
// Answer: there is one bowl, and so at most one eats: bowls and full are proved impossible. But two
// locks are taken in different orders by neighbours: with two philosophers (five components), one
// has a fork and the bowl and waits for the other fork, whose owner waits for the bowl. Deadlock.

component Bowl {
    states free, taken;
    init free;
    free -fetch-> taken;
    taken -pass-> free;
}

component Phil {
    states think, one, bowl, eat;
    init think;
    think -first-> one;
    one -reach-> bowl;
    bowl -second-> eat;
    eat -drop-> think;
}

component Fork {
    states free, used;
    init free;
    free -take-> used;
    used -leave-> free;
}

link seat(l, p, r, b) =
    <first(p) take(l) + reach(p) fetch(b) + second(p) take(r) + drop(p) leave(l) leave(r) pass(b)>;

Table() <- new b, l, r, z . <seat(r, z, l, b)> (Bowl(b), Phil(z), Chain(l, r, b));

Chain(l, r, b) <-
    new p . <seat(l, p, r, b)> (Fork(l), Phil(p), Fork(r))
  | new p, m . <seat(l, p, m, b)> (Fork(l), Phil(p), Chain(m, r, b));

error bowls = #bowl + #eat >= 2;
error full = #eat >= 2;
