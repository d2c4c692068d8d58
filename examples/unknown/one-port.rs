// Pairs of workers, each with a foreman, work in the morning and in the evening. The foreman
// waits for both (`done`), then sends both on (`next`). Both phases go by the same ports.
//
// Answer: that a worker is still in the morning when its foreman waits for the evening's work
// (`late`) can't happen, but is UNKNOWN: by the ports, `done` of a morning could go with `wait`
// of an evening, and the invariants must bear that too. With a port per phase `late` is proved:
// examples/modelling/phase-ports.rs.

component Foreman {
    states morning, morning1, noon, noon1, evening, evening1, night, night1;
    init morning;
    morning -wait-> morning1;
    morning1 -wait-> noon;
    noon -send-> noon1;
    noon1 -send-> evening;
    evening -wait-> evening1;
    evening1 -wait-> night;
    night -send-> night1;
    night1 -send-> morning;
}

component Worker {
    states am, rest, pm, sleep;
    init am;
    am -done-> rest;
    rest -next-> pm;
    pm -done-> sleep;
    sleep -next-> am;
}

link lead(f, w) = <wait(f) done(w) + send(f) next(w)>;

Site() <- (Pair()) | (Pair(), Site());

Pair() <- new f, v, w .
    <lead(f, v) + lead(f, w)> forbid late <evening(f) am(v)> (Foreman(f), Worker(v), Worker(w));
