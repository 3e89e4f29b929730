//! What was detected in the cells of a source, for a person to confirm or change.

use bordereau_tables::{DateOrder, DecimalMark, DetectedValue};
use serde::{Deserialize, Serialize};

/// What was detected in the mapped columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueDetection {
    /// Decimal mark.
    pub decimal_mark: DetectedValue<DecimalMark>,
    /// Date order; `None` is an open question to the person.
    pub date_order: DetectedValue<Option<DateOrder>>,
}
