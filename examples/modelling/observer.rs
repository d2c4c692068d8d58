// AN OBSERVER for "A before B": a component that takes part in A and in B, and only remembers. Each
// state has a transition for each event, so it forbids nothing. Here: `start` comes before any
// `finish`, along a chain that hands a baton on.
//
// Answer: no finish comes first, and nothing gets stuck.

component Observer {
    states nothing, started, wrong;
    init nothing;
    final *;
    nothing -seestart-> started;
    started -seestart-> started;
    wrong -seestart-> wrong;
    nothing -seefinish-> wrong;
    started -seefinish-> started;
    wrong -seefinish-> wrong;
}

component Runner {
    states waiting, running, done;
    init waiting;
    final done;
    waiting -start-> running;
    waiting -take-> running;
    running -give-> done;
    running -finish-> done;
}

Race() <- new o, r . <start(r) seestart(o)> (Observer(o), Runners(r, o));

Runners(r, o) <-
    new s . <give(r) take(s)> (Runner(r), Runners(s, o))
  | <finish(r) seefinish(o)> (Runner(r));

error wrongorder = #wrong >= 1;
