// A SHARED VARIABLE: a component whose states are the values. A transition on a port that leads
// from a value to itself reads that value. Workers read `open` of a gate that one keeper opens.
//
// Answer: no worker gets in before the gate is open, and nothing gets stuck.

component Gate {
    states shut, open;
    init shut;
    shut -write-> open;
    open -readopen-> open;
}

component Keeper {
    states ready, done;
    init ready;
    ready -unlock-> done;
}

component Worker {
    states outside, inside;
    init outside;
    outside -pass-> inside;
    inside -leave-> outside;
}

Yard() <- new g, k . <unlock(k) write(g)> (Gate(g), Keeper(k), Workers(g));

Workers(g) <-
    new w . <pass(w) readopen(g) + leave(w)> (Worker(w), Workers(g))
  | new w . <pass(w) readopen(g) + leave(w)> (Worker(w));

error early = #inside >= 1 & #shut >= 1;
