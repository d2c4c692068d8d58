// The traffic lights of traffic-lights.rs with their errors written as formulas over sets.
//
//   red --get--> ready --> green --> amber --give--> red
//
//   Junction: the system.    Streets(x, z): the lights from x to z; the last one starts as ready.
//
// Errors: dark (every set of lights that has all the red ones has all there are: all are red),
// crash (some set of lights that are green or amber has two members), stuck (a deadlock in which no
// light is green).
// Answer: none happens. The right to go is never lost (trap) and never doubled (mutex).

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

error dark = wsks { all2 X: red sub X => X = Light };
error crash = wsks { ex2 G: (all1 x: x in G => x in green | x in amber) & ex1 x, y: x in G & y in G
    & x != y };
error stuck = deadlock & !wsks { ex1 x: x in green };
