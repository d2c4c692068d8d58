// Polite philosophers: who holds the left fork but cannot get the right one may put the left one
// down again and think (`regret`). All are left-handed, and nobody is in charge.
//
//    fork l   p   fork m   ...   fork r      and z closes the table between r and l
//
//   Table: the system.    Chain(l, r): the piece of it from fork l to fork r.
//
// Errors: deadlock, and greedy (everybody is hungry with one fork, and nobody has given up yet;
// this is the deadlock of the philosophers who are not polite).
// Answer: no deadlock, since who holds one fork can always put it down. That says nothing about
// progress: they may all take and put down their left forks together for ever, and greedy is
// reachable, with two philosophers and two forks.

component Phil {
    states think, one, eat;
    init think;
    think -first-> one;
    one -second-> eat;
    one -regret-> think;
    eat -drop-> think;
}

component Fork {
    states free, used;
    init free;
    free -take-> used;
    used -leave-> free;
}

link seat(l, p, r) =
    <first(p) take(l) + second(p) take(r) + regret(p) leave(l) + drop(p) leave(l) leave(r)>;

Table() <- new l, r, z . <seat(r, z, l)> (Phil(z), Chain(l, r));

Chain(l, r) <-
    new p . <seat(l, p, r)> (Fork(l), Phil(p), Fork(r))
  | new p, m . <seat(l, p, m)> (Fork(l), Phil(p), Chain(m, r));

error greedy = #think + #eat <= 0;
