// BROKEN: credits.rs with the credit returned too early: by the clock (`refund` happens alone)
// instead of by the stage that has room again. "The message will have been processed by then."
//
//   Pipeline: the system.    Rest(c, x): the pipeline from stage x on, with the credit c before x.
//
// Errors: overrun, deadlock.
// Answer: overrun is violated by a source, a credit and a sink: send, refund, send. The pipeline
// can also get stuck, then: an overrun stage does nothing any more, and at the sink nothing will
// come out of a message that has been overwritten.

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
    new d, y . <send(x) spend(d) receive(y) + refund(c)> (Credit(c), Stage(x), Rest(d, y))
  | <consume(x) + refund(c)> (Credit(c), Sink(x));

error overrun = #overrun >= 1;
