// The star with a ring of star-ring.rs, with any number of tokens: each member starts with one
// (Holder) or without (Node). The last two are a Node and a Holder, so that there is both a token
// and a gap.
//
//   Ring: the system.    Chain(m, x, z): the members from x to z, who all know the master m.
//   Last(x): the last member.
//
// Errors: critical (two members have a token, critical or not), deadlock.
// Answer: no deadlock: there are always a token and a gap. But two tokens are there from the start
// where the model allows it: critical is violated by a master and three members.

component Master {
    states free, taken;
    init free;
    free -grant-> taken;
    taken -back-> free;
}

component Node {
    states idle, has, crit;
    init idle;
    idle -in-> has;
    has -out-> idle;
    has -enter-> crit;
    crit -leave-> has;
}

component Holder {
    states hidle, hhas, hcrit;
    init hhas;
    hidle -in-> hhas;
    hhas -out-> hidle;
    hhas -enter-> hcrit;
    hcrit -leave-> hhas;
}

// x can pass the token to y, and enter and leave with the permission of the master m
link member(m, x, y) = <out(x) in(y) + enter(x) grant(m) + leave(x) back(m)>;

Ring() <- new m, x, z . <member(m, z, x)> (Chain(m, x, z));

Chain(m, x, z) <- <member(m, x, z)> (Master(m), Node(x), Last(z));
Chain(m, x, z) <- new y . <member(m, x, y)> (Node(x), Chain(m, y, z));
Chain(m, x, z) <- new y . <member(m, x, y)> (Holder(x), Chain(m, y, z));

Last(x) <- (Holder(x));

critical has, crit, hhas, hcrit;
