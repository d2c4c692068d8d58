use super::*;

/// A fresh folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("paramcheck-files-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn replacing_keeps_permissions_and_leaves_nothing_behind() {
    let folder = folder("replace");
    let path = folder.join("model.rs");
    fs::write(&path, "old").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    }
    replace(&path, "new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }
    assert_eq!(entries(&folder), 1);
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn replacing_follows_links() {
    let folder = folder("links");
    let (path, link) = (folder.join("model.rs"), folder.join("link.rs"));
    fs::write(&path, "old").unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    replace(&link, "new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_failed_replacement_changes_nothing() {
    let folder = folder("failed");
    let path = folder.join("taken");
    fs::create_dir(&path).unwrap();
    assert!(replace(&path, "new").is_err());
    assert!(replace(&folder.join("missing/model.rs"), "new").is_err());
    // The name that is written to first is taken: the old text must survive.
    let path = folder.join("model.rs");
    fs::write(&path, "old").unwrap();
    fs::create_dir(beside(&path).unwrap()).unwrap();
    assert!(replace(&path, "new").is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn links_to_nothing_yet_are_followed_and_circles_refused() {
    let folder = folder("dangling");
    let [link, middle, target] = ["link", "middle", "target"].map(|name| folder.join(name));
    std::os::unix::fs::symlink("middle", &link).unwrap();
    std::os::unix::fs::symlink(&target, &middle).unwrap();
    replace(&link, "new").unwrap();
    assert_eq!(fs::read_to_string(&target).unwrap(), "new");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let circle = folder.join("circle");
    std::os::unix::fs::symlink("circle", &circle).unwrap();
    assert!(replace(&circle, "new").is_err());
    assert!(fs::symlink_metadata(&circle).unwrap().is_symlink());
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn devices_are_written_to_not_replaced() {
    replace(Path::new("/dev/null"), "new").unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

fn refusal(bytes: &[u8]) -> (Diagnostic, Option<SourceFile>) {
    *decode("m.rs".into(), bytes.to_vec()).unwrap_err()
}

#[test]
fn bytes_that_are_no_utf8_are_pointed_at() {
    let (diagnostic, source) = refusal(b"system \xe9;\n");
    assert_eq!(diagnostic.message, "`m.rs` is not UTF-8: invalid byte at offset 7");
    let (source, span) = (source.unwrap(), diagnostic.labels[0].span);
    assert_eq!(&source.text[span.start..span.end], "\u{fffd}");
    assert_eq!(source.line_column(span.start), (1, 8));
    let (diagnostic, _) = refusal(b"\xff\xfes\0y\0");
    assert!(diagnostic.help.unwrap().contains("UTF-16"));
}

#[test]
fn a_byte_order_mark_is_no_text() {
    assert_eq!(decode("m.rs".into(), b"\xef\xbb\xbfsystem".to_vec()).unwrap().0.text, "system");
}

#[test]
fn reading_ends_at_the_limit() {
    let folder = folder("limit");
    let path = folder.join("model.rs");
    fs::write(&path, "12345").unwrap();
    assert_eq!(read(&path, 5).unwrap().text, "12345");
    assert_eq!(read(&path, 4).unwrap_err().0.code, &codes::TOO_LARGE);
    assert_eq!(read(&folder, 4).unwrap_err().0.code, &codes::UNREADABLE);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn names_show_no_control_characters() {
    assert_eq!(name(Path::new("a\x1b[31m\n.rs")), "a\\u{1b}[31m\\n.rs");
    assert_eq!(name(Path::new("-")), "<stdin>");
    assert_eq!(name(Path::new("größe.rs")), "größe.rs");
}

#[test]
fn a_misspelt_command_is_suggested() {
    let (diagnostic, _) = *read(Path::new("certfy"), 1).unwrap_err();
    assert!(diagnostic.help.unwrap().contains("paramcheck certify"));
    let (diagnostic, _) = *read(Path::new("fmt"), 1).unwrap_err();
    assert!(diagnostic.help.unwrap().contains("comes first"));
}
