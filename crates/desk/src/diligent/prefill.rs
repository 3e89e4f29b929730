//! A form begun from a quote or from a transaction.

use std::collections::BTreeMap;

use bordereau_money::Usd;

use crate::Desk;
use crate::api::{
    BoundaryError, ErrorCode, FieldError, FormsPrefill, FormsRequest, Nothing, QuoteRequest,
    TransactionDetail, TransactionId, TransactionQuestion,
};

impl Desk {
    /// What a quote or a transaction already says, as the beginning of a form.
    ///
    /// # Errors
    /// [`ErrorCode::Validation`] where neither is given; [`ErrorCode::NotFound`] for an unknown transaction;
    /// those of asking the service for it.
    pub async fn forms_prefill(&self, request: FormsPrefill) -> Result<FormsRequest, BoundaryError> {
        let mut begun = match (&request.quote, request.transaction_id.trim()) {
            (Some(quote), _) => self.request_of_quote(quote).await?,
            (None, "") => {
                let message = "Give the number of a transaction, or a quote.";
                return Err(BoundaryError::fields(vec![FieldError::at("/transaction_id", message)]));
            }
            (None, id) => from_transaction(&self.known_transaction(id).await?),
        };
        let agency = self.settings_load(Nothing {}).await?.agency;
        if !agency.trim().is_empty() {
            begun.values.insert("producer_agency".into(), agency.trim().to_owned());
        }
        begun.values.retain(|_, value| !value.trim().is_empty());
        Ok(begun)
    }

    /// From the index, else from the service.
    async fn known_transaction(&self, id: &str) -> Result<TransactionDetail, BoundaryError> {
        match self.transaction_detail(TransactionId { id: id.into() }).await {
            Err(error) if error.code == ErrorCode::NotFound => {
                let question = TransactionQuestion { id: id.into(), ..TransactionQuestion::default() };
                self.transaction_status(question).await
            }
            found => found,
        }
    }

    async fn request_of_quote(&self, quote: &QuoteRequest) -> Result<FormsRequest, BoundaryError> {
        let lines = self.reference_data(Nothing {}).await?.lines;
        let named = |code: &str| {
            let known = lines.iter().find(|line| line.code.eq_ignore_ascii_case(code));
            known.map_or_else(|| code.to_owned(), |line| line.name.clone())
        };
        let covered: Vec<String> = quote.lines.iter().map(|line| named(line.code.trim())).collect();
        let location = [&quote.address, &quote.city, &quote.zip].map(|part| part.trim());
        let location: Vec<&str> = location.into_iter().filter(|part| !part.is_empty()).collect();
        let values = [
            ("insured_name", quote.insured.trim().to_owned()),
            ("coverage_description", covered.join("; ")),
            ("risk_location", location.join(", ")),
            ("premium", total(quote)),
        ];
        Ok(FormsRequest {
            state: quote.state.trim().to_ascii_uppercase(),
            transaction_type: quote.transaction_type.trim().to_ascii_uppercase(),
            policy_effective_date: quote.policy_effective.trim().to_owned(),
            ecp: quote.ecp,
            export_list: quote.export_list,
            values: values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            ..FormsRequest::default()
        })
    }
}

/// The premium of all lines; empty where one cannot be read.
fn total(quote: &QuoteRequest) -> String {
    let mut sum = Usd::ZERO;
    for line in &quote.lines {
        let Ok(premium) = Usd::parse_typed(&line.premium) else { return String::new() };
        let Some(more) = sum.checked_add(premium) else { return String::new() };
        sum = more;
    }
    if sum.is_zero() { String::new() } else { sum.to_grouped() }
}

fn from_transaction(detail: &TransactionDetail) -> FormsRequest {
    let field = |name: &str| {
        let found = detail.fields.iter().find(|field| field.name == name);
        found.map_or_else(String::new, |field| field.value.trim().to_owned())
    };
    let values: BTreeMap<String, String> = [
        ("insured_name", "mailing_insured_name"),
        ("policy_number", "policy_number"),
        ("policy_expiration_date", "policy_expiration_date"),
        ("premium", "premium"),
        ("broker_name", "filed_under_license_name"),
        ("broker_license", "filed_under_license_number"),
    ]
    .into_iter()
    .map(|(name, from)| (name.to_owned(), field(from)))
    .collect();
    FormsRequest {
        state: field("physical_state"),
        transaction_type: field("transaction_type"),
        policy_effective_date: field("policy_effective_date"),
        values,
        ..FormsRequest::default()
    }
}
