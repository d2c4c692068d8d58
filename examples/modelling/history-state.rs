// A HISTORY STATE: `closed` differs from `empty` only by its past. A producer puts items into a
// queue and then an end mark; a cell that has handed on the mark will carry nothing any more.
//
// Answer: no item is left when the consumer has read the mark, and nothing gets stuck. With `eof
// -geteof-> empty` (examples/unknown/queue.rs) the behaviour is the same and `late` is unknown:
// that nothing comes behind the mark is then in no state, but in the order of the cells.

component Producer {
    states on, off;
    init on;
    final off;
    on -put-> on;
    on -eof-> off;
}

component Cell {
    states empty, item, eof, closed;
    init empty;
    final closed;
    empty -putitem-> item;
    empty -puteof-> eof;
    item -getitem-> empty;
    eof -geteof-> closed;
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
