//! Kentucky's local government premium tax: the table of cities and counties, and the tax itself.

mod category;
mod rate;
mod table;

pub(crate) use category::CategorySet;
pub use category::TaxCategory;
pub use rate::LocalRate;
pub use table::{KentuckyTable, Municipality};
