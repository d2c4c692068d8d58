// A circular railway line, cut into block sections; any number of trains.
//
//    block x            block y
//    train              free           x and y agree: y is booked, the train of x is leaving
//    leaving            booked         then it rolls: x is free, the train is in y
//    free               train
//
// At the start every block is empty or holds a train, as you like (`init free, train`), but at
// least one is free and at least one holds a train.
//
//   Line: the system.    Blocks(x, z): neighbouring blocks from x to z, trains run to the right.
//
// Errors: collision (a train leaves for a block that has not been booked for it), phantom (a block
// is booked although no train is coming), deadlock.
// Answer: none happens. x is leaving exactly when y is booked: for every two neighbours, two traps
// say so. And there is always a train, and always room (two more), so something can move.

component Block {
    states free, booked, train, leaving;
    init free, train;
    train -call-> leaving;
    free -book-> booked;
    leaving -roll-> free;
    booked -enter-> train;
}

link section(x, y) =
    <call(x) book(y) + roll(x) enter(y)>
    forbid collision <leaving(x) free(y) + leaving(x) train(y) + leaving(x) leaving(y)>
    forbid phantom <free(x) booked(y) + booked(x) booked(y) + train(x) booked(y)>;

Line() <- new x, z . <section(z, x)> (Blocks(x, z));

Blocks(x, z) <-
    <section(x, z)> (Block[free](x), Block[train](z))
  | new y . <section(x, y)> (Block(x), Blocks(y, z));
