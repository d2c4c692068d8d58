//! The one test binary: everything that looks at the program from outside of a module.

mod suite {
    mod certificate;
    mod lower;
    mod support;
    mod syntax;
    mod verdicts;
}
