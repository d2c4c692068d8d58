/* The token ring once more, in mathematical spelling. What can be typed on any keyboard, and
   what it may look like:

     new x, y .          ν x, y .
     <out(x) in(y)>      ⟨out(x) · in(y)⟩
     <-                  ←

   Predicates: Ring is the system, Chain(x, z) a piece from x to z. N and T are instantiation rules
   in the classical style: a predicate that creates one component (here: without and with the
   token). Writing Node(x) directly in a rule is the same.

   Errors: deadlock, and two (the token has been doubled) or none (it has been lost).
   Answer: all three are proved impossible; the busy places hold exactly one token for ever. */

component Node {
    states idle, busy;
    init idle;
    busy -out-> idle;
    idle -in-> busy;
}

Ring() ← ν x, z . ⟨out(z) · in(x)⟩ (Chain(x, z));

Chain(x, z) ← ⟨out(x) · in(z)⟩ (N(x), T(z));
Chain(x, z) ← ν y . ⟨out(x) · in(y)⟩ (N(x), Chain(y, z));

N(x) ← Node(x);
T(x) ← Node[busy](x);

error two = #busy > 1;
error none = #busy < 1;
