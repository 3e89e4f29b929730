//! One line that recomputes a calculated amount.

use std::collections::BTreeMap;

use bordereau_spreadsheets::{Field, Finding};
use bordereau_tax::ChargeTrace;

use super::session::ReviewSession;

/// The line, where the calculation has one.
pub fn explain(session: &ReviewSession, finding: &Finding) -> Option<String> {
    let (review, attached) = (session.review(), BTreeMap::new());
    let transaction = review.transactions().of_row(finding.row())?;
    let quote = review.transaction_quote(transaction, &session.check_context.checks(&attached))?;
    let field = finding.field()?;
    if field == Field::Total {
        return Some(format!("Premium, fees and calculated taxes together: {}", quote.total.to_grouped()));
    }
    let of_field = |charge: &&ChargeTrace| Field::by_name(charge.field.name()) == Some(field);
    let lines: Vec<String> = quote
        .charges
        .iter()
        .filter(of_field)
        .map(|charge| format!("{}: {}", charge.title, charge.explanation))
        .collect();
    (!lines.is_empty()).then(|| lines.join("; "))
}
