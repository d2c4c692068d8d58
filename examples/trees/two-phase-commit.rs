// Two-phase commit on a binary tree, one transaction. Leaves vote; votes are collected on the way
// up, the decision is told on the way down.
//
//   leaf:   idle --> yes | abort          voting no is aborting at once
//   inner:  idle --> yes   if both children say yes
//           idle --> abort if it does not like it, or a child has aborted
//   root:   idle --> commit | abort, likewise
//   down:   a parent that has committed lets its children commit, one that has aborted aborts them
//   Main: the system.    Sub(x): a subtree with topmost node x.
//
// Errors: mixed (one node has committed, another aborted), deadlock (before all have decided).
// Answer: neither happens. Who has said yes waits, so a commit of the root means that all have said
// yes, and from then on nobody can abort (traps along every edge).

component Root {
    states idle, commit, abort;
    init idle;
    final commit, abort;
    idle -agree-> commit;
    idle -refuse-> abort;
    commit -do-> commit;
    abort -undo-> abort;
}

component Inner {
    states idle, yes, commit, abort;
    init idle;
    final commit, abort;
    idle -agree-> yes;
    idle -refuse-> abort;
    idle -> abort;
    yes -vote-> yes;
    abort -veto-> abort;
    yes -accept-> commit;
    yes -drop-> abort;
    idle -drop-> abort;
    commit -do-> commit;
    abort -undo-> abort;
}

component Leaf {
    states idle, yes, commit, abort;
    init idle;
    final commit, abort;
    idle -> yes;
    idle -> abort;
    yes -vote-> yes;
    abort -veto-> abort;
    yes -accept-> commit;
    yes -drop-> abort;
    idle -drop-> abort;
}

link up(x, y, z) = <agree(x) vote(y) vote(z) + refuse(x) veto(y) + refuse(x) veto(z)>;
link down(x, y) = <do(x) accept(y) + undo(x) drop(y)>;

Main() <- new x, y, z . <up(x, y, z) + down(x, y) + down(x, z)> (Root(x), Sub(y), Sub(z));
Sub(x) <- (Leaf(x)) | new y, z . <up(x, y, z) + down(x, y) + down(x, z)> (Inner(x), Sub(y), Sub(z));

error mixed = #commit >= 1 & #abort >= 1;
