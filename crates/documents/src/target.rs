//! Which transaction a document belongs to.

use bordereau_api::{BoundaryError, DocumentTarget};

/// Characters of an invoice number.
const INVOICE_MAX: usize = 255;

/// The transaction that a document belongs to: exactly one of the two is set, and checked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UploadTarget {
    /// The service's number.
    pub transaction_id: Option<i64>,
    /// The invoice number.
    pub invoice_number: Option<String>,
}

impl UploadTarget {
    /// # Errors
    /// [`bordereau_api::ErrorCode::Validation`] with the field at fault.
    pub fn read(target: &DocumentTarget) -> Result<UploadTarget, BoundaryError> {
        let (number, invoice) = (target.transaction_id.trim(), target.invoice_number.trim());
        let at = |pointer: &str, message: &str| Err(BoundaryError::invalid_field(pointer, message));
        match (number, invoice) {
            ("", "") => at(
                "/target/transaction_id",
                "Enter the transaction the documents belong to: its number or its invoice number.",
            ),
            ("", invoice) if invoice.chars().count() > INVOICE_MAX => {
                at("/target/invoice_number", "An invoice number has at most 255 characters.")
            }
            ("", invoice) => {
                Ok(UploadTarget { transaction_id: None, invoice_number: Some(invoice.to_owned()) })
            }
            (number, "") => match number.parse() {
                Ok(id) if id > 0 => Ok(UploadTarget { transaction_id: Some(id), invoice_number: None }),
                _ => at(
                    "/target/transaction_id",
                    "The number of a transaction is a whole number, such as 1042.",
                ),
            },
            _ => at(
                "/target/invoice_number",
                "Enter the transaction number or the invoice number, not both: they could belong to \
                     different transactions.",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bordereau_api::ErrorCode;

    #[test]
    fn a_target_is_one_transaction() {
        let of = |id: &str, invoice: &str| {
            UploadTarget::read(&DocumentTarget { transaction_id: id.into(), invoice_number: invoice.into() })
        };
        assert_eq!(of(" 42 ", "").unwrap().transaction_id, Some(42));
        assert_eq!(of("", "INV-1").unwrap().invoice_number.as_deref(), Some("INV-1"));
        for (id, invoice) in [("", " "), ("x", ""), ("-1", ""), ("1", "INV-1")] {
            assert_eq!(of(id, invoice).unwrap_err().code, ErrorCode::Validation, "{id} {invoice}");
        }
    }
}
