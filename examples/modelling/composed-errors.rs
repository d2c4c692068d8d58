// ERRORS FROM ERRORS: definitions may use each other and `deadlock`, with & | ! and parentheses.
// Workers need the saw and the plane, and take them in different orders.
//
// Answer: there is a deadlock, the smallest with four components, and in it each tool is with a
// worker who waits for the other (`crossed`). That is the only kind: `otherwise` is proved.

component Tool {
    states free, used;
    init free;
    free -take-> used;
    used -give-> free;
}

component Sawyer {
    states idle, saw, both;
    init idle;
    idle -first-> saw;
    saw -second-> both;
    both -finish-> idle;
}

component Planer {
    states idle, plane, both;
    init idle;
    idle -first-> plane;
    plane -second-> both;
    both -finish-> idle;
}

link work(w, a, b) = <first(w) take(a) + second(w) take(b) + finish(w) give(a) give(b)>;

Shop() <- new s, p . (Tool(s), Tool(p), Workers(s, p));

Workers(s, p) <-
    new w . <work(w, s, p)> (Sawyer(w), Workers(s, p))
  | new w . <work(w, p, s)> (Planer(w), Workers(s, p))
  | new w . <work(w, p, s)> (Planer(w));

error crossed = #saw >= 1 & #plane >= 1;
error otherwise = deadlock & !crossed;
