// A counter with a digit per component: the lamp at its end is lit after 2^n ticks.
//
// Answer: it gets stuck when the lamp is lit, and the lamp can be lit with any number of digits.
// With twelve (`#lit >= 1 & #zero >= 12`) a violation has 8,191 steps: `--max-states 60000` is too
// few.

component Clock {
    states on;
    init on;
    on -tick-> on;
}

component Digit {
    states zero, one, carry;
    init zero;
    zero -up-> one;
    one -up-> carry;
    carry -out-> zero;
}

component Lamp {
    states dark, lit;
    init dark;
    dark -up-> lit;
}

Main() <- new c, d . <tick(c) up(d)> (Clock(c), Digits(d));

Digits(d) <-
    new e . <out(d) up(e)> (Digit(d), Digits(e))
  | new e . <out(d) up(e)> (Digit(d), Lamp(e));

error short = #lit >= 1 & #Digit.zero >= 4;
