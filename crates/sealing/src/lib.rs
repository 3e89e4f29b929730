//! The key of a data folder with what is derived from it, files that only who has the key can read, and files that
//! only their owner can.

pub mod data_key;
pub mod private_files;
pub mod seal;
