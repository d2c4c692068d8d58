//! The explorer against Spin's compiled verifier and the crate `stateright`:
//! `cargo bench -p paramcheck-bench --bench explore`.
//!
//! The same nets, whole state spaces, one thread each, and the same number of states, which is checked. Spin
//! (Debian packages `spin` and `gcc`; left out where they are missing) gets one process whose options are the
//! transitions, each one `d_step`; once with a byte per component and once with as many bits as it needs, and
//! the quicker one counts. `stateright` gets the packed state in one word. What is reported is processor
//! time, for the machine may be shared: the least of several runs, taken in turns (what is short is run more
//! often, for ours and `stateright` alike). `EXPLORE_LARGEST=1` also looks for the largest philosophers that
//! fit in 8 GiB.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark is a program of its own"
)]

use std::fmt::Write;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

use paramcheck_model::error::ErrorFormula;
use paramcheck_model::lower::load;
use paramcheck_model::system::System;
use paramcheck_nets::explore::engine::{End, SearchOptions};
use paramcheck_nets::explore::search::{NetExploration, Reduction, explore_net};
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::unfold::unfold;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;
use rustix::time::{ClockId, clock_gettime};
use stateright::{Checker, Model, Property};

const RUNS: usize = 5;
/// What takes less time than this, in seconds, is run several times each turn.
const SHORT: f64 = 0.01;
/// Spin's runs that take less time than this, in seconds, are mostly the start of a process: no ratio is
/// printed.
const MIN_COMPARED: f64 = 0.5;
/// Larger state spaces are not given to the others.
const MAX_STATES_FURTHER: usize = 2_000_000;

const PHILOSOPHERS: &str = include_str!("../examples/philosophers/alt-philo-sym.rs");
const STAR_RING: &str = include_str!("../examples/hierarchies/star-ring.rs");
const TREE: &str = include_str!("../examples/trees/two-phase-commit.rs");

fn main() {
    let philosophers = (8..=18).step_by(2).map(|count| ("philosophers", PHILOSOPHERS, 2 * count));
    let star_rings = [20, 30].map(|size| ("star-ring", STAR_RING, size));
    let two_phase = [9, 11, 13, 15, 17].map(|size| ("two-phase commit", TREE, size));
    println!(
        "| instance | bits | states | transitions | ours: ms | states/s | bytes/state | Spin: ms | stateright: ms |"
    );
    for (name, text, size) in philosophers.chain(star_rings).chain(two_phase) {
        let system = load(text).system.expect("the model has a meaning");
        let tree = trees(&system, size).next().expect("there is an instance");
        let net = unfold(&system, &tree);
        row(&format!("{name}, {size} components"), &system, &net);
    }
    if std::env::var_os("EXPLORE_LARGEST").is_some() {
        largest();
    }
}

/// Measures one instance.
fn row(name: &str, system: &System, net: &Net) {
    let (mut ours, mut spin, mut stateright) = (f64::MAX, None::<f64>, None::<f64>);
    let found = explore(system, net, usize::MAX);
    let others = found.states <= MAX_STATES_FURTHER;
    let spins =
        if others { [false, true].map(|packs| Spin::compile(name, net, packs)) } else { [None, None] };
    for _ in 0..RUNS {
        ours = ours.min(least_time(|| assert_eq!(explore(system, net, usize::MAX).states, found.states)));
        for verifier in spins.iter().flatten() {
            let (states, seconds) = verifier.run(found.states);
            assert_eq!(states, found.states, "Spin: {name}");
            spin = Some(spin.map_or(seconds, |least| least.min(seconds)));
        }
        if others {
            let seconds = least_time(|| {
                let checker = Packed::new(net).checker().threads(1).spawn_bfs().join();
                assert_eq!(checker.unique_state_count(), found.states, "stateright: {name}");
            });
            stateright = Some(stateright.map_or(seconds, |least| least.min(seconds)));
        }
    }
    let other = |seconds: Option<f64>, compared: f64| match seconds {
        Some(seconds) if seconds >= compared => {
            format!("{:.1} ({:.0}×)", seconds * 1e3, seconds / ours)
        }
        Some(seconds) => format!("{:.1}", seconds * 1e3),
        None => "–".to_owned(),
    };
    println!(
        "| {name} | {} | {} | {} | {:.1} | {:.1} M | {:.1} | {} | {} |",
        found.bits,
        found.states,
        found.transitions,
        ours * 1e3,
        found.states as f64 / ours / 1e6,
        found.peak_bytes as f64 / found.states as f64,
        other(spin, MIN_COMPARED),
        other(stateright, 0.0),
    );
}

fn explore(system: &System, net: &Net, max_states: usize) -> NetExploration {
    // Spin and stateright look for dead states too.
    let options = SearchOptions { max_states, ..SearchOptions::default() };
    let errors = [&ErrorFormula::Deadlock];
    explore_net(system, net, &errors, Reduction::default(), &options, &Budget::unlimited())
}

/// The least of one or several runs.
fn least_time(work: impl Fn()) -> f64 {
    let (mut least, mut all) = (f64::MAX, 0.0);
    while all < SHORT {
        let seconds = cpu_time(&work);
        least = least.min(seconds);
        all += seconds;
    }
    least
}

/// Processor time of this process, all its threads, in seconds, that `work` takes.
fn cpu_time(work: impl FnOnce()) -> f64 {
    let used = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    };
    let before = used();
    work();
    used() - before
}

/// A net for `stateright`: all components in one word.
struct Packed {
    initial: u64,
    /// Mask, value, what changes.
    transitions: Vec<(u64, u64, u64)>,
}

