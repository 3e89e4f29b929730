//! libFuzzer over the target that `BORDEREAU_FUZZ_TARGET` names.

#![no_main]

use std::sync::LazyLock;

use bordereau_fuzz::mutation::{InputShape, change_part};
use bordereau_fuzz::{TARGETS, Target};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    // A panic that a reader catches is no finding: the engine's own hook would end the process at every one.
    std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
    let name = std::env::var("BORDEREAU_FUZZ_TARGET").unwrap_or_default();
    TARGETS.iter().find(|target| target.name == name).expect("BORDEREAU_FUZZ_TARGET names a target")
});

fuzz_target!(|bytes: &[u8]| (TARGET.check)(bytes));

// Each eighth time the outside is changed as well.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if TARGET.shape == InputShape::Bytes || seed % 8 == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let which = usize::try_from(seed >> 3).unwrap_or_default();
    let changed = change_part(TARGET.shape, data.get(..size).unwrap_or_default(), which, |mut content| {
        let length = content.len();
        let room = length + (length / 8).max(64);
        content.resize(room, 0);
        let length = fuzzer_mutate(&mut content, length, room);
        content.truncate(length);
        content
    });
    match changed {
        Some(changed) if changed.len() <= max_size => {
            data[..changed.len()].copy_from_slice(&changed);
            changed.len()
        }
        _ => fuzzer_mutate(data, size, max_size),
    }
});
