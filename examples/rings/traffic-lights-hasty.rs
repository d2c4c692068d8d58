// BROKEN: the traffic lights of traffic-lights.rs, by a programmer in a hurry.
//
//   red --get--> ready --> green --give--> amber --> red
//
// The right to be green is handed on at the end of the green phase instead of at the end of the
// amber phase, "because nobody may enter on amber". Those who have entered are still there.
//
// Error: crash (two streets see green or amber at once); deadlock.
// Answer: crash is violated at a junction of two streets: the first light gives the right away as
// it turns amber, the second turns green, and the first is amber still. Both greens at once stay
// impossible (greens). No deadlock: but a light on amber cannot get the right, it turns red first.

component Light {
    states red, ready, green, amber;
    init red;
    red -get-> ready;
    ready -> green;
    green -give-> amber;
    amber -> red;
}

link next(x, y) = <give(x) get(y)>;

Junction() <- new x, z . <next(z, x)> (Streets(x, z));

Streets(x, z) <-
    <next(x, z)> (Light(x), Light[ready](z))
  | new y . <next(x, y)> (Light(x), Streets(y, z));

error crash = #green + #amber >= 2;
error greens = #green >= 2;
