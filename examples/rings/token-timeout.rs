// BROKEN: a token ring that wants to survive the loss of its token.
//
// A node that has waited long enough believes that the token is lost and makes a new one (the
// internal transition idle -> busy). It cannot know; perhaps the token was only slow.
//
//   Ring: the system.    Chain(x, z): its nodes from x to z.
//
// Errors: critical (two tokens), lost (none), full (every node has one), deadlock.
// Answer: lost is proved impossible. The others are violated in a ring of two: the idle node's
// clock runs out while the other one still holds the token. Then both have one; nobody can give,
// for nobody can receive, and nobody waits any more: a deadlock.

component Node {
    states idle, busy;
    init idle;
    busy -out-> idle;
    idle -in-> busy;
    idle -> busy;
}

link pass(x, y) = <out(x) in(y)>;

Ring() <- new x, z . <pass(z, x)> (Chain(x, z));

Chain(x, z) <- <pass(x, z)> (Node(x), Node[busy](z));
Chain(x, z) <- new y . <pass(x, y)> (Node(x), Chain(y, z));

critical busy;
error lost = #busy == 0;
error full = #busy >= 2 & #idle == 0;
