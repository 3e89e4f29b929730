//! Schemas of the diligent forms (contract section 5), field by field.

use utoipa::openapi::Schema;

use super::schemas::Holds::{Bool, Date, Flag, Keyed, Many, One, States, Text, Texts, Transactions};
use super::schemas::Need::{Nullable, Optional, Required};
use super::schemas::{Row, table};

const DILIGENT_REQUEST: &[Row] = &[
    ("state", States, Required, ""),
    ("transaction_type", Transactions, Required, ""),
    ("policy_effective_date", Date, Required, "decides which forms are in force"),
    ("ecp", Flag, Optional, "exempt commercial purchaser"),
    ("export_list", Flag, Optional, "on the state's export list"),
    ("forms", Texts, Optional, "codes of the forms wanted; all that apply if empty"),
    (
        "values",
        Keyed,
        Optional,
        "by the field's name, such as insured_name, producer_name, coverage_description",
    ),
    ("declinations", Many("Declination"), Optional, "carriers that declined; at most 50"),
];

const DECLINATION: &[Row] = &[
    ("carrier", Text, Optional, ""),
    ("naic", Text, Optional, "five digits"),
    ("contact", Text, Optional, "who declined, and how to reach them"),
    ("date", Date, Optional, ""),
    ("reason", Text, Optional, ""),
];

const DILIGENT_FORMS: &[Row] = &[
    ("requirement", One("DiligentRequirement"), Required, ""),
    ("forms", Many("FilledForm"), Required, "none where the state has none"),
];

const DILIGENT_REQUIREMENT: &[Row] = &[
    ("state", States, Required, ""),
    ("status", Text, Required, "required, repealed or not_found"),
    ("text", Text, Required, "the rule in a sentence"),
    ("since", Date, Nullable, "since when it is repealed, where the day is known"),
    ("sources", Texts, Required, "where it was read"),
    ("checked", Text, Required, "how sure it is"),
];

const FILLED_FORM: &[Row] = &[
    ("name", Text, Required, ""),
    ("code", Text, Required, "document code, such as DEF"),
    ("state", States, Required, ""),
    ("complete", Bool, Required, ""),
    ("missing_fields", Texts, Required, "such as insured_name or declinations/1/date"),
    ("download_url", Text, Required, "one use within a minute"),
];

/// Every schema, by name.
pub(super) fn all() -> Vec<(&'static str, Schema)> {
    [
        ("DiligentRequest", DILIGENT_REQUEST),
        ("Declination", DECLINATION),
        ("DiligentForms", DILIGENT_FORMS),
        ("DiligentRequirement", DILIGENT_REQUIREMENT),
        ("FilledForm", FILLED_FORM),
    ]
    .map(|(name, rows)| (name, table(rows)))
    .into()
}
