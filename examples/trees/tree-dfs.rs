// A token walks through a binary tree in depth-first order, for ever.
//
//          Root
//           |              An inner node that gets the token sends it down to the left (`dl`), gets
//         Inner            it back up from there (`ul`), sends it down to the right (`dr`), gets it
//        /     \           back (`ur`) and returns it to its parent (`ret`). A leaf returns it at
//     Leaf     Inner       once. The root starts the walk again and again.
//             /     \
//          Leaf     Leaf
//
//   Main: the system.    Tree(x): a subtree whose topmost node is x.
//
// Error: deadlock.
// Answer: impossible. The token is always somewhere, and whoever has it can go on, since the state
// of every node says where the token has gone and that is where it is (traps).

component Root {
    states have, gone;
    init have;
    have -start-> gone;
    gone -stop-> have;
}

component Inner {
    states idle, got, wleft, gleft, wright, gright;
    init idle;
    idle -get-> got;
    got -dl-> wleft;
    wleft -ul-> gleft;
    gleft -dr-> wright;
    wright -ur-> gright;
    gright -ret-> idle;
}

component Leaf {
    states off, on;
    init off;
    off -get-> on;
    on -ret-> off;
}

Main() <- new r, x . <start(r) get(x) + stop(r) ret(x)> (Root(r), Tree(x));

Tree(x) <-
    new y, z .
    <dl(x) get(y) + ul(x) ret(y) + dr(x) get(z) + ur(x) ret(z)>
    (Inner(x), Tree(y), Tree(z))
  | (Leaf(x));
