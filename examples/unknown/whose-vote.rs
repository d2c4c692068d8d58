// examples/unknown/votes.rs, but a node remembers whose vote it has: each child votes at a port of
// its own, and states tell who was first. Answer: `mixed` is PROVED, for a node that has all votes
// has one of each child, so both its children are ready, and so are all nodes below them.

component Root {
    states w0, wl, wr, all, committed, aborted;
    init w0;
    final committed, aborted;
    w0 -votel-> wl;
    w0 -voter-> wr;
    wl -voter-> all;
    wr -votel-> all;
    all -> committed;
    w0 -nay-> aborted;
    wl -nay-> aborted;
    wr -nay-> aborted;
    committed -com-> committed;
    aborted -abt-> aborted;
}

component Node {
    states w0, wl, wr, all, ready, committed, aborted;
    init w0;
    final committed, aborted;
    w0 -votel-> wl;
    w0 -voter-> wr;
    wl -voter-> all;
    wr -votel-> all;
    all -up-> ready;
    w0 -nay-> aborted;
    wl -nay-> aborted;
    wr -nay-> aborted;
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

link edge(x, y) = <nay(x) no(y) + com(x) iscom(y) + abt(x) isab(y)>;

link kids(x, y, z) = <votel(x) up(y) + voter(x) up(z) + edge(x, y) + edge(x, z)>;

Main() <- new x, y, z . <kids(x, y, z)> (Root(x), Tree(y), Tree(z));

Tree(x) <- new y, z . <kids(x, y, z)> (Node(x), Tree(y), Tree(z)) | (Leaf(x));

error mixed = #committed >= 1 & #aborted >= 1;
