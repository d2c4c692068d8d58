// The token ring with any number of tokens: each member starts with one (Holder) or without (Node).
//
//   Ring: the whole system.    Chain(x, z): its members from x to z.    Last(x): the last one.
//
// A ring without any token, or without any gap, cannot move. Therefore the last two members are a
// Node and a Holder; up to rotation these are all rings that have both a token and a gap.
//
// Errors: deadlock, and critical (two members have a token at once).
// Answer: no deadlock, since there is always a token and always a gap (two traps), so somewhere a
// token stands in front of a gap. But critical is violated before anything has moved, in a ring of
// three: a Holder, a Node, and the last Holder.

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

link pass(x, y) = <out(x) in(y)>;

Ring() <- new x, z . <pass(z, x)> (Chain(x, z));

Chain(x, z) <- <pass(x, z)> (Node(x), Last(z));
Chain(x, z) <- new y . <pass(x, y)> (Node(x), Chain(y, z));
Chain(x, z) <- new y . <pass(x, y)> (Holder(x), Chain(y, z));

Last(x) <- (Holder(x));

critical busy, hbusy;
