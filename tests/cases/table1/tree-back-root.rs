// Table 1 tree-back-root: 2x2, 3 rules, 5 interactions. A parent hands the token to a child; every node can hand
// it back to the root. The root r is shared by all subtrees: NOT a partition in the sense of Def. 1, and with
// parent-child interactions on all binary trees it cannot be; upward paths are needed.
component Root { states have, gone; init have; have -give-> gone; gone -take-> have; }
component Node { states idle, busy; init idle; idle -get-> busy; busy -put-> idle; }
Main()     <- new r, x . <give(r) get(x)> (Root(r), Tree(x, r));
Tree(x, r) <- new y, z . <put(x) get(y) + put(x) get(z) + put(x) take(r)> (Node(x), Tree(y, r), Tree(z, r));
Tree(x, r) <- <put(x) take(r)> (Node(x));
