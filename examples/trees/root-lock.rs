// Mutual exclusion by one lock that every node of a tree knows, in a tree of any shape: a node has
// one, two or three children, or none.
//
//   Office: the system.    Tree(l): a tree of workers who share the lock l.
//
// The workers do not talk to each other, only to the lock; so Tree needs no parameter for its
// topmost worker, and the lock is borrowed by everybody. Who queues may think better of it (queue
// -> rest), without asking anybody; the lock is released only by who has it.
//
// Errors: together (two workers work at once), strange (the lock is free, but somebody works),
// deadlock.
// Answer: none happens. { lock free, works of every worker } holds exactly one token.

component Lock {
    states free, taken;
    init free;
    free -acquire-> taken;
    taken -release-> free;
}

component Worker {
    states rest, queue, works;
    init rest;
    rest -> queue;
    queue -> rest;
    queue -begin-> works;
    works -end-> rest;
}

link guarded(w, l) = <begin(w) acquire(l) + end(w) release(l)>;

Office() <- new l . (Lock(l), Tree(l));

Tree(l) <-
    new w . <guarded(w, l)> (Worker(w))
  | new w . <guarded(w, l)> (Worker(w), Tree(l))
  | new w . <guarded(w, l)> (Worker(w), Tree(l), Tree(l))
  | new w . <guarded(w, l)> (Worker(w), Tree(l), Tree(l), Tree(l));

error together = #works >= 2;
error strange = #Lock.free != 0 & #Worker.works > 0;
