use super::{Hash, Table, WIDTH, lines_for};

/// A table of these hashes, each with its place in the list as its position.
fn table_of(hashes: &[u64]) -> Table {
    let mut table = Table::new(lines_for(hashes.len()));
    for (position, &hash) in hashes.iter().enumerate() {
        let line = table.find(Hash(hash), |other| hashes[other] == hash).expect_err("it is not there yet");
        assert_eq!(line, table.free_line(Hash(hash)));
        table.put(line, Hash(hash), position);
    }
    table
}

#[test]
fn finds_what_was_put_and_nothing_else() {
    // Multiples of an odd number: all different, spread over lines and tags.
    let hashes: Vec<u64> = (1..=5000_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let table = table_of(&hashes);
    assert!(table.most() > hashes.len());
    for (position, &hash) in hashes.iter().enumerate() {
        assert_eq!(table.find(Hash(hash), |other| hashes[other] == hash), Ok(position));
    }
    for number in 5001..=9000_u64 {
        let hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        assert!(table.find(Hash(hash), |other| hashes[other] == hash).is_err());
    }
}

#[test]
fn goes_on_in_the_next_line_and_from_the_last_in_the_first() {
    // All belong into the last line; tags are 0 (taken for 1), 1, 2, … and the same again.
    let hashes: Vec<u64> =
        (0..3 * WIDTH as u64).map(|number| (0xffff_ffff << 32) | ((number % 20) << 10) | number).collect();
    let table = table_of(&hashes);
    assert_eq!(table.used.last(), Some(&(WIDTH as u8)));
    assert_eq!(table.used[..2], [WIDTH as u8; 2]);
    for (position, &hash) in hashes.iter().enumerate() {
        assert_eq!(table.find(Hash(hash), |other| hashes[other] == hash), Ok(position));
    }
}

#[test]
fn keeps_positions_of_24_bits() {
    let positions = [0, 1, 0xff, 0x100, 0xffff, 0x1_0000, 0xab_cdef, super::MAX_ENTRIES];
    let mut table = Table::new(1);
    for (tag, &position) in positions.iter().enumerate() {
        let hash = Hash((tag as u64 + 1) << 10);
        table.put(table.free_line(hash), hash, position);
    }
    for (tag, &position) in positions.iter().enumerate() {
        assert_eq!(table.find(Hash((tag as u64 + 1) << 10), |other| other == position), Ok(position));
    }
}
