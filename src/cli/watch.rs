//! What watches a run from outside: Ctrl-C and its like, the memory limit, and the line that shows progress.
//!
//! [`Interrupt`] is installed once; its flag is read by whatever runs. [`Watch::run`] runs one question,
//! where memory is limited or progress shown with a thread beside it that flips the question's switch when it
//! must end and draws progress; the thread ends with the question. Resident memory is read from the system,
//! for the standard library does not know it, and an allocator that counts would have to be `unsafe`.
//!
//! Rejected: `indicatif` for progress. It would bring four packages and a thread of its own beside the one
//! that watches memory, and replace seven lines: phases and counts are ours either way, and there is no total
//! for a bar.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use clap::error::ErrorKind;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{SigId, flag, low_level};

use paramcheck::report::text;
use paramcheck_text::limits::{Budget, Phase, Stop};

use super::Failure;
use super::args::LimitArguments;
use super::exit::Exit;

/// How often memory is read.
const POLL: Duration = Duration::from_millis(10);
/// Which part of the memory limit there may be on top of it for evidence about what was found.
const EVIDENCE: u64 = 2;
/// How often progress is drawn, and when first.
const DRAW: Duration = Duration::from_millis(100);
const FIRST_DRAW: Duration = Duration::from_millis(500);

/// The exit code of an interrupted program, as the system has it.
fn exit_code() -> i32 {
    i32::from(Exit::Interrupted.code())
}

/// Whether the user pressed Ctrl-C, or another process ends this one (SIGTERM, SIGHUP).
#[derive(Clone, Default)]
pub(super) struct Interrupt {
    /// The next press ends the program at once: nothing is being decided yet, or it was pressed before.
    is_final: Arc<AtomicBool>,
    /// Nothing is being decided yet.
    is_idle: Arc<AtomicBool>,
    /// One of these signals came; what [`Interrupt::defer`] looks at.
    has_come: Arc<AtomicBool>,
    /// One of these signals came, ever.
    has_ever_come: Arc<AtomicBool>,
    /// SIGTERM or SIGHUP came, ever: another process ends this one.
    has_been_ended: Arc<AtomicBool>,
    /// A signal ended the wait for a text: the document at the end says so.
    has_cut_input: Arc<AtomicBool>,
    /// What sets `is_final` when a signal comes.
    setters: Arc<Mutex<Vec<(i32, SigId)>>>,
}

/// The one of this process: signals belong to processes.
static INSTALLED: OnceLock<Interrupt> = OnceLock::new();

/// Whether the wait for a text is reported on in a document when a signal ends it.
static REPORTS_WAITS: AtomicBool = AtomicBool::new(false);

impl Interrupt {
    /// Catches Ctrl-C, SIGTERM and SIGHUP from now on. As long as nothing is being decided
    /// ([`Interrupt::start`]) they end the program at once, as usual; then the first requests the end. A
    /// second Ctrl-C forces it. The other signals never do: session and service managers send them in pairs,
    /// and tools that run would be left behind.
    pub(super) fn install() -> Self {
        INSTALLED.get_or_init(Interrupt::set_handlers).clone()
    }

    fn set_handlers() -> Self {
        let interrupt = Interrupt::default();
        let Interrupt { is_final, is_idle, has_come, has_ever_come, has_been_ended, setters, .. } =
            &interrupt;
        is_final.store(true, Ordering::SeqCst);
        is_idle.store(true, Ordering::SeqCst);
        let mut setters = setters.lock().unwrap_or_else(PoisonError::into_inner);
        for (signal, forces) in [(SIGINT, is_final), (SIGTERM, is_idle), (SIGHUP, is_idle)] {
            if signal == SIGHUP && is_ignored(SIGHUP) {
                continue;
            }
            // In this order: each press finds the flag as the one before left it. Where no handler can be
            // set, the signal keeps its usual effect.
            if flag::register_conditional_shutdown(signal, exit_code(), Arc::clone(forces)).is_ok() {
                let _ = flag::register(signal, Arc::clone(has_come));
                let _ = flag::register(signal, Arc::clone(has_ever_come));
                if signal != SIGINT {
                    let _ = flag::register(signal, Arc::clone(has_been_ended));
                }
                let setter = flag::register(signal, Arc::clone(is_final));
                setters.extend(setter.ok().map(|setter| (signal, setter)));
            }
        }
        drop(setters);
        interrupt
    }

    /// Does `work` to its end, whatever signals come; where they would have ended the program, they end it
    /// afterwards. For work of a moment that must not be left half done.
    pub(super) fn defer<T>(work: impl FnOnce() -> T) -> T {
        match INSTALLED.get() {
            Some(interrupt) => interrupt.deferring(work),
            None => work(),
        }
    }

