//! All integration tests, in one binary: one file per part under `suite/`.

mod suite {
    mod syntax;
}
