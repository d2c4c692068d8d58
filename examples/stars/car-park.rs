// HONESTLY UNKNOWN (with the default invariants): a car park with three tickets and any number of
// cars. A car takes any free ticket and gives any lent one back; it does not matter which.
//
//   Park: the system.    Cars(p, q, r): cars that use the tickets p, q and r.
//
// Errors: overfull (four cars are in), negative (three tickets are lent, but no car is in),
// deadlock.
// Answer: deadlock and negative are proved impossible. Overfull cannot happen either, for { free of
// every ticket, parked of every car } holds exactly three tokens for ever. But unless told
// otherwise the tool looks for sets with at most two tokens, and says `unknown`. With
// `--invariants all:3` it proves it.

component Ticket {
    states free, lent;
    init free;
    free -lend-> lent;
    lent -giveback-> free;
}

component Car {
    states away, parked;
    init away;
    away -enter-> parked;
    parked -leave-> away;
}

link use(c, t) = <enter(c) lend(t) + leave(c) giveback(t)>;

Park() <- new p, q, r . (Ticket(p), Ticket(q), Ticket(r), Cars(p, q, r));

Cars(p, q, r) <-
    new c . <use(c, p) + use(c, q) + use(c, r)> (Car(c))
  | new c . <use(c, p) + use(c, q) + use(c, r)> (Car(c), Cars(p, q, r));

error overfull = #parked >= 4;
error negative = #lent == 3 & #parked == 0;
