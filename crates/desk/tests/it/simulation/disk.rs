//! A disk that can be full, fail, and lose its power: SQLite's own way to files, with what the seed says in between.
//!
//! Every file lies on the real disk. What was written since the last sync is known, so that a power cut can keep it,
//! lose it or tear it, sector by sector; what was synced stays.

#![allow(
    unsafe_code,
    reason = "SQLite asks for a table of C functions; each hands over to the one that was there"
)]

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Once};

use bordereau_store::{Connection, Store};
use rusqlite::ffi;

use super::runs::run_alone;
use super::seed::Seed;

/// What a disk does with a write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiskMood {
    /// It takes it.
    #[default]
    Fine,
    /// There is no room.
    Full,
    /// It reports an error, after half of it.
    Failing,
    /// The process is gone: nothing of it reaches the disk any more.
    Dead,
}

#[derive(Default)]
struct DiskState {
    mood: DiskMood,
    /// Writes until the mood changes by itself.
    countdown: Option<(u32, DiskMood)>,
    /// What is on the disk whatever happens.
    synced: BTreeMap<PathBuf, Vec<u8>>,
    open_files: usize,
}

/// The disk of one data folder.
#[derive(Clone)]
pub struct SimDisk {
    folder: PathBuf,
    state: Arc<Mutex<DiskState>>,
}

static DISKS: Mutex<Vec<SimDisk>> = Mutex::new(Vec::new());
const SECTOR: usize = 512;
const FILES: [&str; 2] = ["desk.sqlite", "desk.sqlite-wal"];

impl SimDisk {
    /// From now on every data file in this folder is on it.
    pub fn new(folder: &Path) -> SimDisk {
        register();
        let disk = SimDisk { folder: folder.to_owned(), state: Arc::default() };
        DISKS.lock().unwrap().push(disk.clone());
        disk
    }

    /// What it does from now on.
    pub fn set_mood(&self, mood: DiskMood) {
        let mut state = self.state.lock().unwrap();
        (state.mood, state.countdown) = (mood, None);
    }

    /// After so many writes.
    pub fn set_mood_after(&self, writes: u32, mood: DiskMood) {
        self.state.lock().unwrap().countdown = Some((writes, mood));
    }

    /// Whether its process was killed, by itself at a write or by [`SimDisk::cut`].
    pub fn is_dead(&self) -> bool {
        self.state.lock().unwrap().mood == DiskMood::Dead
    }

    /// Files that a process has open.
    pub fn open_files(&self) -> usize {
        self.state.lock().unwrap().open_files
    }

    /// The process ends now, or the power: what the next one finds. Nothing of this one reaches the disk any more.
    pub fn cut(&self, mut power: Option<&mut Seed>) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut state = self.state.lock().unwrap();
        (state.mood, state.countdown) = (DiskMood::Dead, None);
        let image = FILES.iter().map(|name| {
            let path = self.folder.join(name);
            let now = fs::read(&path).ok();
            let found = match (&mut power, &now) {
                (Some(seed), Some(now)) => {
                    let synced = state.synced.get(&path).cloned().unwrap_or_default();
                    Some(torn(&synced, now, seed))
                }
                _ => now,
            };
            (path, found)
        });
        image.collect()
    }

    /// The next process finds this.
    pub fn restart(&self, image: BTreeMap<PathBuf, Option<Vec<u8>>>) {
        let mut state = self.state.lock().unwrap();
        let _ = fs::remove_file(self.folder.join("desk.sqlite-shm"));
        for (path, content) in image {
            match content {
                // Into the same file: another one would be a copy of the store.
                Some(content) => {
                    fs::write(&path, &content).unwrap();
                    state.synced.insert(path, content);
                }
                None => {
                    let _ = fs::remove_file(&path);
                    state.synced.remove(&path);
                }
            }
        }
        state.mood = DiskMood::Fine;
    }

    fn of_path(path: &Path) -> Option<SimDisk> {
        let disks = DISKS.lock().unwrap();
        disks.iter().find(|disk| path.parent() == Some(&disk.folder)).cloned()
    }

    /// What happens to a write; half of it where it fails.
    fn mood_of_write(&self) -> DiskMood {
        let mut state = self.state.lock().unwrap();
        if let Some((left, mood)) = state.countdown {
            if left == 0 {
                (state.mood, state.countdown) = (mood, None);
            } else {
                state.countdown = Some((left - 1, mood));
            }
        }
        state.mood
    }
}

