// pipe.rs with a history state: a cell that has handed the mark on is closed. Now all is proved.
component Prod { states on, off; init on; final off; on -put-> on; on -eof-> off; }
component Cell { states empty, item, eof, closed; init empty; final closed; empty -putitem-> item; empty -puteof-> eof; item -getitem-> empty; eof -geteof-> closed; }
component Cons { states want, got, done; init want; final done; want -eatitem-> got; got -> want; want -eateof-> done; }
Main() <- new p, c . <put(p) putitem(c) + eof(p) puteof(c)> (Prod(p), Buf(c));
Buf(c) <- new d . <getitem(c) putitem(d) + geteof(c) puteof(d)> (Cell(c), Buf(d));
Buf(c) <- new k . <getitem(c) eatitem(k) + geteof(c) eateof(k)> (Cell(c), Cons(k));
error late = #done >= 1 & #item >= 1;
error twoeof = #Cell.eof + #done >= 2;
error losteof = #off >= 1 & #Cell.eof + #done == 0;
