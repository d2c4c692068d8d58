// The pairs of examples/unknown/one-port.rs, with a port of its own for each phase: `waitam`
// and `waitpm` in place of `wait`, and so on. What both phases have in common is the link
// alone.
//
// Answer: `late` is proved, and so is that nothing gets stuck.

component Foreman {
    states morning, morning1, noon, noon1, evening, evening1, night, night1;
    init morning;
    morning -waitam-> morning1;
    morning1 -waitam-> noon;
    noon -sendam-> noon1;
    noon1 -sendam-> evening;
    evening -waitpm-> evening1;
    evening1 -waitpm-> night;
    night -sendpm-> night1;
    night1 -sendpm-> morning;
}

component Worker {
    states am, rest, pm, sleep;
    init am;
    am -doneam-> rest;
    rest -nextam-> pm;
    pm -donepm-> sleep;
    sleep -nextpm-> am;
}

link lead(f, w) =
    <waitam(f) doneam(w) + sendam(f) nextam(w) + waitpm(f) donepm(w) + sendpm(f) nextpm(w)>;

Site() <- (Pair()) | (Pair(), Site());

Pair() <- new f, v, w .
    <lead(f, v) + lead(f, w)> forbid late <evening(f) am(v)> (Foreman(f), Worker(v), Worker(w));
