// `wires.rs` with each wire inside the station that it leads to: one component instead of two.
//
// Answer: no station has a message that was not sent, and nothing gets stuck. Each trap speaks of
// two neighbours: `informed` and `refilled` of the one, `waiting` of the other.

component Source {
    states fresh, sent;
    init fresh;
    fresh -send-> sent;
    sent -send-> sent;
}

component Station {
    states waiting, filled, informed, refilled;
    init waiting;
    waiting -put-> filled;
    filled -> waiting; // lost
    filled -> informed; // read
    informed -put-> refilled;
    refilled -> informed;
    informed -send-> informed;
    refilled -send-> refilled;
}

Line() <- new s, x . <send(s) put(x)> (Source(s), Stations(x));

Stations(x) <- new y . <send(x) put(y)> (Station(x), Stations(y)) | (Station(x));

error ghost = #fresh >= 1 & #informed + #refilled >= 1;