impl Drop for SimDisk {
    fn drop(&mut self) {
        // The list has one, and its own tests have none.
        if Arc::strong_count(&self.state) == 2
            && let Ok(mut disks) = DISKS.try_lock()
        {
            disks.retain(|disk| disk.folder != self.folder);
        }
    }
}

/// Sector by sector what was synced or what was written since; of a sector in between the one or the other half.
fn torn(synced: &[u8], now: &[u8], seed: &mut Seed) -> Vec<u8> {
    let length = match seed.below(3) {
        0 => synced.len(),
        1 => now.len(),
        _ => {
            let (least, most) = (synced.len().min(now.len()), synced.len().max(now.len()));
            least + seed.below(most - least + 1)
        }
    };
    let mut image = Vec::with_capacity(length);
    while image.len() < length {
        let (begin, end) = (image.len(), length.min(image.len() + SECTOR));
        let fate = seed.below(5);
        let half = (begin + seed.below(SECTOR)).min(end);
        // Up to where the sector is new.
        let until = match fate {
            0 | 1 => end,
            2 | 3 => begin,
            _ => half,
        };
        fill_from(&mut image, until, now, synced);
        fill_from(&mut image, end, synced, now);
    }
    image
}

/// Makes the image as long as `end`, with the bytes of the first, and where it has none, of the second.
fn fill_from(image: &mut Vec<u8>, end: usize, first: &[u8], second: &[u8]) {
    for bytes in [first, second] {
        let there = image.len().min(bytes.len());
        image.extend_from_slice(&bytes[there..end.clamp(there, bytes.len())]);
    }
    image.resize(end.max(image.len()), 0);
}

#[repr(C)]
struct ShimFile {
    base: ffi::sqlite3_file,
    disk: *mut (PathBuf, SimDisk),
}

/// The file of the table that was there, behind ours.
unsafe fn real(file: *mut ffi::sqlite3_file) -> *mut ffi::sqlite3_file {
    unsafe { file.cast::<u8>().add(size_of::<ShimFile>()).cast() }
}

unsafe fn tracked<'f>(file: *mut ffi::sqlite3_file) -> Option<&'f (PathBuf, SimDisk)> {
    unsafe { (*file.cast::<ShimFile>()).disk.as_ref() }
}

/// Hands a call over to the table that was there.
macro_rules! hand_over {
    ($file:ident, $name:ident $(, $argument:expr)*) => {
        unsafe {
            let real = real($file);
            match (*(*real).pMethods).$name {
                Some(call) => call(real $(, $argument)*),
                None => ffi::SQLITE_IOERR,
            }
        }
    };
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    let done = hand_over!(file, xClose);
    unsafe {
        let disk = (*file.cast::<ShimFile>()).disk;
        if !disk.is_null() {
            let disk = Box::from_raw(disk);
            disk.1.state.lock().unwrap().open_files -= 1;
        }
    }
    done
}

