// A broadcast with acknowledgements in a ternary tree, one round.
//
//            Root             Down: a node that has got the message sends it to its three children,
//          /   |   \          one after the other. Up: a leaf acknowledges at once, an inner node
//      Inner  Leaf  Leaf      when all three of its children have.
//      / | \
//  Leaf Leaf Leaf
//
//   Main: the system.    Tree(x): a subtree with topmost node x.
//
// Errors: early (the root is done, but somebody has not got the message), deadlock.
// Answer: neither happens. A node that has acknowledged stays so, and had three acknowledgements
// from below: for each of them { parent not yet, child acknowledged } is a trap.

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
    <tell(x) hear(y) + tell(x) hear(z) + tell(x) hear(w) + collect(x) ack(y) ack(z) ack(w)>;

Main() <- new x, y, z, w . <family(x, y, z, w)> (Root(x), Tree(y), Tree(z), Tree(w));

Tree(x) <- new y, z, w . <family(x, y, z, w)> (Inner(x), Tree(y), Tree(z), Tree(w)) | (Leaf(x));

error early = #Root.done == 1 & #deaf + #sends >= 1;