impl Packed {
    fn new(net: &Net) -> Self {
        let mut shifts = Vec::new();
        let mut used = 0;
        for component in net.components() {
            shifts.push(used);
            used += usize::BITS - (component.state_count - 1).leading_zeros();
        }
        shifts.push(used);
        assert!(used <= 64, "it must fit in a word");
        let field = |component: usize| {
            ((1_u64 << (shifts[component + 1] - shifts[component])) - 1) << shifts[component]
        };
        let initial = net.components().enumerate();
        let initial =
            initial.map(|(id, component)| (component.initial.index() as u64) << shifts[id.index()]).sum();
        let transitions = net.transitions().iter().map(|transition| {
            transition.moves.iter().fold((0, 0, 0), |(mask, value, change), m| {
                let (component, shift) = (m.component.index(), shifts[m.component.index()]);
                let (from, to) = (m.from.index() as u64, m.to.index() as u64);
                (mask | field(component), value | from << shift, change | (from ^ to) << shift)
            })
        });
        Packed { initial, transitions: transitions.collect() }
    }
}

impl Model for Packed {
    type State = u64;
    type Action = usize;

    fn init_states(&self) -> Vec<u64> {
        vec![self.initial]
    }

    fn actions(&self, state: &u64, actions: &mut Vec<usize>) {
        let enabled = self.transitions.iter().enumerate();
        actions
            .extend(enabled.filter(|(_, (mask, value, _))| state & mask == *value).map(|(number, _)| number));
    }

    fn next_state(&self, state: &u64, action: usize) -> Option<u64> {
        Some(state ^ self.transitions[action].2)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        // Never violated, so that everything is explored.
        vec![Property::always("anything", |_, _| true)]
    }
}

/// A verifier compiled by Spin.
struct Spin {
    folder: std::path::PathBuf,
}

impl Spin {
    /// `None` where Spin or the compiler is missing.
    fn compile(name: &str, net: &Net, packs: bool) -> Option<Spin> {
        let file =
            format!("paramcheck-spin-{}-{packs}-{}", name.replace([' ', ','], "-"), std::process::id());
        let folder = std::env::temp_dir().join(file);
        fs::create_dir_all(&folder).expect("a folder for temporary files");
        let spin = Spin { folder };
        fs::write(spin.folder.join("net.pml"), promela(net, packs)).expect("the file can be written");
        spin.call("spin", &["-a", "net.pml"])?;
        let gcc = ["-O2", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=8000", "-o", "pan", "pan.c"];
        spin.call("gcc", &gcc)?;
        Some(spin)
    }

    fn call(&self, program: &str, arguments: &[&str]) -> Option<()> {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.folder).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().ok()?.success().then_some(())
    }

    /// The number of states stored, and the processor time.
    fn run(&self, states: usize) -> (usize, f64) {
        // Dead states are looked for but do not end the search. The table and the stack are large enough at
        // once and no larger, so that what is measured is the search.
        let lines = (2 * states).next_power_of_two().ilog2().max(10);
        let script = format!("TIMEFORMAT='%3U %3S'; time ./pan -E -m{} -w{lines}", states + 10);
        let output = Command::new("bash").args(["-c", &script]).current_dir(&self.folder).output();
        let output = output.expect("bash runs");
        let (text, times) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let stored = text.lines().find_map(|line| line.trim().strip_suffix(" states, stored"));
        let states = stored.expect("a number of states").trim().parse().expect("a number");
        let seconds = times.split_whitespace().map(|time| time.parse::<f64>().expect("a time"));
        (states, seconds.sum())
    }
}

impl Drop for Spin {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn promela(net: &Net, packs: bool) -> String {
    let mut text = String::new();
    for (id, component) in net.components().enumerate() {
        let bits = (usize::BITS - (component.state_count - 1).leading_zeros()).max(1);
        let kind = if packs {
            format!("unsigned c{} : {bits}", id.index())
        } else {
            format!("byte c{}", id.index())
        };
        let _ = writeln!(text, "{kind} = {};", component.initial.index());
    }
    text += "active proctype net() {\n  do\n";
    for transition in net.transitions() {
        let guards =
            transition.moves.iter().map(|m| format!("c{} == {}", m.component.index(), m.from.index()));
        let effects = transition.moves.iter().filter(|m| m.from != m.to);
        let effects: String =
            effects.map(|m| format!("; c{} = {}", m.component.index(), m.to.index())).collect();
        let _ = writeln!(text, "  :: d_step {{ {}{effects} }}", guards.collect::<Vec<_>>().join(" && "));
    }
    text + "  od\n}\n"
}

/// The most philosophers whose states fit in 8 GiB.
fn largest() {
    let system = load(PHILOSOPHERS).system.expect("the model has a meaning");
    for count in 21.. {
        let tree = trees(&system, 2 * count).next().expect("there is an instance");
        let net = unfold(&system, &tree);
        let options = SearchOptions { memory: Some(8 << 30), ..SearchOptions::default() };
        let start = Instant::now();
        let found = explore_net(
            &system,
            &net,
            &[&ErrorFormula::Deadlock],
            Reduction::default(),
            &options,
            &Budget::unlimited(),
        );
        println!(
            "{count} philosophers: {:?}, {} states, {} bits, {:.2} GiB, {:.0} s",
            found.end,
            found.states,
            found.bits,
            found.peak_bytes as f64 / f64::from(1 << 30),
            start.elapsed().as_secs_f64(),
        );
        if found.end != End::Exhausted {
            break;
        }
    }
}
