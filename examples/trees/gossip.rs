// Gossip in a tree. One node hears a rumour, anywhere; it tells its parent and its children, these
// tell theirs. The system is at its end when everybody knows.
//
//          silent            Whole trees without the rumour come from Quiet; trees with one node
//         /      \           that knows it come from Tree: that node is the topmost one, or in
//      silent    knows       one of the subtrees (in which one makes no difference).
//               /     \
//           silent   silent
//
//   Main: the system.    Tree(x), Quiet(x): subtrees with topmost node x.
//
// Errors: forgotten (nobody knows the rumour), deadlock (the gossip stops before everybody knows).
// Answer: neither happens. Knowing is for ever, so { knows of every node } is a trap; and between
// one who knows and one who does not there are two neighbours of whom the same is true.

component Node {
    states silent, knows;
    init silent;
    final knows;
    silent -hear-> knows;
    knows -tell-> knows;
}

link talk(x, y) = <tell(x) hear(y) + tell(y) hear(x)>;

Main() <- new x . (Tree(x));

Tree(x) <-
    (Node[knows](x))
  | new y, z . <talk(x, y) + talk(x, z)> (Node[knows](x), Quiet(y), Quiet(z))
  | new y, z . <talk(x, y) + talk(x, z)> (Node(x), Tree(y), Quiet(z));

Quiet(x) <- (Node(x)) | new y, z . <talk(x, y) + talk(x, z)> (Node(x), Quiet(y), Quiet(z));

error forgotten = #knows == 0;
