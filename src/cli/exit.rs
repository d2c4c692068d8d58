//! Exit codes: what the program answers to scripts.

use std::process::ExitCode;

/// How the program ended. Of several, the greatest is reported: the order is that of urgency.
///
/// The numbers are part of the interface and never change. 1 is kept for "no": an error reached, a
/// certificate refused, a file not formatted. 2 is also what the argument parser uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// The code that SLiVER would have, for `labs --sliver-exit`.
    OfSliver(u8),
    /// 0: every question was answered *proved*; the command did its work.
    AllProved,
    /// 3: nothing is violated, but some question is open.
    Unknown,
    /// 1: some error is reached by some instance; `certify`: the certificate is refused;
    /// `fmt --check`: some file is not in canonical form.
    Violated,
    /// 2: the call or an input file is wrong.
    InputError,
    /// 130: Ctrl-C, SIGTERM or SIGHUP.
    Interrupted,
    /// 101: the program refutes itself: a certificate that its checker refuses, a trace that can't be
    /// replayed. Also the code of a panic.
    Bug,
}

impl Exit {
    /// The number that the system sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::OfSliver(code) => code,
            Exit::AllProved => 0,
            Exit::Violated => 1,
            Exit::InputError => 2,
            Exit::Unknown => 3,
            Exit::Bug => 101,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}
