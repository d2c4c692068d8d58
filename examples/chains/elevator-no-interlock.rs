// BROKEN: the elevator of elevator.rs after a repair. The contact that tells the motor whether the
// door is closed has been bridged: `leave` no longer asks the door.
//
//   Shaft: the system.    Above(f): floor f and everything above it.
//
// Errors: fall (a door is open and the cabin is not behind it), cabins (not exactly one cabin),
// deadlock.
// Answer: fall is violated on two floors (four components): the door opens on the ground floor, the
// cabin leaves. There is still exactly one cabin, always.

component Floor {
    states away, here;
    init away;
    here -leave-> away;
    away -arrive-> here;
    here -present-> here;
}

component Door {
    states closed, open;
    init closed;
    closed -slide-> open;
    open -shut-> closed;
}

link floor(f, d) = <slide(d) present(f) + shut(d)> forbid fall <Floor.away(f) Door.open(d)>;

link ride(f, g) = <leave(f) arrive(g) + leave(g) arrive(f)>;

Shaft() <- new f, d, g . <floor(f, d) + ride(f, g)> (Floor[here](f), Door(d), Above(g));

Above(f) <-
    new d . <floor(f, d)> (Floor(f), Door(d))
  | new d, g . <floor(f, d) + ride(f, g)> (Floor(f), Door(d), Above(g));

error cabins = #here != 1;
