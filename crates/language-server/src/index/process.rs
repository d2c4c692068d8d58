//! The names of a process or choreography.
//!
//! Here the words are enough: a name with a capital letter is a process, a name behind `check` a check, one
//! behind `@` a peer, every other an action. So names are known in a text that can't be read, too. An action
//! and its co-action are one name. Actions and peers are declared nowhere: they are defined where they first
//! occur.

use super::{Builder, Index, Kind};
use crate::words::{Word, WordKind};
use paramcheck_text::reading::Ident;

/// The index of a text with these words.
pub(crate) fn index(text: &str, words: &[Word]) -> Index {
    let mut builder = Builder::default();
    let mut is_check = false;
    let mut at = At::Nothing;
    for (position, word) in words.iter().enumerate() {
        let written = word.text(text);
        if word.kind == WordKind::Name {
            let name = Ident { text: written.to_owned(), span: word.span };
            let is_defined = words.get(position + 1).is_some_and(|next| next.text(text) == "=");
            if is_check && is_defined {
                builder.define(Kind::Check, "", &name);
            } else if at != At::Nothing {
                builder.mention(Kind::Peer, "", &name);
            } else if written.starts_with(char::is_uppercase) {
                builder.add(Kind::Definition, "", &name, is_defined);
            } else {
                builder.mention(Kind::Action, "", &name);
            }
        }
        at = match (written, at) {
            ("@", _) => At::One,
            ("[", At::One) | (",", At::List) => At::List,
            _ if at == At::List && word.kind == WordKind::Name => At::List,
            _ => At::Nothing,
        };
        is_check = written == "check" && word.kind == WordKind::Keyword;
    }
    builder.finish()
}

/// Whether peers stand here.
#[derive(Clone, Copy, PartialEq)]
enum At {
    Nothing,
    /// Behind `@`.
    One,
    /// Behind `@[`.
    List,
}
