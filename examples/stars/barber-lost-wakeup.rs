// BROKEN: the sleeping barber with a lost wake-up. As barber.rs, but between seeing that the barber
// is busy and sitting down on the chair some time passes (`hurrying`).
//
//   customer:  outside --> hurrying --> waiting (on the chair) --> shaved --> home
//
// Meanwhile the barber finishes, looks at the chair, finds it free and falls asleep. Then the
// customer sits down and waits to be called; the barber sleeps and waits to be woken.
//
//   Shop: the system.    Customers(b, c): customers of the barber b whose chair is c.
//
// Errors: crowd (two in the barber's hands), asleep (the barber sleeps although the chair is
// taken), deadlock.
// Answer: deadlock and asleep are violated with two customers (four components): the first is being
// shaved, the second sees it and hurries; the first goes home, the barber dozes off, the second
// sits down. Crowds stay impossible.

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
    states outside, hurrying, waiting, shaved, home;
    init outside;
    final home;
    outside -enter-> shaved;
    outside -see-> hurrying;
    hurrying -sit-> waiting;
    waiting -rise-> shaved;
    shaved -leave-> home;
}

link visit(k, b, c) =
    <enter(k) wake(b) + see(k) busy(b) + sit(k) take(c) + rise(k) release(c) next(b)
      + leave(k) finish(b)>;

Shop() <- new b, c . <doze(b) look(c)> (Barber(b), Chair(c), Customers(b, c));

Customers(b, c) <-
    new k . <visit(k, b, c)> (Customer(k))
  | new k . <visit(k, b, c)> (Customer(k), Customers(b, c));

error crowd = #shaved >= 2;
error asleep = #Barber.asleep >= 1 & #Chair.taken >= 1;
