//! The key of a data folder with what is derived from it, and files that only who has the key can read.

pub mod data_key;
pub mod seal;
