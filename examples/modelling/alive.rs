// IS THE MODEL ALIVE? Ask for what *should* be reached, as an error that you expect to be violated.
//
// Answer: exclusion is proved. `alive` is violated, as it should be: someone does get in, with two
// components. Had the lock started in `taken`, exclusion would be proved just so, and `alive` too:
// a model in which nothing happens is safe.

component Lock {
    states free, taken;
    init free;
    free -take-> taken;
    taken -give-> free;
}

component User {
    states idle, inside;
    init idle;
    idle -enter-> inside;
    inside -leave-> idle;
}

Main() <- new l . (Lock(l), Users(l));

Users(l) <-
    new u . <enter(u) take(l) + leave(u) give(l)> (User(u), Users(l))
  | new u . <enter(u) take(l) + leave(u) give(l)> (User(u));

error exclusion = #inside >= 2;
error alive = #inside >= 1;
