// A queue with an end mark: cells forget that the mark went by. Two errors are UNKNOWN.
//
// Answer: `late` cannot happen, for the cells keep the order, and nothing gets stuck; but "the
// items are ahead of the mark" is a relation between cells far apart, which no set of places
// expresses. With a history state both are proved: examples/modelling/history-state.rs.

component Producer {
    states on, off;
    init on;
    final off;
    on -put-> on;
    on -eof-> off;
}

component Cell {
    states empty, item, eof;
    init empty;
    final empty, eof;
    empty -putitem-> item;
    empty -puteof-> eof;
    item -getitem-> empty;
    eof -geteof-> empty;
}

component Consumer {
    states want, done;
    init want;
    final done;
    want -eatitem-> want;
    want -eateof-> done;
}

Main() <- new p, c . <put(p) putitem(c) + eof(p) puteof(c)> (Producer(p), Queue(c));

Queue(c) <-
    new d . <getitem(c) putitem(d) + geteof(c) puteof(d)> (Cell(c), Queue(d))
  | new k . <getitem(c) eatitem(k) + geteof(c) eateof(k)> (Cell(c), Consumer(k));

error late = #done >= 1 & #item >= 1;
error twomarks = #Cell.eof + #done >= 2;
