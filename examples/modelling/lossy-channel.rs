// A LOSSY CHANNEL: a component of its own, which may lose what it carries by an internal
// transition. Sender and receiver repeat themselves until the confirmation is there. Any number of
// such pairs.
//
//   Sender --> [wire] --> Receiver
//          <-- [wire] <--
//
// Answer: who is sure is right (a local pattern), and nothing gets stuck.

component Sender {
    states ready, sent, sure;
    init ready;
    final sure;
    ready -send-> sent;
    sent -send-> sent; // once more
    sent -hear-> sure;
}

component Wire {
    states empty, full;
    init empty;
    final *;
    empty -put-> full;
    full -get-> empty;
    full -> empty; // lost
}

component Receiver {
    states waiting, informed;
    init waiting;
    final informed;
    waiting -receive-> informed;
    informed -receive-> informed; // a copy
    informed -confirm-> informed;
}

link carry(s, w, b, r) =
    <send(s) put(w) + get(w) receive(r) + confirm(r) put(b) + get(b) hear(s)>
    forbid <sure(s) waiting(r)>;

Main() <- (Pairs());

Pairs() <-
    new s, w, b, r . <carry(s, w, b, r)> (Sender(s), Wire(w), Wire(b), Receiver(r), Pairs())
  | new s, w, b, r . <carry(s, w, b, r)> (Sender(s), Wire(w), Wire(b), Receiver(r));
