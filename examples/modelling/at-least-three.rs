// A MINIMUM SIZE: the rule that ends the recursion is written out as large as the smallest system.
// A ring of at least three nodes, each of which passes the token on.
//
// Answer: there is one token, and nothing gets stuck. `paramcheck instances --max-size 5` shows
// that there is no ring of one or two nodes.

component Node {
    states idle, busy;
    init idle;
    busy -out-> idle;
    idle -in-> busy;
}

link pass(x, y) = <out(x) in(y)>;

Ring() <- new x, z . <pass(z, x)> (Chain(x, z));

Chain(x, z) <-
    new y . <pass(x, y)> (Node(x), Chain(y, z))
  | new y . <pass(x, y) + pass(y, z)> (Node(x), Node(y), Node[busy](z));

error two = #busy >= 2;
