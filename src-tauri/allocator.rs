//! Memory that was needed for a moment is given back.

/// From this size on a block is its own mapping, which goes back to the system when it is freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const OWN_MAPPING_BYTES: i32 = 1024 * 1024;

/// Keeps glibc from raising that size by itself: once it has seen the 19 MiB of a password's hash, it would
/// keep the next one in its heap for good, and the same with a file or an image that was read once.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the allocator's settings are reached through its C interface only")]
pub(crate) fn prepare_allocator() {
    // SAFETY: `mallopt` takes two numbers and may be called at any time; it refuses what it does not know.
    let taken = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, OWN_MAPPING_BYTES) };
    if taken == 0 {
        tracing::debug!("the allocator kept its own threshold");
    }
}

/// Other allocators do so by themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn prepare_allocator() {}
