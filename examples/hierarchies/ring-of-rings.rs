// A ring of rings. The outer ring consists of heads; every head has an inner ring of members, of
// which it is a part itself. One token: a head that gets it may send it round its own members
// before it passes it on to the next head.
//
//      Head ======> Head ======> Head ====.      `==>` pass/get (outer ring)
//      |  ^         |  ^         |  ^     |
//      v  |         v  |         v  |     |      `-->` send/in, out/in, out/back (inner ring)
//      Member->Member  ...        ...     |
//       ^=================================='
//
//   Ring: the system.    Heads(x, z): heads from x to z.    Group(h): head h and its inner ring.
//   Members(a, b): members from a to b.
//
// Errors: critical (two components have the token), astray (a member has the token, but no head has
// sent it), deadlock.
// Answer: none happens. One mutex over everybody says that the token is in one place; one for every
// group, { head idle, head has, busy of its members }, says that a member has it if and only if the
// head is away.

component Head {
    states idle, has, away;
    init idle;
    idle -get-> has;
    has -pass-> idle;
    has -send-> away;
    away -back-> has;
}

component Member {
    states rest, busy;
    init rest;
    rest -in-> busy;
    busy -out-> rest;
}

link outer(x, y) = <pass(x) get(y)>;
link inner(h, a, b) = <send(h) in(a) + out(b) back(h)>;

Ring() <- new x, z . <outer(z, x)> (Heads(x, z));

Heads(x, z) <-
    new y . <outer(x, y)> (Group(x), Heads(y, z))
  | new a, b . <outer(x, z) + inner(z, a, b)> (Group(x), Head[has](z), Members(a, b));

Group(h) <- new a, b . <inner(h, a, b)> (Head(h), Members(a, b));

Members(a, b) <-
    <out(a) in(b)> (Member(a), Member(b))
  | new c . <out(a) in(c)> (Member(a), Members(c, b));

critical Head.has, Member.busy;
error astray = #away == 0 & #busy != 0;
