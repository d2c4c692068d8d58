// A car park with three tickets and any number of cars. A car takes any free ticket and gives any
// lent one back; it does not matter which.
//
//   Park: the system.    Cars(p, q, r): cars that use the tickets p, q and r.
//
// Errors: overfull (four cars are in), negative (three tickets are lent, but no car is in),
// deadlock.
// Answer: proved. Overfull cannot happen, for { free of every ticket, parked of every car } holds
// exactly three tokens for ever. Unless told otherwise the tool counts up to two tokens only, and
// then proves it by a sum that never grows, whatever it is in the beginning (`linear`). With
// `--invariants all:3` it counts up to three.

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