unsafe extern "C" fn read(file: *mut ffi::sqlite3_file, to: *mut c_void, count: c_int, at: i64) -> c_int {
    hand_over!(file, xRead, to, count, at)
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    from: *const c_void,
    count: c_int,
    at: i64,
) -> c_int {
    let mood = unsafe { tracked(file) }.map_or(DiskMood::Fine, |(_, disk)| disk.mood_of_write());
    match mood {
        DiskMood::Fine => hand_over!(file, xWrite, from, count, at),
        DiskMood::Full => ffi::SQLITE_FULL,
        DiskMood::Failing => {
            hand_over!(file, xWrite, from, count / 2, at);
            ffi::SQLITE_IOERR_WRITE
        }
        DiskMood::Dead => ffi::SQLITE_IOERR_WRITE,
    }
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, size: i64) -> c_int {
    let mood = unsafe { tracked(file) }.map_or(DiskMood::Fine, |(_, disk)| disk.state.lock().unwrap().mood);
    if matches!(mood, DiskMood::Dead | DiskMood::Failing) {
        return ffi::SQLITE_IOERR_TRUNCATE;
    }
    hand_over!(file, xTruncate, size)
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, flags: c_int) -> c_int {
    let Some((path, disk)) = (unsafe { tracked(file) }) else { return hand_over!(file, xSync, flags) };
    let mut state = disk.state.lock().unwrap();
    if matches!(state.mood, DiskMood::Dead | DiskMood::Failing) {
        return ffi::SQLITE_IOERR_FSYNC;
    }
    // As on a Mac: a sync that is not full ends in the cache of the disk, which does not outlast its power.
    if flags & ffi::SQLITE_SYNC_FULL != ffi::SQLITE_SYNC_FULL {
        return ffi::SQLITE_OK;
    }
    // The real disk need not be waited for: what would be on it is known.
    state.synced.insert(path.clone(), fs::read(path).unwrap_or_default());
    ffi::SQLITE_OK
}

unsafe extern "C" fn file_size(file: *mut ffi::sqlite3_file, size: *mut i64) -> c_int {
    hand_over!(file, xFileSize, size)
}
unsafe extern "C" fn lock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    hand_over!(file, xLock, level)
}
unsafe extern "C" fn unlock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    hand_over!(file, xUnlock, level)
}
unsafe extern "C" fn check_lock(file: *mut ffi::sqlite3_file, found: *mut c_int) -> c_int {
    hand_over!(file, xCheckReservedLock, found)
}
unsafe extern "C" fn control(file: *mut ffi::sqlite3_file, what: c_int, with: *mut c_void) -> c_int {
    hand_over!(file, xFileControl, what, with)
}
unsafe extern "C" fn sector_size(file: *mut ffi::sqlite3_file) -> c_int {
    hand_over!(file, xSectorSize)
}
unsafe extern "C" fn characteristics(file: *mut ffi::sqlite3_file) -> c_int {
    // Nothing is promised of writes that are not synced.
    hand_over!(file, xDeviceCharacteristics) & !(ffi::SQLITE_IOCAP_POWERSAFE_OVERWRITE)
}
unsafe extern "C" fn shm_map(
    file: *mut ffi::sqlite3_file,
    page: c_int,
    size: c_int,
    extend: c_int,
    to: *mut *mut c_void,
) -> c_int {
    hand_over!(file, xShmMap, page, size, extend, to)
}
unsafe extern "C" fn shm_lock(
    file: *mut ffi::sqlite3_file,
    from: c_int,
    count: c_int,
    flags: c_int,
) -> c_int {
    hand_over!(file, xShmLock, from, count, flags)
}
unsafe extern "C" fn shm_barrier(file: *mut ffi::sqlite3_file) {
    unsafe {
        let real = real(file);
        if let Some(call) = (*(*real).pMethods).xShmBarrier {
            call(real);
        }
    }
}
unsafe extern "C" fn shm_unmap(file: *mut ffi::sqlite3_file, delete: c_int) -> c_int {
    hand_over!(file, xShmUnmap, delete)
}

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_lock),
    xFileControl: Some(control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

unsafe extern "C" fn open(
    vfs: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    unsafe {
        let usual = (*vfs).pAppData.cast::<ffi::sqlite3_vfs>();
        let shim = file.cast::<ShimFile>();
        (*shim).base.pMethods = std::ptr::null();
        (*shim).disk = std::ptr::null_mut();
        let real = real(file);
        (*real).pMethods = std::ptr::null();
        let done = match (*usual).xOpen {
            Some(call) => call(usual, name, real, flags, out),
            None => ffi::SQLITE_CANTOPEN,
        };
        if done != ffi::SQLITE_OK {
            return done;
        }
        (*shim).base.pMethods = &METHODS;
        if !name.is_null() {
            let path = PathBuf::from(CStr::from_ptr(name).to_string_lossy().into_owned());
            if let Some(disk) = SimDisk::of_path(&path) {
                disk.state.lock().unwrap().open_files += 1;
                (*shim).disk = Box::into_raw(Box::new((path, disk)));
            }
        }
        done
    }
}

/// Once for this process: files of no such disk are as they were.
fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| unsafe {
        ffi::sqlite3_initialize();
        let usual = ffi::sqlite3_vfs_find(std::ptr::null());
        let mut ours = *usual;
        ours.szOsFile += c_int::try_from(size_of::<ShimFile>()).unwrap();
        ours.pNext = std::ptr::null_mut();
        ours.zName = CString::new("simulated").unwrap().into_raw();
        ours.pAppData = usual.cast();
        ours.xOpen = Some(open);
        ours.xDelete = Some(delete);
        ours.xAccess = Some(access);
        ours.xFullPathname = Some(full_path);
        let ours = Box::into_raw(Box::new(ours));
        assert_eq!(ffi::sqlite3_vfs_register(ours, 1), ffi::SQLITE_OK);
    });
}

