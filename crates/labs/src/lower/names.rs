//! Messages about names: unknown, defined twice.

use paramcheck_text::diagnostic::codes::labs::meaning as codes;
use paramcheck_text::diagnostic::{Code, Diagnostic};
use paramcheck_text::nearest::nearest;
use paramcheck_text::reading::Ident;

/// An unknown name, the one it is probably a slip of, or else those that are there.
pub(super) fn unknown<'n>(
    code: Code,
    what: &str,
    name: &Ident,
    known: impl Iterator<Item = &'n str> + Clone,
) -> Diagnostic {
    let message = format!("unknown {what} `{}`", name.text);
    let diagnostic = Diagnostic::new(code, message, name.span, "");
    if let Some(near) = nearest(&name.text, known.clone()) {
        return diagnostic.help(format!("did you mean `{near}`?"));
    }
    /// So many are listed.
    const MAX_LISTED: usize = 12;
    let mut listed: Vec<&str> = known.collect();
    listed.sort_unstable();
    listed.dedup();
    match listed.len() {
        0 => diagnostic.help(format!("there is no {what} here")),
        count @ 1..=MAX_LISTED => {
            let list = listed.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(", ");
            diagnostic.help(if count == 1 { format!("there is {list}") } else { format!("there are {list}") })
        }
        _ => diagnostic,
    }
}

/// Reports the names that were there before.
pub(super) fn duplicates<'n>(
    what: &str,
    names: impl IntoIterator<Item = &'n Ident>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut seen: Vec<&Ident> = Vec::new();
    for name in names {
        match seen.iter().find(|one| one.text == name.text) {
            Some(first) => diagnostics.push(
                Diagnostic::new(
                    &codes::DUPLICATE,
                    format!("{what} `{}` is defined twice", name.text),
                    name.span,
                    "again here",
                )
                .label(first.span, "first here"),
            ),
            None => seen.push(name),
        }
    }
}
