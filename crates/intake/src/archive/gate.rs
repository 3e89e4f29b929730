//! Counting what a sheet unpacks to while it is read: the reader gets no packed byte before it was counted.
//!
//! Inflating takes a tenth of what parsing takes, so the reader hardly ever waits, and a part that lies about its
//! size is refused before the lie has reached the reader.

use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::{Inspected, Sheet, bomb, damaged, inflated};
use crate::limits::UNPACKED_BYTES_MAX;
use crate::refusal::Refusal;

/// How far the large sheets of an archive were counted.
pub(crate) struct Gate {
    sheets: Vec<Sheet>,
    left: u64,
    open: Mutex<Open>,
    moved: Condvar,
}

struct Open {
    /// Of each sheet: the first byte of the file that was not counted.
    up_to: Vec<usize>,
    /// Nothing more is counted: all was, or something was refused.
    ended: Option<bool>,
    /// Nobody reads any further.
    is_enough: bool,
}

impl Gate {
    /// Nothing of the sheets is counted yet.
    pub(crate) fn before(inspected: Inspected) -> Gate {
        let up_to = inspected.sheets.iter().map(|sheet| sheet.at.start).collect();
        let open = Mutex::new(Open { up_to, ended: None, is_enough: false });
        Gate { sheets: inspected.sheets, left: inspected.left, open, moved: Condvar::new() }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts all sheets. Readers that wait for more are let go in any case, with an error if one is refused.
    pub(crate) fn count(&self, bytes: &[u8]) -> Result<(), Refusal> {
        let mut ending = Ending { gate: self, is_good: false };
        let mut left = self.left;
        for (number, sheet) in self.sheets.iter().enumerate() {
            if sheet.says > left {
                return Err(bomb(UNPACKED_BYTES_MAX));
            }
            let packed =
                bytes.get(sheet.at.clone()).ok_or_else(|| damaged("a part lies outside of the file"))?;
            match inflated(Counted { gate: self, number, packed, taken: 0 }, sheet.says) {
                Ok(size) => left -= size,
                Err(_) if self.open().is_enough => return Ok(()),
                Err(refusal) => return Err(refusal),
            }
            self.moves(number, sheet.at.end);
        }
        ending.is_good = true;
        Ok(())
    }

    /// The reader has the rows it wanted: what it did not read needs no counting.
    pub(crate) fn enough(&self) {
        self.open().is_enough = true;
    }

    fn moves(&self, number: usize, to: usize) {
        if let Some(up_to) = self.open().up_to.get_mut(number) {
            *up_to = to;
        }
        self.moved.notify_all();
    }

    /// Waits until something can be read at `from`, and says how far.
    fn passes(&self, from: usize, to: usize) -> io::Result<usize> {
        let refused = || io::Error::other("a part is larger than it says");
        let mut open = self.open();
        loop {
            match open.ended {
                Some(true) => return Ok(to),
                Some(false) => return Err(refused()),
                None => {}
            }
            let waits = self.sheets.iter().zip(&open.up_to);
            let free =
                waits.fold(to, |free, (sheet, up_to)| free.min(free_before(&sheet.at, *up_to, from, to)));
            if free > from || from >= to {
                return Ok(free.max(from));
            }
            open = self.moved.wait(open).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Up to where `from..to` may be read, as far as this sheet goes.
fn free_before(at: &Range<usize>, up_to: usize, from: usize, to: usize) -> usize {
    let closed = up_to.max(at.start)..at.end;
    if closed.is_empty() || to <= closed.start || from >= closed.end { to } else { closed.start.max(from) }
}

/// However the counting ends, nobody waits for it any longer.
struct Ending<'g> {
    gate: &'g Gate,
    is_good: bool,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.gate.open().ended = Some(self.is_good);
        self.gate.moved.notify_all();
    }
}

/// A sheet's packed bytes on their way into the counter. When more is asked for, all before has come out again.
struct Counted<'a> {
    gate: &'a Gate,
    number: usize,
    packed: &'a [u8],
    taken: usize,
}

impl Read for Counted<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.gate.open().is_enough {
            return Err(io::Error::other("nobody reads any further"));
        }
        let start = self.gate.sheets.get(self.number).map_or(0, |sheet| sheet.at.start);
        self.gate.moves(self.number, start + self.taken);
        let read = self.packed.read(into)?;
        self.taken += read;
        Ok(read)
    }
}

/// The file, as far as it was counted.
pub(crate) struct Gated<'a> {
    pub(crate) file: Cursor<&'a [u8]>,
    pub(crate) gate: &'a Gate,
}

impl Read for Gated<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let from = usize::try_from(self.file.position()).unwrap_or(usize::MAX);
        let to = from.saturating_add(into.len()).min(self.file.get_ref().len());
        let free = self.gate.passes(from, to)?.saturating_sub(from);
        match into.get_mut(..free) {
            Some(into) => self.file.read(into),
            None => self.file.read(into),
        }
    }
}

impl Seek for Gated<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
