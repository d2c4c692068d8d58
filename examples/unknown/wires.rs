// A message goes from station to station, by wires that may lose it and senders that repeat it.
// That a message which was never sent has arrived (`ghost`) is UNKNOWN.
//
// Answer: `first` is proved by a trap; `ghost` can't happen either, but "the wire is empty" and
// "the station waits" support each other only together. With the wire inside the station both are
// states of one component, and `ghost` is proved: examples/unknown/buffers.rs.

component Source {
    states fresh, sent;
    init fresh;
    fresh -send-> sent;
    sent -send-> sent;
}

component Wire {
    states empty, full;
    init empty;
    empty -put-> full;
    full -get-> empty;
    full -> empty; // lost
}

component Station {
    states waiting, informed;
    init waiting;
    waiting -receive-> informed;
    informed -receive-> informed;
    informed -send-> informed;
}

link carry(x, w, y) = <send(x) put(w) + get(w) receive(y)>;

Line() <- new s, w, x .
    <carry(s, w, x)> forbid first <fresh(s) full(w)> (Source(s), Wire(w), Stations(x));

Stations(x) <- new w, y . <carry(x, w, y)> (Station(x), Wire(w), Stations(y)) | (Station(x));

error ghost = #fresh >= 1 & #informed >= 1;
