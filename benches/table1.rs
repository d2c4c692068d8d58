//! Whole-process time of each question of the paper's Table 1: `cargo bench --bench table1`.

mod measure;

use std::fs;
use std::path::Path;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/table1");
    let expected = fs::read_to_string(folder.join("expected.json")).expect("the cases are there");
    let expected: serde_json::Value = serde_json::from_str(&expected).expect("valid JSON");
    println!("{:<34} {:<10} {:>10}", "model", "error", "median ms");
    let mut times = Vec::new();
    for (model, errors) in expected.as_object().expect("an object") {
        let text = fs::read_to_string(folder.join(model)).expect("a model");
        for error in errors.as_object().expect("an object").keys() {
            let time = measure::median(15, &["-", "--error", error, "--quiet"], &text);
            println!("{model:<34} {error:<10} {:>10.1}", time.as_secs_f64() * 1e3);
            times.push(time);
        }
    }
    times.sort();
    let (middle, last) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{} questions: median {middle:.1?}, slowest {last:.1?}", times.len());
}
