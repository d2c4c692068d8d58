// TERMINATION: states in which a component may rest for ever are `final`. Where all components are
// in final states, standing still is no deadlock.
//
// Answer: the party ends well. Without `final` every party would end in a "deadlock".

component Guest {
    states invited, eating, home;
    init invited;
    final home;
    invited -arrive-> eating;
    eating -leave-> home;
}

component Host {
    states free, serving;
    init free;
    final free;
    free -welcome-> serving;
    serving -bye-> free;
}

Party() <- new h . (Host(h), Guests(h));

Guests(h) <-
    new g . <arrive(g) welcome(h) + leave(g) bye(h)> (Guest(g), Guests(h))
  | new g . <arrive(g) welcome(h) + leave(g) bye(h)> (Guest(g));

error crowd = #eating >= 2;
