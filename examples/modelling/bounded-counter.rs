// A BOUNDED COUNTER: a state per number. Any number of visitors, at most two in the room.
//
// Answer: there are never three, and the counter is right.

component Counter {
    states zero, one, two;
    init zero;
    zero -up-> one;
    one -up-> two;
    two -down-> one;
    one -down-> zero;
}

component Visitor {
    states out, in;
    init out;
    out -enter-> in;
    in -leave-> out;
}

Room() <- new c . (Counter(c), Visitors(c));

Visitors(c) <-
    new v . <enter(v) up(c) + leave(v) down(c)> (Visitor(v), Visitors(c))
  | new v . <enter(v) up(c) + leave(v) down(c)> (Visitor(v));

error crowd = #in >= 3;
error wrong = #zero >= 1 & #in >= 1;
