// Token rings on a common bus: any number of rings, each with its own token and one gateway. A
// gateway that holds the token of its ring may send over the bus, one gateway at a time.
//
//          .--> Station --> Station --.         .--> Station ...
//          |                          |         |
//          '-------- Gateway <--------'         '--- Gateway
//                       |                             |
//      =================+============ Bus ============+=======
//
//   Network: the system.    Rings(b): rings that share the bus b (borrowed).
//   Ring(g, b): the ring of gateway g.    Stations(x, z): its stations from x to z.
//
// Errors: collision (two gateways send), silent (the bus is taken, but nobody sends), deadlock.
// Answer: none happens. { bus free, sends of every gateway } holds exactly one token. Every ring
// has its own token for ever, which can always move unless its gateway is sending.

component Bus {
    states free, taken;
    init free;
    free -seize-> taken;
    taken -yield-> free;
}

component Gateway {
    states idle, has, sends;
    init idle;
    idle -in-> has;
    has -out-> idle;
    has -begin-> sends;
    sends -end-> has;
}

component Station {
    states idle, has;
    init idle;
    idle -in-> has;
    has -out-> idle;
}

link pass(x, y) = <out(x) in(y)>;

Network() <- new b . (Bus(b), Rings(b));

Rings(b) <- new g . (Ring(g, b)) | new g . (Ring(g, b), Rings(b));

Ring(g, b) <- new x, z .
    <pass(g, x) + pass(z, g) + begin(g) seize(b) + end(g) yield(b)> (Gateway(g), Stations(x, z));

Stations(x, z) <-
    <pass(x, z)> (Station[has](x), Station(z))
  | new y . <pass(x, y)> (Station(x), Stations(y, z));

error collision = #sends >= 2;
error silent = #taken >= 1 & #sends == 0;
