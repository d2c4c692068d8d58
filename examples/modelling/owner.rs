// OWNERS: each variable is owned where its component is created, and borrowed elsewhere. Every desk
// owns a lamp, borrows the one switch, and lights up with its neighbour only.
//
// Answer: no lamp burns while the switch is off, and nothing gets stuck.

component Switch {
    states off, on;
    init off;
    final on;
    off -press-> on;
    on -current-> on;
}

component Lamp {
    states dark, lit;
    init dark;
    final lit;
    dark -light-> lit;
    lit -show-> lit;
}

House() <- new s, x . <press(s) + light(x) current(s)> (Switch(s), Row(x, s));

Row(x, s) <- new y . <show(x) light(y) current(s)> (Lamp(x), Row(y, s)) | (Lamp(x));

error glow = #lit >= 1 & #off >= 1;
