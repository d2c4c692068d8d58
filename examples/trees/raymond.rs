// Raymond's mutual exclusion on a tree. Every node knows in which direction the token is: `here`,
// in its left or right subtree, or `up`. When the token crosses an edge, both ends turn round.
//
//          left                  here                  right
//         /    \                /    \                /     \
//      here    up     ==>     up      up     ==>     up     here
//
//   Main: the system.    Sub(x): a subtree with topmost node x.
//
// Errors: tokens (not exactly one node has the token), astray (a node points to a child that points
// back up: the token can no longer be found), lost (a child believes that the token is here or
// below, its parent believes that it is not), deadlock.
// Answer: none happens. On every edge either the parent points down or the child points up, never
// both and never neither: { parent points down it, child points up it } is a trap, and so is the
// set of all their other places.

component Root {
    states here, left, right;
    init here;
    here -goleft-> left;
    here -goright-> right;
    left -fromleft-> here;
    right -fromright-> here;
}

component Inner {
    states up, here, left, right;
    init up;
    here -goleft-> left;
    here -goright-> right;
    left -fromleft-> here;
    right -fromright-> here;
    up -godown-> here;
    here -goup-> up;
}

component Leaf {
    states up, here;
    init up;
    up -godown-> here;
    here -goup-> up;
}

link lefty(x, y) =
    <goleft(x) godown(y) + fromleft(x) goup(y)>
    forbid astray <left(x) up(y)>
    forbid lost <right(x) here(y) + right(x) left(y) + right(x) right(y)>;

link righty(x, y) =
    <goright(x) godown(y) + fromright(x) goup(y)>
    forbid astray <right(x) up(y)>
    forbid lost <left(x) here(y) + left(x) left(y) + left(x) right(y)>;

Main() <- new x, y, z . <lefty(x, y) + righty(x, z)> (Root(x), Sub(y), Sub(z));

Sub(x) <- (Leaf(x)) | new y, z . <lefty(x, y) + righty(x, z)> (Inner(x), Sub(y), Sub(z));

error tokens = #here != 1;
