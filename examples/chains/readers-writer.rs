// Readers and a writer, without a counter. The writer may write only when no reader reads, however
// many there are; so it has a bar put before them, one after the other, from the first to the last.
//
//   out <--> in         a reader reads, whenever it is not barred
//   out <--> barred     it is barred if its left neighbour is (the first one: at any time),
//                       and let go as long as its right neighbour is not barred
//
// The writer stands at the right end: it writes if its left neighbour is barred.
//
//   Desk: the system.    Readers(x): the readers from x on, and the writer.
//
// Errors: clash (the writer writes while a reader reads), deadlock.
// Answer: neither. Barred readers always form an unbroken row from the first one: for every two
// neighbours { x barred, y out, y in } is a trap; so if the writer writes, all are barred.

component Reader {
    states out, in, barred;
    init out, in;
    out -> in;
    in -> out;
    out -bar-> barred;
    barred -release-> out;
    barred -gone-> barred;
    out -there-> out;
    in -there-> in;
}

component Writer {
    states rest, write;
    init rest;
    rest -bar-> write;
    write -> rest;
    rest -there-> rest;
}

link order(x, y) = <gone(x) bar(y) + release(x) there(y)>;

Desk() <- new x . <bar(x)> (Readers(x));

Readers(x) <-
    new y . <order(x, y)> (Reader(x), Readers(y))
  | new y . <order(x, y)> (Reader(x), Writer(y));

error clash = #in >= 1 & #write >= 1;
