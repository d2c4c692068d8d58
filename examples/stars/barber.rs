// The sleeping barber, with one chair in the waiting room and any number of customers.
//
//   customer:  outside --> waiting (on the chair) --> shaved (being shaved) --> home
//
// A customer who finds the barber asleep wakes him. If the barber is busy and the chair is free,
// the customer sits down on it, which is *one* step. When a shave is done the barber looks at the
// chair: if it is taken he calls the waiting customer, otherwise he falls asleep.
//
//   Shop: the system.    Customers(b, c): customers of the barber b whose chair is c.
//
// Everything may rest when all have gone home (`final`). Errors: crowd (two in the barber's hands),
// lap (two on the chair), deadlock.
// Answer: none happens. In particular the barber never sleeps while the chair is taken: { cutting,
// resting, chair free } is a trap. barber-lost-wakeup.rs shows how easily that goes wrong.

component Barber {
    states asleep, cutting, resting;
    init asleep;
    final asleep;
    asleep -wake-> cutting;
    cutting -busy-> cutting;
    cutting -finish-> resting;
    resting -next-> cutting;
    resting -doze-> asleep;
}

component Chair {
    states free, taken;
    init free;
    final free;
    free -take-> taken;
    taken -release-> free;
    free -look-> free;
}

component Customer {
    states outside, waiting, shaved, home;
    init outside;
    final home;
    outside -enter-> shaved;
    outside -sit-> waiting;
    waiting -rise-> shaved;
    shaved -leave-> home;
}

link visit(k, b, c) =
    <enter(k) wake(b) + sit(k) busy(b) take(c) + rise(k) release(c) next(b) + leave(k) finish(b)>;

Shop() <- new b, c . <doze(b) look(c)> (Barber(b), Chair(c), Customers(b, c));

Customers(b, c) <-
    new k . <visit(k, b, c)> (Customer(k))
  | new k . <visit(k, b, c)> (Customer(k), Customers(b, c));

error crowd = #shaved >= 2;
error lap = #waiting >= 2;
