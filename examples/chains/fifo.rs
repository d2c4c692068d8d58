// HONESTLY UNKNOWN: a queue made of cells. A message moves into the next cell when that is empty.
// The sender puts in an `a` first and a `b` later; can the b come out before the a?
//
//   Sender --> [cell] --> [cell] --> ... --> [cell] --> Receiver
//
//   Queue: the system.    Cells(x): the queue from cell x on, and the receiver.
//
// Errors: overtaken (b came out first), lost (the a is nowhere), deadlock.
// Answer: nothing is lost (a trap), and nothing gets stuck (a mutex per message). Overtaking is
// impossible too, for the cells keep the order; but the tool must answer `unknown`. "The a is ahead
// of the b" is a relation between cells that are far apart, and no set of places whose marked ones
// are counted expresses it: for every such set there is a step that would break it from a state in
// which b *is* ahead. What it advises does it: cells that remember whether the a was in them.

component Sender {
    states both, one, none;
    init both;
    final none;
    both -outa-> one;
    one -outb-> none;
}

component Cell {
    states empty, a, b;
    init empty;
    final empty;
    empty -ina-> a;
    a -outa-> empty;
    empty -inb-> b;
    b -outb-> empty;
}

component Receiver {
    states wait, gota, done, gotb, mixed;
    init wait;
    final done, mixed;
    wait -ina-> gota;
    gota -inb-> done;
    wait -inb-> gotb;
    gotb -ina-> mixed;
}

link move(x, y) = <outa(x) ina(y) + outb(x) inb(y)>;

Queue() <- new s, x . <move(s, x)> (Sender(s), Cells(x));

Cells(x) <- new y . <move(x, y)> (Cell(x), Cells(y)) | new y . <move(x, y)> (Cell(x), Receiver(y));

error overtaken = #gotb + #mixed >= 1;
error lost = #both + #Cell.a + #gota + #done + #mixed == 0;
