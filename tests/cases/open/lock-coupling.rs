// Hand-over-hand locking: a reader walks behind a writer along a chain of cells. It can't overtake it, which no set of
// places shows. From a new user's first day.
component Cell { states e, r, w; init e; e -rin-> r; r -rout-> e; e -win-> w; w -wout-> e; }
component Src { states zero, one, two; init zero; zero -startw-> one; one -startr-> two; }
component Snk { states zero, w, wr, bad; init zero; zero -endw-> w; w -endr-> wr; zero -endr-> bad; }
Main() <- new s, c . <startw(s) win(c) + startr(s) rin(c)> (Src(s), L(c));
L(c) <- new d . <rout(c) rin(d) + wout(c) win(d)> (Cell(c), L(d));
L(c) <- new z . <rout(c) endr(z) + wout(c) endw(z)> (Cell(c), Snk(z));
error overtake = #bad >= 1;
error dup = #Cell.r >= 2;
