//! Work on all elements of a slice, by several threads.

use std::sync::{Mutex, PoisonError};

/// Calls `work` on each of `items` once, by up to `threads` threads that take the next item when they are
/// done with one. What is done to an item must not depend on the order.
pub(super) fn each<T: Send>(threads: usize, items: &mut [T], work: impl Fn(&mut T) + Sync) {
    let threads = threads.min(items.len());
    if threads <= 1 {
        return items.iter_mut().for_each(work);
    }
    let queue = Mutex::new(items.iter_mut());
    let take = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some(item) = take() {
            work(item);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Where no more threads are to be had, those there are do it.
            if std::thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
}
