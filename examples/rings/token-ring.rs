// The token ring with a type of its own for the node that starts with the token.
//
//   Ring: the whole system.    Chain(x, z): a piece of it, from its first node x to its last, z.
//
// Nodes start without the token, the one Holder with it; a token moves from `out` to the `in` of
// the right neighbour. `hidle` and `hbusy` are the Holder's `idle` and `busy`.
//
// Errors: deadlock, and critical (two nodes have a token at once).
// Answer: neither can happen. The token is never lost: all `busy` places together stay marked (a
// trap), and its owner can always pass it on. It is never doubled either: the same set holds
// exactly one token for ever (a mutex). Traps alone do not show the second.

component Node {
    states idle, busy;
    init idle;
    busy -out-> idle;
    idle -in-> busy;
}

component Holder {
    states hidle, hbusy;
    init hbusy;
    hbusy -out-> hidle;
    hidle -in-> hbusy;
}

Ring() <- new x, z . <out(z) in(x)> (Chain(x, z));

Chain(x, z) <- <out(x) in(z)> (Node(x), Holder(z));
Chain(x, z) <- new y . <out(x) in(y)> (Node(x), Chain(y, z));

critical busy, hbusy;
