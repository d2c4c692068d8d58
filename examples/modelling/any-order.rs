// ONE OF EACH KIND, IN ANY ORDER: a predicate per set of kinds that are still to come. A bus goes
// round a line of stops with one depot, where it starts, and one garage, somewhere.
//
//   DG(x, z): depot and garage are still to come from x on; z is the end of the line.
//   D, G: only the depot, only the garage is still to come.    N: neither.
//
// Answer: the bus is in one place, and never stuck.

component Stop {
    states empty, bus;
    init empty;
    bus -leave-> empty;
    empty -arrive-> bus;
}

component Depot {
    states empty, bus;
    init bus;
    bus -leave-> empty;
    empty -arrive-> bus;
}

component Garage {
    states empty, bus, repair;
    init empty;
    bus -leave-> empty;
    empty -arrive-> bus;
    bus -> repair;
    repair -> bus;
}

link road(x, y) = <leave(x) arrive(y)>;

Line() <- new x, z . <road(z, x)> (DG(x, z));

DG(x, z) <-
    new y . <road(x, y)> (Stop(x), DG(y, z))
  | new y . <road(x, y)> (Depot(x), G(y, z))
  | new y . <road(x, y)> (Garage(x), D(y, z));

D(x, z) <- new y . <road(x, y)> (Stop(x), D(y, z)) | new y . <road(x, y)> (Depot(x), N(y, z));

G(x, z) <- new y . <road(x, y)> (Stop(x), G(y, z)) | new y . <road(x, y)> (Garage(x), N(y, z));

N(x, z) <- new y . <road(x, y)> (Stop(x), N(y, z)) | <road(x, z)> (Stop(x), Stop(z));

error two = #bus + #repair >= 2;
