// BROKEN: the broadcast of broadcast.rs, where an inner node acknowledges as soon as *one* of its
// children has, "the others will be through in a moment".
//
//   Main: the system.    Tree(x): a subtree with topmost node x.
//
// Errors: early (the root is done, but somebody has not got the message), deadlock.
// Answer: early is violated with one root and three leaves: one leaf hears the message and
// acknowledges, the root is done. Then it tells nobody any more: the other leaves stay deaf, which
// is a deadlock too (they are not in a final state).

component Root {
    states sends, done;
    init sends;
    final done;
    sends -tell-> sends;
    sends -collect-> done;
}

component Inner {
    states deaf, sends, acked;
    init deaf;
    final acked;
    deaf -hear-> sends;
    sends -tell-> sends;
    sends -collect-> acked;
    acked -ack-> acked;
}

component Leaf {
    states deaf, acked;
    init deaf;
    final acked;
    deaf -hear-> acked;
    acked -ack-> acked;
}

link family(x, y, z, w) =
    <tell(x) hear(y) + tell(x) hear(z) + tell(x) hear(w) + collect(x) ack(y) + collect(x) ack(z)
      + collect(x) ack(w)>;

Main() <- new x, y, z, w . <family(x, y, z, w)> (Root(x), Tree(y), Tree(z), Tree(w));

Tree(x) <- new y, z, w . <family(x, y, z, w)> (Inner(x), Tree(y), Tree(z), Tree(w)) | (Leaf(x));

error early = #Root.done == 1 & #deaf + #sends >= 1;
