// A star whose outer members form a ring. A token goes round the ring; who has it may enter its
// critical section, with the permission of a master in the middle.
//
//         .-> Node ----> Node ----> Holder -.      ring: the token moves from out to in
//         |      \        |        /        |
//         |       `--- Master ----'         |      star: enter with grant, leave with back
//         '---------------------------------'
//
//   Ring: the system.    Chain(m, x, z): the members from x to z, who all know the master m.
//
// Nodes start without the token, the one Holder with it (hidle, hhas, hcrit: its idle, has, crit).
//
// Errors: critical (two members have the token, critical or not), deadlock.
// Answer: neither happens. The token is in exactly one place (a mutex), and its owner can always do
// something: pass it on, or leave the critical section.

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

Chain(m, x, z) <- <member(m, x, z)> (Master(m), Node(x), Holder(z));
Chain(m, x, z) <- new y . <member(m, x, y)> (Node(x), Chain(m, y, z));

critical has, crit, hhas, hcrit;
