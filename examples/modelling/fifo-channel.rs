// A FIFO CHANNEL: a row of cells. A message moves on when the next cell is empty, so nothing
// overtakes. A request goes through, and the answer comes back through a row of its own.
//
// Answer: the two ends stay in step, and nothing gets stuck.

component Client {
    states idle, waiting;
    init idle;
    idle -ask-> waiting;
    waiting -hear-> idle;
}

component Cell {
    states empty, full;
    init empty;
    empty -put-> full;
    full -get-> empty;
}

component Server {
    states idle, busy;
    init idle;
    idle -accept-> busy;
    busy -reply-> idle;
}

Main() <- new c, r, a . <ask(c) put(r) + get(a) hear(c)> (Client(c), Lane(r, a));

Lane(r, a) <-
    new r', a' . <get(r) put(r') + get(a') put(a)> (Cell(r), Cell(a), Lane(r', a'))
  | new s . <get(r) accept(s) + reply(s) put(a)> (Cell(r), Cell(a), Server(s));

error two = #full + #busy >= 2;
error lost = #waiting >= 1 & #full + #busy == 0;
