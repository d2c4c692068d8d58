// A jury and its foreman. Every juror decides on its own, guilty or innocent; the foreman hears the
// first one who says guilty, and every later one.
//
//   juror:  open --accuse--> guilty        foreman:  waiting --hear--> accused --hear--> accused
//           open --acquit--> innocent
//
//   Court: the system.    Jury(f): any number of jurors around the foreman f.
//
// Errors, as formulas over sets of components: hung (all have decided, but those who say guilty are
// some and not all), unheard (some say guilty and no foreman is accused), deadlock before all have
// decided.
// Answer: hung is violated by the foreman with two jurors. Unheard is impossible: for every juror
// { open, innocent, foreman accused } is a trap. A jury that has decided may rest (`final`).

component Foreman {
    states waiting, accused;
    init waiting;
    final *;
    waiting -hear-> accused;
    accused -hear-> accused;
    waiting -note-> waiting;
    accused -note-> accused;
}

component Juror {
    states open, guilty, innocent;
    init open;
    final guilty, innocent;
    open -accuse-> guilty;
    open -acquit-> innocent;
}

link vote(j, f) = <accuse(j) hear(f) + acquit(j) note(f)>;

Court() <- new f . (Foreman(f), Jury(f));

Jury(f) <- new j . <vote(j, f)> (Juror(j));
Jury(f) <- new j . <vote(j, f)> (Juror(j), Jury(f));

error hung = wsks { ex2 G: G sub Juror & G = guilty & (ex1 x: x in G) & G != Juror & all1 x:
    x notin open };
error unheard = wsks { (ex1 x: x in guilty) & all1 x: x in Foreman => x in waiting };
