// Cache coherence with a single owner: a memory line is either at home in the memory or lent to one
// of any number of caches, which may modify it. A directory keeps track.
//
//   cache:      invalid --> wanting --> modified --> invalid
//   directory:  home --> lent --> recalling --> home
//
// A cache that wants the line while it is lent makes the directory recall it; the owner writes it
// back (it may do so uncalled as well), and only then is it lent again.
//
//   Machine: the system.    Caches(d): the caches around the directory d.
//
// Errors: owners (two caches own the line), stale (the memory counts as up to date although some
// cache has modified the line), deadlock.
// Answer: none happens. { modified of every cache, home } holds exactly one token.

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
    wanting -urge-> wanting;
    wanting -fill-> modified;
    modified -writeback-> invalid;
}

link bus(c, d) = <fill(c) lend(d) + urge(c) recall(d) + writeback(c) restore(d)>;

Machine() <- new d . (Directory(d), Caches(d));

Caches(d) <- new c . <bus(c, d)> (Cache(c)) | new c . <bus(c, d)> (Cache(c), Caches(d));

error owners = #modified >= 2;
error stale = #home >= 1 & #modified >= 1;
