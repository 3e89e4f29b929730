//! Kentucky's local government premium tax: the table of cities and counties, and the tax itself.

mod table;

pub use table::{Category, KentuckyTable, LocalRate, Municipality};
