// BROKEN: cache-owner.rs with a short cut. A cache that urges is given the line at once, and the
// owner is only told to write it back; "it will do so soon".
//
//   Machine: the system.    Caches(d): the caches around the directory d.
//
// Errors: owners (two caches own the line), stale (the memory counts as up to date although some
// cache has modified the line), deadlock.
// Answer: owners is violated with two caches (three components): one fills, the other urges and
// gets a copy too. Then one of the two writes back, and the directory believes that the line is
// home while the other one goes on modifying it: stale. The second write-back will overwrite the
// first.

component Directory {
    states home, lent, recalling;
    init home;
    home -lend-> lent;
    lent -recall-> recalling;
    lent -restore-> home;
    recalling -restore-> home;
}

component Cache {
    states invalid, wanting, modified;
    init invalid;
    invalid -> wanting;
    wanting -urge-> modified;
    wanting -fill-> modified;
    modified -writeback-> invalid;
}

link bus(c, d) = <fill(c) lend(d) + urge(c) recall(d) + writeback(c) restore(d)>;

Machine() <- new d . (Directory(d), Caches(d));

Caches(d) <- new c . <bus(c, d)> (Cache(c)) | new c . <bus(c, d)> (Cache(c), Caches(d));

error owners = #modified >= 2;
error stale = #home >= 1 & #modified >= 1;