    fn deferring<T>(&self, work: impl FnOnce() -> T) -> T {
        let mut setters = self.setters.lock().unwrap_or_else(PoisonError::into_inner);
        self.has_come.store(false, Ordering::SeqCst);
        // Else a signal would let the next one end the program. What ends it stays registered, and finds
        // both flags down.
        for (_, setter) in setters.iter() {
            low_level::unregister(*setter);
        }
        let was_final = self.is_final.swap(false, Ordering::SeqCst);
        let was_idle = self.is_idle.swap(false, Ordering::SeqCst);
        let result = work();
        for (signal, setter) in setters.iter_mut() {
            if let Ok(new) = flag::register(*signal, Arc::clone(&self.is_final)) {
                *setter = new;
            }
        }
        self.is_final.store(was_final, Ordering::SeqCst);
        self.is_idle.store(was_idle, Ordering::SeqCst);
        if self.has_come.load(Ordering::SeqCst) {
            if was_idle {
                low_level::exit(exit_code());
            }
            self.is_final.store(true, Ordering::SeqCst);
        }
        result
    }

    /// From now on there may be findings to lose.
    pub(super) fn start(&self) {
        self.is_idle.store(false, Ordering::SeqCst);
        // Of a call that was interrupted before, nothing is decided any more.
        self.is_final.store(self.has_cut_input(), Ordering::SeqCst);
    }

    /// From now on a document is printed at the end, also where a signal ends the wait for a text.
    pub(super) fn report_waits() {
        REPORTS_WAITS.store(true, Ordering::SeqCst);
    }

    /// Waits by `wait`, which looks at [`Interrupt::is_pressed`] and gives up with `Interrupted`. Where no document
    /// is printed, a signal keeps its usual effect.
    pub(super) fn while_waiting<T>(wait: impl FnOnce(Option<&Interrupt>) -> io::Result<T>) -> io::Result<T> {
        let Some(interrupt) = INSTALLED.get().filter(|_| REPORTS_WAITS.load(Ordering::SeqCst)) else {
            return wait(None);
        };
        if interrupt.has_cut_input() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let was_idle = interrupt.is_idle.load(Ordering::SeqCst);
        if was_idle {
            interrupt.start();
        }
        let result = wait(Some(interrupt));
        if result.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::Interrupted) {
            interrupt.has_cut_input.store(true, Ordering::SeqCst);
        }
        if was_idle {
            interrupt.is_idle.store(true, Ordering::SeqCst);
            let is_pressed = interrupt.is_final.swap(true, Ordering::SeqCst);
            // One that came at the last moment.
            interrupt.has_cut_input.fetch_or(is_pressed, Ordering::SeqCst);
        }
        result
    }

    /// Whether a signal ended the wait for a text.
    pub(super) fn has_cut_input(&self) -> bool {
        self.has_cut_input.load(Ordering::SeqCst)
    }

    /// The one that is installed.
    pub(super) fn installed() -> Option<&'static Interrupt> {
        INSTALLED.get()
    }

    /// Whether Ctrl-C was pressed, or another of these signals came, before or after the start.
    pub(super) fn has_ever_come(&self) -> bool {
        self.has_ever_come.load(Ordering::SeqCst)
    }

    /// Whether one of these signals came that is not Ctrl-C.
    pub(super) fn has_been_ended(&self) -> bool {
        self.has_been_ended.load(Ordering::SeqCst)
    }

    /// Whether Ctrl-C was pressed, or another of these signals came, since the start.
    pub(super) fn is_pressed(&self) -> bool {
        self.is_final.load(Ordering::SeqCst)
    }
}

/// Whether this program was started with a signal ignored, as `nohup` does, where that is known.
fn is_ignored(signal: i32) -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// Limits and progress of a whole call.
pub(super) struct Watch {
    /// Ctrl-C and its like.
    pub interrupt: Interrupt,
    /// When the call began.
    pub begin: Instant,
    /// When the call must end.
    pub deadline: Option<Instant>,
    /// How much memory the process may use, in bytes.
    pub memory: Option<u64>,
    /// Whether to draw progress.
    pub shows_progress: bool,
}

impl Watch {
    /// What keeps `limits`, counted from `begin`.
    pub(super) fn new(
        interrupt: Interrupt,
        begin: Instant,
        limits: &LimitArguments,
        shows_progress: bool,
    ) -> Self {
        Watch {
            interrupt,
            begin,
            deadline: limits.deadline(begin),
            memory: limits.memory_bytes(),
            shows_progress,
        }
    }

    /// How much time each of `open` questions may take that are still to be answered; `None` without a limit.
    pub(super) fn share(&self, open: usize) -> Option<Duration> {
        let left = self.deadline?.saturating_duration_since(Instant::now());
        Some(left / u32::try_from(open.max(1)).unwrap_or(u32::MAX))
    }

