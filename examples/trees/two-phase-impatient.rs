// BROKEN: two-phase-commit.rs with a timeout. A leaf that has voted yes and has waited long enough
// for the decision aborts by itself (yes -> abort). But the decision may be on its way.
//
//   Main: the system.    Sub(x): a subtree with topmost node x.
//
// Errors: mixed (one node has committed, another aborted), deadlock (before all have decided).
// Answer: mixed is violated with a root and two leaves: both vote yes, the root commits, and one
// leaf loses patience. Nothing gets stuck: an impatient leaf has decided, though wrongly.

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
    yes -> abort;
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
