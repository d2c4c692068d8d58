// A ring of stars. A bank has branches in a ring; the key to the vault is sent from branch to
// branch. The manager of a branch who has the key lends it to one of the clerks, who opens the
// vault and gives it back.
//
//    clerk  clerk     clerk
//        \  |          |
//       Manager ==> Manager ==> Manager ==.       clerk:    rest --> vault --> rest
//        ^              / | \             |       manager:  idle --> key --> lent
//        |        clerk clerk clerk       |
//        '================================'       a branch may have no clerks at all
//
//   Bank: the system.    Branches(x, z): branches from x to z.
//   Branch(m): manager m with clerks.    Start(m): the same, and this manager starts with the key.
//
// Errors: critical (two people have the key: managers, or clerks in the vault), robbed (nobody has
// it), abroad (a clerk is in the vault, but its manager has not lent the key), deadlock.
// Answer: none happens. The key is in one place (a mutex over everybody), and lent means lent to a
// clerk of this branch (a mutex for every branch: { idle, key, vault of its clerks }).

component Manager {
    states idle, key, lent;
    init idle;
    idle -get-> key;
    key -send-> idle;
    key -lend-> lent;
    lent -take-> key;
}

component Clerk {
    states rest, vault;
    init rest;
    rest -enter-> vault;
    vault -leave-> rest;
}

link next(x, y) = <send(x) get(y)>;
link serve(m, c) =
    <lend(m) enter(c) + take(m) leave(c)> forbid abroad <idle(m) vault(c) + key(m) vault(c)>;

Bank() <- new x, z . <next(z, x)> (Branches(x, z));

Branches(x, z) <-
    <next(x, z)> (Branch(x), Start(z))
  | new y . <next(x, y)> (Branch(x), Branches(y, z));

Branch(m) <- (Manager(m)) | new c . <serve(m, c)> (Clerk(c), Branch(m));

Start(m) <- (Manager[key](m)) | new c . <serve(m, c)> (Clerk(c), Start(m));

critical Manager.key; // both lines together: the critical states are key and vault
critical Clerk.vault;
error robbed = #key + #vault == 0;
