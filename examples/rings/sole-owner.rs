// The token ring with two kinds of stations, and errors that say which components there are.
//
//   host:   idle --in--> busy --out--> idle
//   guest:  idle --in--> busy --out--> idle,  busy --> late --> busy (it may keep the token)
//
//   Ring: the system.    Stations(x, z): the stations from x to z; the last one has the token.
//
// Errors, as formulas over components: shared (two stations have the token), owner (it is not so
// that exactly one has it), alone (a guest is late, and there is no other guest); deadlock.
// Answer: shared and owner are impossible, by a mutex over busy and late of all stations. Alone is
// violated by the smallest ring, a host and a guest. No deadlock.

component Host {
    states idle, busy;
    init idle;
    busy -out-> idle;
    idle -in-> busy;
}

component Guest {
    states idle, busy, late;
    init idle;
    busy -out-> idle;
    idle -in-> busy;
    busy -> late;
    late -> busy;
}

link pass(x, y) = <out(x) in(y)>;

Ring() <- new x, z . <pass(z, x)> (Stations(x, z));

Stations(x, z) <- <pass(x, z)> (Host(x), Guest[busy](z));
Stations(x, z) <- new y . <pass(x, y)> (Host(x), Stations(y, z));
Stations(x, z) <- new y . <pass(x, y)> (Guest(x), Stations(y, z));

error shared = wsks { ex1 x, y: x != y & (x in busy | x in late) & (y in busy | y in late) };
error owner = wsks { !ex1 x: all1 y: y in busy | y in late <=> y = x };
error alone = wsks { ex1 x: x in Guest.late & all1 y: y in Guest => y = x };
