// Traffic lights around a large junction: one light per street that enters it, any number of
// streets. The right to be green travels around the junction.
//
//   red --get--> ready --> green --> amber --give--> red
//
// A light that gets the right is first `ready` (still red), then turns green and amber by itself
// (transitions without a port are internal: nobody else takes part), and hands the right on only
// when its own street is red again.
//
//   Junction: the system.    Streets(x, z): neighbouring streets from x to z.
//
// Error: crash (two streets see green or amber at once); deadlock.
// Answer: neither happens. `ready`, `green` and `amber` of all lights hold one token together.
// See traffic-lights-hasty.rs for what happens if amber is forgotten.

component Light {
    states red, ready, green, amber;
    init red;
    red -get-> ready;
    ready -> green;
    green -> amber;
    amber -give-> red;
}

link next(x, y) = <give(x) get(y)>;

Junction() <- new x, z . <next(z, x)> (Streets(x, z));

Streets(x, z) <-
    <next(x, z)> (Light(x), Light[ready](z))
  | new y . <next(x, y)> (Light(x), Streets(y, z));

error crash = #green + #amber >= 2;
