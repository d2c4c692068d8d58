// Termination detection by a coloured token (Dijkstra, Feijen, van Gasteren 1983): neighbours wake each other while a token
// walks along the chain. It is right, and no set of places shows it. From a new user's first day.
component Node { states aw, ab, pw, pb; init aw;
  aw -> pw; ab -> pb;
  aw -back-> ab; ab -back-> ab;
  aw -fore-> aw; ab -fore-> ab;
  pw -wake-> aw; pb -wake-> ab;
  pw -iswhite-> pw; pb -isblack-> pw; }
component Tok { states no, w, b; init no; no -getw-> w; no -getb-> b; w -putw-> no; b -putb-> no; }
component Master { states run, done; init run; final done; run -finish-> done; run -again-> run; }
link next(x, y) = <fore(x) wake(y) + back(y) wake(x)>;
link hop(t, x, u) = <putw(t) iswhite(x) getw(u) + putw(t) isblack(x) getb(u) + putb(t) iswhite(x) getb(u) + putb(t) isblack(x) getb(u)>;
Main() <- new m, t, x, u . <putw(u) finish(m) + putb(u) again(m) getw(t)> (Master(m), Tok[w](t), Chain(t, x, u));
Chain(t, x, u) <- <hop(t, x, u)> (Node(x), Tok(u));
Chain(t, x, u) <- new s, y . <next(x, y) + hop(t, x, s)> (Node(x), Tok(s), Chain(s, y, u));
error early = #done >= 1 & #aw + #ab >= 1;
error two = #w + #b >= 2;
