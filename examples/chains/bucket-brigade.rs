// A bucket brigade: a line of people between a well and a fire. Everyone holds one bucket, full or
// empty; neighbours swap a full one (towards the fire) for an empty one (towards the well).
//
//   Well ==> Person ==> Person ==> ... ==> Person ==> Fire      full buckets ==>
//        <--        <--        <--     <--        <--           empty buckets <--
//
// The well fills its bucket and the fire empties its own without anybody's help (internal
// transitions). At the start any bucket may be full or empty (`init *`, or `[*]`
// for one instance).
//
//   Brigade: the system.    Line(x): everyone from x to the fire.
//
// Errors: deadlock, and stuck (a full bucket at the well, an empty one at the fire, and yet no swap
// possible; an example of how errors are combined).
// Answer: neither. If the well's bucket is full and the fire's empty, then somewhere between them a
// full one is followed by an empty one. Arrangement alone says so: no invariant is needed at all.

system Brigade;

Line(x) <- new y . <swap(x, y)> (Person[*](x), Line(y)) | (Fire(x));

Brigade() <- new x, y . <swap(x, y)> (Well(x), Line(y));

link swap(x, y) = <give(x) take(y)>;

component Well {
    states empty, full;
    init *;
    empty -> full;
    full -give-> empty;
}

component Person {
    states empty, full;
    init empty;
    full -give-> empty;
    empty -take-> full;
}

component Fire {
    states empty, full;
    init *;
    empty -take-> full;
    full -> empty;
}

error stuck = deadlock & (#Well.full == 1 & #Fire.empty == 1);
