// A token ring, of any size.
//
//        out      in out      in
//   .-> Node ----> Node ----> Node --.        Each node is idle or busy. A busy node holds the
//   |                                |        token; it hands it to its right neighbour, which
//   '--------------------------------'        becomes busy while the giver becomes idle.
//
// Question: can two nodes ever be busy at once, in a ring of whatever size? Can it get stuck?
// Answer: no, and no. Exactly one place of the set { busy of every node } is marked in the
// beginning, and every hand-over takes one token out of this set and puts one back: a *mutex*, in
// every ring. And its owner can always pass it on, since the right neighbour is idle.

// 1. The parts. A component type is a small automaton; its transitions are labelled with ports.
component Node {
    states idle, busy;
    init idle; // where an instance starts, unless its atom says otherwise
    busy -out-> idle; // gives the token away
    idle -in-> busy; // receives it
}

// 2. The ways to connect them. A *link* names interactions that several rules need. This one says:
// `out` of x and `in` of y happen together, in one step, or not at all.
link pass(x, y) = <out(x) in(y)>;

// 3. The architecture: rules that build every ring and nothing else. The first rule's predicate is
// the system. A ring is a chain from first to last whose last node passes to its first.
Ring() <- new first, last . <pass(last, first)> (Chain(first, last));

// A chain is two nodes, of which the last starts with the token; or a node followed by a chain.
// `Node(x)` creates a component, `new y` a name for one that a child will create.
Chain(x, z) <- <pass(x, z)> (Node(x), Node[busy](z));
Chain(x, z) <- new y . <pass(x, y)> (Node(x), Chain(y, z));

// 4. What must never happen: two or more components in state `busy`. (Whether the system can get
// stuck, `deadlock`, is asked without being written.)
error exclusion = #busy >= 2;