    /// Runs `work` with a budget that ends it as the limits say. `title` names it in the progress line.
    pub(super) fn run<T>(&self, title: &str, work: impl FnOnce(Budget) -> T) -> T {
        let interrupted = Arc::clone(&self.interrupt.is_final);
        let (begin, deadline) = (Some(self.begin), self.deadline);
        let budget = Budget { begin, deadline, interrupted, ..Budget::default() };
        // Full memory also ends the questions that follow, before they begin.
        self.check(&budget, &mut None);
        // A thread costs a small question a tenth of its time.
        if self.memory.is_none() && !self.shows_progress {
            return work(budget);
        }
        let done = Signal::default();
        std::thread::scope(|scope| {
            let watched = budget.clone();
            let done = &done;
            let spawned =
                std::thread::Builder::new().spawn_scoped(scope, move || self.stand_by(title, &watched, done));
            let guard = SetOnDrop(done);
            let result = work(budget);
            drop(guard);
            // Without a thread there is no progress and no memory limit, but an answer.
            if let Ok(thread) = spawned {
                let _ = thread.join();
            }
            result
        })
    }

    fn stand_by(&self, title: &str, budget: &Budget, done: &Signal) {
        let begin = Instant::now();
        let mut next_draw = FIRST_DRAW;
        let mut is_drawn = false;
        let mut most = None;
        while !done.wait(POLL) {
            self.check(budget, &mut most);
            if self.shows_progress && begin.elapsed() >= next_draw {
                next_draw = begin.elapsed() + DRAW;
                is_drawn = true;
                draw(&line(title, budget, begin.elapsed()));
            }
        }
        if is_drawn {
            draw("");
        }
    }

    /// Flips switches when memory is full. `most` is what may be in use for evidence, once that is known: as
    /// much as there was when memory was full, and a part of the limit on top of it.
    fn check(&self, budget: &Budget, most: &mut Option<u64>) {
        let Some((limit, used)) = self.memory.and_then(|limit| Some((limit, resident_memory()?))) else {
            return;
        };
        if used >= limit {
            budget.switch.stop(Stop::Memory);
            let most = *most.get_or_insert(used.saturating_add(limit / EVIDENCE));
            if used >= most {
                budget.last_switch.stop(Stop::Memory);
            }
        }
    }
}

/// Signals the end of a run to a thread that waits for it.
#[derive(Default)]
struct Signal {
    is_set: Mutex<bool>,
    changed: Condvar,
}

impl Signal {
    fn set(&self) {
        *self.is_set.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    /// Waits until it is set, but no longer than `timeout`; whether it is set.
    fn wait(&self, timeout: Duration) -> bool {
        let is_set = self.is_set.lock().unwrap_or_else(PoisonError::into_inner);
        let result = self.changed.wait_timeout_while(is_set, timeout, |is_set| !*is_set);
        *result.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// Ends the watching thread even where the work panics; the scope would wait for it for ever.
struct SetOnDrop<'a>(&'a Signal);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// The progress line: `ring.rs: exclusion: exploring, 12,345 states, 3.2 s`.
fn line(title: &str, budget: &Budget, elapsed: Duration) -> String {
    let (phase, count) = budget.progress.get();
    let (what, noun) = match phase {
        Phase::Starting => ("starting", ""),
        Phase::Proving => ("proving", "configuration"),
        Phase::Certifying => ("checking the proof", ""),
        Phase::Exploring => ("exploring", "state"),
        Phase::Listing => ("listing", "instance"),
        Phase::Asking => ("asking", "answer"),
    };
    let count = match usize::try_from(count) {
        Ok(count) if count > 0 && !noun.is_empty() => format!(", {}", text::plural(count, noun)),
        _ => String::new(),
    };
    let line = format!("{title}: {what}{count}, {:.1} s", elapsed.as_secs_f64());
    // A line that wraps could not be rewritten; 79 columns fit everywhere.
    line.chars().take(79).collect()
}

/// Rewrites the last line of the terminal.
fn draw(line: &str) {
    let mut error = std::io::stderr().lock();
    let _ = write!(error, "\r\x1b[K{line}");
    let _ = error.flush();
}

/// Refuses `--memory-limit` where it could not be kept.
pub(super) fn refuse_memory_limit(limit: Option<u64>) -> Result<(), Failure> {
    if limit.is_none() || resident_memory().is_some() {
        return Ok(());
    }
    let message = "--memory-limit does not work here: this system does not tell how much memory is in use";
    Err(Failure::misuse(ErrorKind::InvalidValue, message))
}

/// The bytes of memory that this process has in use, where that is known.
pub(super) fn resident_memory() -> Option<u64> {
    // `status` counts in kB; `statm` in pages, whose size would have to be found out.
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests;
