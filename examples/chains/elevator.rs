// An elevator: floors in a row, one cabin, and on every floor a door to the shaft.
//
//   floor n   [door]         The cabin moves up or down by one floor when the door of the floor
//      ...                   that it leaves is closed. A door opens only where the cabin is.
//   floor 1   [door]  #cabin
//   floor 0   [door]
//
//   Shaft: the system.    Above(f, d): floor f with its door d, and all above.
//
// Errors: fall (a door is open and the cabin is not behind it), cabins (not exactly one cabin),
// open (two doors are open), accident (any of these), deadlock.
// Answer: none happens. On every floor { door closed, cabin here } always has a token (a trap):
// opening needs the cabin, and the cabin leaves only behind a closed door.

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
    closed -locked-> closed;
}

link floor(f, d) = <slide(d) present(f) + shut(d)> forbid fall <Floor.away(f) Door.open(d)>;

link ride(f, d, g) = <leave(f) locked(d) arrive(g)>;

Shaft() <- new f, d, g, e .
    <floor(f, d) + ride(f, d, g) + ride(g, e, f)> (Floor[here](f), Door(d), Above(g, e));

Above(f, d) <-
    <floor(f, d)> (Floor(f), Door(d))
  | new g, e . <floor(f, d) + ride(f, d, g) + ride(g, e, f)> (Floor(f), Door(d), Above(g, e));

error cabins = #here != 1;
error open = #open >= 2;
error accident = fall | cabins | open;
