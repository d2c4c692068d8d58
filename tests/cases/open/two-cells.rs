// As `pipe.rs`, of cells and shelves in turn. Can an item be left behind? No; and both the cells and the shelves must
// remember the mark for that to be proved.
component Prod { states on, off; init on; final off; on -put-> on; on -eof-> off; }
component Cell { states empty, item, eof; init empty; final empty, eof; empty -putitem-> item; empty -puteof-> eof; item -getitem-> empty; eof -geteof-> empty; }
component Shelf { states bare, full, mark; init bare; final bare, mark; bare -putitem-> full; bare -puteof-> mark; full -getitem-> bare; mark -geteof-> bare; }
component Cons { states want, got, done; init want; final done; want -eatitem-> got; got -> want; want -eateof-> done; }
link pass(x, y) = <getitem(x) putitem(y) + geteof(x) puteof(y)>;
Main() <- new p, c . <put(p) putitem(c) + eof(p) puteof(c)> (Prod(p), Buf(c));
Buf(c) <- new s, d . <pass(c, s) + pass(s, d)> (Cell(c), Shelf(s), Buf(d));
Buf(c) <- new s, k . <pass(c, s) + getitem(s) eatitem(k) + geteof(s) eateof(k)> (Cell(c), Shelf(s), Cons(k));
error late = #done >= 1 & #item + #full >= 1;
