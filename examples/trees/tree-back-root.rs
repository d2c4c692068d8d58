// A binary tree in which the token goes down step by step and back to the root in one.
//
//          Root <--------.
//           |            |      A node hands the token to either child, or gives it straight
//          Node --->-----|      back to the root, whom every node knows.
//         /    \         |
//      Node    Node -->--'
//
//   Main: the system.    Tree(x, r): a subtree with topmost node x, all of whose nodes know r.
//
// The parameter x of Tree is *owned*: its component is created inside. The parameter r is
// *borrowed*: the component exists elsewhere (in Main), the subtree only uses it in interactions.
// That is why r may be given to both children, which would be an error for x.
//
// Error: deadlock.
// Answer: impossible. The token is always somewhere (a trap: { have, busy of every node }), and
// whoever has it can at least give it back to the root, who is then waiting for it.

component Root {
    states have, gone;
    init have;
    have -give-> gone;
    gone -take-> have;
}

component Node {
    states idle, busy;
    init idle;
    idle -get-> busy;
    busy -put-> idle;
}

Main() <- new r, x . <give(r) get(x)> (Root(r), Tree(x, r));

Tree(x, r) <- new y, z .
    <put(x) get(y) + put(x) get(z) + put(x) take(r)> (Node(x), Tree(y, r), Tree(z, r));
Tree(x, r) <- <put(x) take(r)> (Node(x));
