//! Where the programs of others are.

use std::path::{Path, PathBuf};

/// The variable that names folders in which programs are looked for first.
const FOLDERS: &str = "PARAMCHECK_TOOLS";

/// The first of these programs that is there: each in the folders of `PARAMCHECK_TOOLS`, then of `PATH`.
pub(super) fn find(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = [FOLDERS, "PATH"]
        .into_iter()
        .filter_map(std::env::var_os)
        .flat_map(|list| std::env::split_paths(&list).collect::<Vec<_>>())
        // An empty entry would mean the current folder, which is the scratch folder later.
        .filter(|folder| !folder.as_os_str().is_empty())
        .collect();
    let all = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = all.into_iter().find(|path| is_program(path))?;
    // It is run from another folder.
    Some(std::path::absolute(&found).unwrap_or(found))
}

fn is_program(path: &Path) -> bool {
    let Ok(about) = std::fs::metadata(path) else { return false };
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let may_run = true;
    about.is_file() && may_run
}
