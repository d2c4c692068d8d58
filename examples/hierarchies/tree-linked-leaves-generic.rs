// The tree with a ring of leaves of tree-linked-leaves.rs, with any number of tokens: every leaf
// starts with one (Tok) or without (Leaf), except that the last two are a Leaf and a Tok.
//
//   Main: the system.    T(x, a, b): a subtree with topmost node x, first leaf a and last leaf b.
//   TT(x, a, b): the same with the last two leaves as said.    C(l): a leaf of either kind.
//
// Errors: critical (two leaves are critical), deadlock.
// Answer: no deadlock, but critical is violated where two leaves have tokens: by a root, three
// inner nodes and four leaves, the smallest instance with more than two leaves. (With two leaves
// there is one token.)

component Root {
    states r0, r1;
    init r0;
    r0 -call-> r1;
    r1 -done-> r0;
}

component Inner {
    states i0, i1;
    init i0;
    i0 -serve-> i1;
    i1 -rest-> i0;
}

component Tok {
    states ts, tt, tc, tn;
    init ts;
    ts -boot-> tt;
    tt -enter-> tc;
    tc -lout-> tn;
    tn -lin-> tt;
}

component Leaf {
    states n, t, c;
    init n;
    n -lin-> t;
    t -enter-> c;
    c -lout-> n;
}

// x has the subtrees y and z; u is the last leaf of the first, v the first leaf of the second
link join(x, y, z, u, v) = <lout(u) lin(v) + rest(y) serve(x) + rest(z) serve(x)>;
link leaves(x, a, b) = <lout(a) lin(b) + enter(a) serve(x) + enter(b) serve(x)>;

Main() <- new r, x, a, b . <lout(b) lin(a) + rest(x) call(r) + done(r)> (Root(r), TT(x, a, b));

TT(x, a, b) <- new y, z, u, v . <join(x, y, z, u, v)> (Inner(x), T(y, a, u), TT(z, v, b));
TT(x, a, b) <- <leaves(x, a, b) + boot(b)> (Inner(x), Leaf(a), Tok(b));

T(x, a, b) <- new y, z, u, v . <join(x, y, z, u, v)> (Inner(x), T(y, a, u), T(z, v, b));
T(x, a, b) <- <leaves(x, a, b)> (Inner(x), C(a), C(b));

C(l) <- (Leaf(l));
C(l) <- <boot(l)> (Tok(l));

critical c, tc;
