//! Pictures as two programs draw them that share no code: every text can be read in both.
//!
//! `rsvg-convert` (librsvg) and `cairosvg` differ in what they know of SVG: what only one of them knows must
//! not be needed.

use std::fs;
use std::path::Path;

use paramcheck::picture::{self, View};
use paramcheck_nets::instance::unfold::unfold;
use roxmltree::Document;

use super::labels::area;
use super::{everything, examples, number, of_size, texts, walk};
use crate::suite::support::case;
use crate::suite::support::tools::{Scratch, program};

/// How much larger than it says a picture is drawn.
const ZOOM: f64 = 2.0;

/// The brightness of each pixel from 0 to 255, line by line, with the width of a line.
fn pixels(path: &Path) -> (Vec<u8>, usize) {
    let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut data = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut data).unwrap();
    let samples = info.color_type.samples();
    assert!(samples >= 3, "{path:?}: {:?}", info.color_type);
    let bright = |pixel: &[u8]| ((u32::from(pixel[0]) + u32::from(pixel[1]) + u32::from(pixel[2])) / 3) as u8;
    let pixels = data[..info.buffer_size()].chunks(samples).map(bright).collect();
    (pixels, info.width as usize)
}

/// How many dark pixels each text of a picture has, as `reader` draws it.
fn dark(folder: &Path, reader: &str, text: &str) -> Vec<(String, usize)> {
    let (from, to) = (folder.join("picture.svg"), folder.join(format!("{reader}.png")));
    fs::write(&from, text).unwrap();
    let zoom = if reader == "cairosvg" { "--scale" } else { "--zoom" };
    let mut command = program(reader);
    let output = command.args([zoom, &ZOOM.to_string(), "--output"]).arg(&to).arg(&from).output().unwrap();
    assert!(output.status.success(), "{reader}: {}", String::from_utf8_lossy(&output.stderr));
    let (pixels, width) = pixels(&to);
    let document = Document::parse(text).unwrap();
    let root = document.root_element();
    let frame: Vec<f64> =
        root.attribute("viewBox").unwrap().split(' ').map(|one| one.parse().unwrap()).collect();
    assert!((width as f64 - number(root, "width") * ZOOM).abs() < 2.0, "{reader}: {width} pixels");
    let mut found = Vec::new();
    for text in texts(&document) {
        // Pictures of several types are moved as a whole.
        if text.ancestors().any(|above| above.attribute("transform").is_some()) {
            continue;
        }
        let [left, top, right, bottom] = area(&text);
        let scaled = |value: f64, origin: f64| ((value - origin) * ZOOM).max(0.0) as usize;
        let rows = scaled(top, frame[1])..scaled(bottom, frame[1]);
        let columns = scaled(left, frame[0])..scaled(right, frame[0]);
        let count = rows
            .flat_map(|row| columns.clone().map(move |column| row * width + column))
            .filter(|pixel| pixels.get(*pixel).is_some_and(|bright| *bright < 150))
            .count();
        found.push((text.text().unwrap_or_default().to_owned(), count));
    }
    found
}

/// Some pictures of each kind.
fn pictures() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, system, tree) in examples().into_iter().step_by(6) {
        let net = unfold(&system, &tree);
        let view = View::default();
        let architecture = picture::architecture(&system, &tree, &net, &net.initial(), &view).unwrap();
        found.push((format!("{name}, architecture"), architecture));
        found.push((
            format!("{name}, trace"),
            picture::sequence(&system, &net, &walk(&net, 4), &view).unwrap(),
        ));
    }
    let star = case("table1/star.rs");
    let (tree, net) = of_size(&star, 41);
    for (name, view) in [("a star", View::default()), ("all of a star", everything())] {
        let text = picture::architecture(&star, &tree, &net, &net.initial(), &view).unwrap();
        found.push((name.to_owned(), text));
    }
    found
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs rsvg-convert and cairosvg: PARAMCHECK_LONG=1")]
fn texts_can_be_read_in_two_readers() {
    let scratch = Scratch::new();
    let folder = scratch.path();
    let mut count = 0;
    for (name, text) in pictures() {
        // The characters of most fonts: for others a reader may have none.
        let usual = |word: &str| word.chars().filter(char::is_ascii_alphanumeric).count();
        let one = dark(folder, "rsvg-convert", &text);
        let other = dark(folder, "cairosvg", &text);
        assert_eq!(one.len(), other.len(), "{name}");
        for ((word, first), (_, second)) in one.into_iter().zip(other) {
            let least = 10 * usual(&word);
            let shown = format!("{name}: `{word}` has {first} and {second} dark pixels");
            assert!(first >= least && second >= least, "{shown}");
            assert!(first <= second * 2 + 20 && second <= first * 2 + 20, "{shown}");
            count += 1;
        }
    }
    assert!(count > 300, "{count}");
}
