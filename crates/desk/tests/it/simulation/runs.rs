//! Runs worlds: each in a thread, with a time of its own.

use std::panic::AssertUnwindSafe;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use bordereau_store::off_thread::{WorkThread, wait_for_work};

use super::{SEED_VARIABLE, STEPS, World};

/// What happened in a world.
pub(super) async fn run_world(number: u64) -> String {
    run_to_end(World::new(number).await).await
}

pub(super) async fn run_to_end(mut world: World) -> String {
    for _ in 0..STEPS {
        world.step().await;
    }
    world.settle().await;
    world.check_never_twice();
    world.check_all_there().await;
    world.log()
}

/// In this thread, with one more for the files a person chooses; no time passes while that one works.
pub(super) fn run_alone<T>(world: impl Future<Output = T>) -> T {
    wait_for_work(WorkThread::Own);
    run_paused(world)
}

/// The same for a world whose store is an office's.
pub(super) fn run_office_alone<T>(world: impl Future<Output = T>) -> T {
    wait_for_work(WorkThread::Other);
    run_paused(world)
}

fn run_paused<T>(world: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().start_paused(true).max_blocking_threads(1).build().unwrap().block_on(world)
}

pub(super) fn run_seeds(seeds: &[u64]) {
    run_each(seeds, || (), |(), seed| drop(run_alone(run_world(seed))));
}

/// Each once, as many at the same time as the machine has processors; each of those has what `begin` makes.
pub(super) fn run_each<T>(seeds: &[u64], begin: impl Fn() -> T + Sync, run: impl Fn(&T, u64) + Sync) {
    let failed = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, std::num::NonZero::get) {
            scope.spawn(|| {
                let with = begin();
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(seed) = seeds.get(at) else { break };
                    if at > 0 && at.is_multiple_of(500) {
                        println!("{at} worlds began, {} failed", failed.lock().unwrap().len());
                    }
                    if std::panic::catch_unwind(AssertUnwindSafe(|| run(&with, *seed))).is_err() {
                        println!("the world of {SEED_VARIABLE}={seed} failed");
                        failed.lock().unwrap().push(*seed);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "the worlds of {SEED_VARIABLE} {failed:?} failed; keep them as cases");
}

pub(super) fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}
