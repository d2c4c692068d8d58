// A binary tree whose leaves form a token ring. A leaf with the token enters its critical section
// by giving notice to its parent; notices climb up to the root (`rest` of a node with `serve` of
// its parent), which does its part alone (`done`).
//
//              Root
//                |             T(x, a, b): a subtree with topmost node x, first leaf a and last
//              Inner           leaf b.   TT(x, a, b): the same, and its last leaf has the token.
//             /     \          Main: the system; it links the last leaf to the first.
//         Inner     Inner
//         /   \     /   \      Leaf: n no token, t token, c critical. Tok, the leaf that starts the
//      Leaf->Leaf->Leaf->Tok   token, has one more state: ts, before it boots.
//
// Errors: critical (two leaves are critical), deadlock.
// Answer: neither happens. The token is in exactly one leaf (a mutex over all of them), and a leaf
// that waits for its parent waits for a notice on its way to the root, which always gets there.

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
T(x, a, b) <- <leaves(x, a, b)> (Inner(x), Leaf(a), Leaf(b));

critical c, tc;