/// The functions of the usual table find what they need in it: they are given it.
unsafe extern "C" fn delete(vfs: *mut ffi::sqlite3_vfs, name: *const c_char, sync: c_int) -> c_int {
    unsafe {
        let path = PathBuf::from(CStr::from_ptr(name).to_string_lossy().into_owned());
        if let Some(disk) = SimDisk::of_path(&path) {
            let mut state = disk.state.lock().unwrap();
            if matches!(state.mood, DiskMood::Dead | DiskMood::Failing) {
                return ffi::SQLITE_IOERR_DELETE;
            }
            state.synced.remove(&path);
        }
        let usual = (*vfs).pAppData.cast::<ffi::sqlite3_vfs>();
        (*usual).xDelete.map_or(ffi::SQLITE_IOERR, |call| call(usual, name, sync))
    }
}

unsafe extern "C" fn access(
    vfs: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    flags: c_int,
    found: *mut c_int,
) -> c_int {
    unsafe {
        let usual = (*vfs).pAppData.cast::<ffi::sqlite3_vfs>();
        (*usual).xAccess.map_or(ffi::SQLITE_IOERR, |call| call(usual, name, flags, found))
    }
}

unsafe extern "C" fn full_path(
    vfs: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    count: c_int,
    to: *mut c_char,
) -> c_int {
    unsafe {
        let usual = (*vfs).pAppData.cast::<ffi::sqlite3_vfs>();
        (*usual).xFullPathname.map_or(ffi::SQLITE_IOERR, |call| call(usual, name, count, to))
    }
}

/// On a disk where only a full sync counts: undone where the store syncs less than it says.
#[test]
fn a_power_cut_keeps_what_was_stored_durably() {
    let count = |sql: &'static str| {
        move |connection: &mut Connection| Ok(connection.query_row(sql, [], |row| row.get::<i64>(0))?)
    };
    let insert = |connection: &mut Connection| Ok(connection.execute("INSERT INTO sample VALUES (1)", [])?);
    for number in 0..20 {
        let home = tempfile::tempdir().unwrap();
        let folder: &Path = &home.path().canonicalize().unwrap();
        let disk = SimDisk::new(folder);
        run_alone(async {
            let store = Store::open(folder).unwrap();
            let make = |connection: &mut Connection| Ok(connection.execute("CREATE TABLE sample (x)", [])?);
            store.run_durably(make).await.unwrap();
            for _ in 0..50 {
                store.run_durably(insert).await.unwrap();
            }
            for _ in 0..50 {
                store.with_connection(insert).await.unwrap();
            }
            let image = disk.cut(Some(&mut Seed::new(number)));
            drop(store);
            disk.restart(image);
            let store = Store::open(folder).unwrap();
            let found = store.with_connection(count("SELECT count(*) FROM sample")).await.unwrap();
            assert!((50..=100).contains(&found), "{found} of seed {number}");
            let faults = count("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'");
            assert_eq!(store.with_connection(faults).await.unwrap(), 0, "of seed {number}");
        });
    }
}
