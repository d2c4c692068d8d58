// A search tree with linked leaves, as in a data base: a reader scans the leaves along the links, a
// writer comes down from the root, locks one node at a time, and changes a leaf.
//
//               Root              writer: down by any child, from a leaf back to the root
//                |
//              Inner              reader: from the Start over all leaves to the End, and again
//             /     \
//      .->Leaf -> Leaf -> ... -.
//      '--------- Start <------'
//   T(x, a, b, r): a subtree from node x down, its first leaf a, its last b; the root r (borrowed).
//
// Errors: dirty (not exactly one writer: one at the root, in an inner node, or in a leaf), readers
// (not exactly one reader), deadlock.
// Answer: none happens. A leaf is free, read or written: never read and written at once. The reader
// waits for a written leaf, but the writer does not wait there.

component Root {
    states home, gone;
    init home;
    home -down-> gone;
    gone -back-> home;
}

component Inner {
    states free, held;
    init free;
    free -lock-> held;
    held -down-> free;
}

component Leaf {
    states free, read, written;
    init free;
    free -lock-> written;
    written -up-> free;
    free -come-> read;
    read -go-> free;
}

component Start {
    states ready, scans;
    init ready;
    ready -go-> scans;
    scans -come-> ready;
}

link step(a, b) = <go(a) come(b)>;

Base() <- new r, s, x, a, b .
    <down(r) lock(x) + step(s, a) + step(b, s)> (Root(r), Start(s), T(x, a, b, r));

T(x, a, b, r) <-
    <down(x) lock(a) + down(x) lock(b) + step(a, b) + up(a) back(r) + up(b) back(r)>
    (Inner(x), Leaf(a), Leaf(b))
  | new y, z, u, v .
    <down(x) lock(y) + down(x) lock(z) + step(u, v)>
    (Inner(x), T(y, a, u, r), T(z, v, b, r));

error dirty = #home + #held + #written != 1;
error readers = #read + #ready != 1;
