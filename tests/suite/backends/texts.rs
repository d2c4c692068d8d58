//! The programs for Spin and NuSMV as texts.

use paramcheck_emulation::process::encode;
use paramcheck_emulation::program::Program;
use paramcheck_emulation::question::Question;
use paramcheck_emulation::writers::NotWritable;
use paramcheck_emulation::writers::promela::promela;
use paramcheck_emulation::writers::smv::smv;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_process::{Language, load};
use paramcheck_text::limits::Budget;

const SCHEDULES: [Schedule; 4] =
    [Schedule::Any, Schedule::RoundRobin, Schedule::WeaklyFair, Schedule::StronglyFair];

/// Both texts of a check of a system.
fn texts(model: &str, check: &str, schedule: Schedule) -> [String; 2] {
    let system = load(model, Language::Ccs).system.unwrap();
    let structure = encode(&system, &Budget::unlimited()).unwrap();
    let question = Question::of_check(system.check_named(check).unwrap()).unwrap();
    let program = Program { model: "model.ccs", structure: &structure, question: &question, schedule };
    let refused = Err(NotWritable::OneProcess);
    let promela = promela(&program, &Budget::unlimited());
    // Spin is not queried about fairness.
    let promela = if promela == refused { String::new() } else { promela.unwrap() };
    [promela, smv(&program, &Budget::unlimited()).unwrap()]
}

#[test]
fn they_can_be_read() {
    let model = include_str!("../../../examples/ccs/2pc.ccs");
    let [promela, smv] = texts(model, "no_surprise", Schedule::Any);
    insta::assert_snapshot!("promela", promela);
    insta::assert_snapshot!("smv", smv);
    // An agent that forks and joins, turns, and a question about all runs.
    let model = "A = a.(b.0 | c.0); d.A; B = 'd.B; system A | B; check d = eventually did 'd;";
    let [promela, smv] = texts(model, "d", Schedule::RoundRobin);
    insta::assert_snapshot!("promela_in_turns", promela);
    insta::assert_snapshot!("smv_in_turns", smv);
    insta::assert_snapshot!("smv_strongly_fair", texts(model, "d", Schedule::StronglyFair)[1]);
}

#[test]
fn they_are_linear() {
    let model = |cells: usize| {
        let cell = |number: usize| {
            let next = (number + 1) % cells;
            format!("C{number} = t{number}.(a{number}.0 | b.0); 't{next}.C{number};\n")
        };
        let cells_text: String = (0..cells).map(cell).collect();
        let names: Vec<String> = (0..cells).map(|number| format!("C{number}")).collect();
        format!(
            "{cells_text}system {};\ncheck one = eventually (did b & can t1 | terminated); check deadlock;",
            names.join(" | ")
        )
    };
    for check in ["one", "deadlock"] {
        for schedule in SCHEDULES {
            let sizes =
                [20, 40, 80].map(|cells| texts(&model(cells), check, schedule).map(|text| text.len()));
            let is_fair = matches!(schedule, Schedule::WeaklyFair | Schedule::StronglyFair);
            assert_eq!(sizes[0][0] == 0, is_fair && check == "one");
            for language in usize::from(sizes[0][0] == 0)..2 {
                let [small, middle, large] = sizes.map(|sizes| sizes[language] as f64);
                // Twice as much, but that numbers become longer.
                assert!(middle / small < 2.2 && large / middle < 2.2, "{check}, {schedule:?}: {sizes:?}");
            }
        }
    }
}
