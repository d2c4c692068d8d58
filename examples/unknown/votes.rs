// Two-phase commit in a binary tree. A node counts the votes of its two children, not whose
// they were, and passes its own vote up. Who refuses, or hears of it, aborts.
//
// Answer: that one commits and another aborts (`mixed`) can't happen, but is UNKNOWN: each
// child votes once, but no set of places knows that the two votes a node has counted came from
// two children. With a port per child, so that the node remembers whose vote came first,
// `mixed` is proved: examples/unknown/whose-vote.rs.

component Root {
    states w0, w1, all, committed, aborted;
    init w0;
    final committed, aborted;
    w0 -vote-> w1;
    w1 -vote-> all;
    all -> committed;
    w0 -nay-> aborted;
    w1 -nay-> aborted;
    committed -com-> committed;
    aborted -abt-> aborted;
}

component Node {
    states w0, w1, all, ready, committed, aborted;
    init w0;
    final committed, aborted;
    w0 -vote-> w1;
    w1 -vote-> all;
    all -up-> ready;
    w0 -nay-> aborted;
    w1 -nay-> aborted;
    all -isab-> aborted;
    ready -isab-> aborted;
    ready -iscom-> committed;
    committed -com-> committed;
    aborted -abt-> aborted;
    aborted -no-> aborted;
}

component Leaf {
    states w0, ready, committed, aborted;
    init w0;
    final committed, aborted;
    w0 -up-> ready;
    w0 -> aborted;
    ready -isab-> aborted;
    ready -iscom-> committed;
    aborted -no-> aborted;
}

link edge(x, y) = <vote(x) up(y) + nay(x) no(y) + com(x) iscom(y) + abt(x) isab(y)>;

Main() <- new x, y, z . <edge(x, y) + edge(x, z)> (Root(x), Tree(y), Tree(z));

Tree(x) <- new y, z . <edge(x, y) + edge(x, z)> (Node(x), Tree(y), Tree(z)) | (Leaf(x));

error mixed = #committed >= 1 & #aborted >= 1;
