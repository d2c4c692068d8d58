// Counting modulo three. A carousel has a wheel with three positions, which turns
// by one whenever a child gets on. Children stay on, any number of them.
//
//   wheel:  zero --> one --> two --> zero        child:  waits --> rides
//
//   Carousel: the system.    Children(w): any number of children around the wheel w.
//
// Errors: skipped (the wheel shows zero, but exactly one child rides), deadlock (everybody riding
// is the end: `final`).
// Answer: no deadlock. Skipped is impossible, as the wheel always shows the number of riders modulo
// three. No bounded number of tokens in a set says this, and parity counts modulo two only: it
// takes places with weights, whose sum is looked at modulo three (`modulo:3`).

component Wheel {
    states zero, one, two;
    init zero;
    final *;
    zero -turn-> one;
    one -turn-> two;
    two -turn-> zero;
}

component Child {
    states waits, rides;
    init waits;
    final rides;
    waits -climb-> rides;
}

Carousel() <- new w . (Wheel(w), Children(w));

Children(w) <-
    new c . <climb(c) turn(w)> (Child(c))
  | new c . <climb(c) turn(w)> (Child(c), Children(w));

error skipped = #zero == 1 & #rides == 1;
