// A ring in which two different tokens travel, a black one and a white one: the right to print and
// the right to scan. Who holds both at once can copy.
//
//                getb          getw
//        none ---------> black ----> both        and getw, getb the other way round;
//             <---------       <----             giveb and givew are their opposites
//
// A port may be carried by several transitions: `getb` is offered in `none` and in `white`, so the
// interaction below stands for every combination.
//
//   Ring: the system.    Chain(x, z): a piece of it.    Start(x, z): where the tokens are at first:
//   with two neighbours, or both with one.
//
// Errors: doubled (two black tokens, or two white ones), lost (one of them is nowhere), deadlock.
// Answer: all proved impossible. { black, both } of all nodes is a mutex, { white, both } too.

component Node {
    states none, black, white, both;
    init none;
    none -getb-> black;
    white -getb-> both;
    none -getw-> white;
    black -getw-> both;
    black -giveb-> none;
    both -giveb-> white;
    white -givew-> none;
    both -givew-> black;
}

link pass(x, y) = <giveb(x) getb(y) + givew(x) getw(y)>;

Ring() <- new x, z . <pass(z, x)> (Chain(x, z));

Chain(x, z) <- (Start(x, z)) | new y . <pass(x, y)> (Node(x), Chain(y, z));

Start(x, z) <-
    <pass(x, z)> (Node[black](x), Node[white](z))
  | <pass(x, z)> (Node(x), Node[both](z));

error doubled = #black + #both >= 2 | #white + #both >= 2;
error lost = #black + #both == 0 | #white + #both == 0;
