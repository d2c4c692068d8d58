// Credit-based flow control along a pipeline. In front of every stage there is one credit: the
// right to send it one message. Sending spends the credit; the stage gives it back when it has
// passed its message on, and so has room again.
//
//   Source --c1--> Stage --c2--> Stage --c3--> ... --> Sink
//
// What must not happen is in the model, so that it can be asked for: a stage whose slot is full
// offers `receive` too, and would be overrun.
//
//   Pipeline: the system.    Rest(c, x): the pipeline from stage x on, with the credit c before x.
//
// Errors: overrun, deadlock.
// Answer: neither happens. A credit is spent exactly while the slot behind it is full: in every
// hop { credit here, slot full } holds one token (a mutex).

component Source {
    states on;
    init on;
    on -send-> on;
}

component Credit {
    states here, spent;
    init here;
    here -spend-> spent;
    spent -refund-> here;
}

component Stage {
    states free, full, overrun;
    init free;
    free -receive-> full;
    full -receive-> overrun;
    full -send-> free;
}

component Sink {
    states free, full, overrun;
    init free;
    free -receive-> full;
    full -receive-> overrun;
    full -consume-> free;
}

Pipeline() <- new s, c, x . <send(s) spend(c) receive(x)> (Source(s), Rest(c, x));

Rest(c, x) <-
    new d, y . <send(x) refund(c) spend(d) receive(y)> (Credit(c), Stage(x), Rest(d, y))
  | <consume(x) refund(c)> (Credit(c), Sink(x));

error overrun = #overrun >= 1;
