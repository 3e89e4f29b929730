//! One transaction entered by hand: a review of one row under every column of the template. So it has the checks, the
//! draft, the undo and the outbox of a file.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use bordereau_api::{
    BoundaryError, ErrorCode, NewTransaction, QuoteAnswer, QuoteFiling, QuoteRequest, ReviewView,
};
use bordereau_contract::{FOUND_CHARS, shorten_text};
use bordereau_money::Usd;
use bordereau_session::Context;
use bordereau_session::content::sha256_of;
use bordereau_spreadsheets::{Field, Mapping, field_named, find_insurer_number, split_mailing_address};
use bordereau_store::fresh_id;

use super::correction::start_own_table;
use super::draft::DraftState;

/// Starts it, blank or from a quote.
///
/// # Errors
/// [`ErrorCode::Validation`] for a value of a column that does not exist; [`ErrorCode::Storage`].
pub async fn start_transaction(ctx: &Context, begin: NewTransaction) -> Result<ReviewView, BoundaryError> {
    let today = ctx.ports().clock.today().to_string();
    let mut cells = first_values(&begin, &today)?;
    if let Some(name) = cells.get(&Field::InsuranceCompany) {
        let mappings = ctx.store().list_mappings("").await?;
        let number = |text: &String| {
            let mapping = Mapping::from_file(text).ok()?;
            mapping.remembered_code(Field::InsuranceCompany, name).map(str::to_owned)
        };
        let number = mappings.iter().find_map(number);
        cells.extend(number.map(|number| (Field::InsuranceCompany, number)));
    }
    if let Entry::Vacant(id) = cells.entry(Field::Id) {
        // The same however often the draft is sent: what was sent before is recognized by it.
        id.insert(ctx.store().with_connection(|connection| fresh_id(connection)).await?);
    }
    let fields = columns();
    let row = fields.iter().map(|field| cells.get(field).cloned().unwrap_or_default()).collect();
    let mapping = Mapping::of_own_table(fields.iter().map(|field| (field.name().to_owned(), Some(*field))));
    let quote = begin.quote.as_ref().map(quote_mark).transpose()?;
    let is_unchanged = begin.quote.is_none() && begin.values.is_empty();
    let draft = DraftState { is_single: true, is_unchanged, quote, ..DraftState::default() };
    let name = if begin.quote.is_some() { "Transaction from a quote" } else { "New transaction" };
    start_own_table(ctx, name.into(), (mapping, vec![row]), draft).await
}

/// The draft that was made of a quote, and when it was sent.
pub async fn quote_filing(ctx: &Context, request: QuoteRequest) -> Result<QuoteFiling, BoundaryError> {
    Ok(ctx.store().review_of_quote(quote_mark(&request)?).await?.unwrap_or_default())
}

/// By which a quote is known again: a hash, so that no name of an insured is in it.
fn quote_mark(quote: &QuoteRequest) -> Result<String, BoundaryError> {
    let text = serde_json::to_vec(quote).map_err(|_| BoundaryError::internal_error("naming a quote"))?;
    sha256_of(text.as_slice()).map_err(|_| BoundaryError::internal_error("naming a quote"))
}

/// Documents come as files, not as a column.
fn columns() -> Vec<Field> {
    Field::ALL.iter().copied().filter(|field| *field != Field::Documents).collect()
}

fn first_values(begin: &NewTransaction, today: &str) -> Result<BTreeMap<Field, String>, BoundaryError> {
    let mut cells = BTreeMap::from([(Field::TransactionType, "PN".to_owned())]);
    if let Some(quote) = &begin.quote {
        cells.extend(quote_values(quote, today));
    }
    if let Some(answer) = &begin.answer {
        cells.extend(answer_values(answer));
    }
    for (name, value) in &begin.values {
        let field = Field::by_name(name).filter(|field| *field != Field::Documents).ok_or_else(|| {
            // A header is matched where a person sees it; what a program sends isn't guessed at.
            let advice = match field_named(name) {
                Some(Field::Documents) => "Attach documents as files.".to_owned(),
                Some(field) => format!("Write {}, as the import template does.", field.name()),
                None => "The columns are those of the import template, such as policy_number.".to_owned(),
            };
            let text = format!("There is no column {:?}. {advice}", shorten_text(name, FOUND_CHARS));
            BoundaryError::with_code(ErrorCode::Validation, text)
        })?;
        cells.insert(field, value.clone());
    }
    cells.retain(|_, text| !text.trim().is_empty());
    Ok(cells)
}

fn quote_values(quote: &QuoteRequest, today: &str) -> Vec<(Field, String)> {
    let flag = |is_set: bool| if is_set { "1".to_owned() } else { String::new() };
    let or_today = |day: &str| if day.trim().is_empty() { today.to_owned() } else { day.to_owned() };
    let premiums: Vec<Option<Usd>> =
        quote.lines.iter().map(|line| Usd::parse_typed(&line.premium).ok()).collect();
    let premium = premiums.iter().copied().collect::<Option<Vec<Usd>>>().and_then(Usd::checked_sum);
    let of_lines = |text: fn(&bordereau_api::QuoteLine) -> String| {
        quote.lines.iter().map(text).collect::<Vec<_>>().join(" | ")
    };
    let carrier = quote.sheet.carrier.trim();
    let mut cells = split_mailing_address(&quote.sheet.insured_address);
    cells.extend([
        (Field::PhysicalState, quote.state.clone()),
        (Field::TransactionType, quote.transaction_type.clone()),
        (Field::LineOfBusiness, of_lines(|line| line.code.trim().to_owned())),
        (
            Field::LinePremium,
            of_lines(|line| match Usd::parse_typed(&line.premium) {
                Ok(amount) => amount.abs().to_string(),
                Err(_) => line.premium.clone(),
            }),
        ),
        (Field::Premium, premium.map(|amount| amount.abs().to_string()).unwrap_or_default()),
        (Field::AgencyFee, quote.agency_fee.clone()),
        (Field::InspectionFee, quote.inspection_fee.clone()),
        (Field::PolicyEffectiveDate, or_today(&quote.policy_effective)),
        (Field::PolicyExpirationDate, quote.sheet.policy_expires.clone()),
        (Field::TransactionEffectiveDate, quote.transaction_effective.clone()),
        (Field::InsuredEntity, quote.entity.clone()),
        (Field::Rpg, flag(quote.rpg)),
        (Field::Ecp, flag(quote.ecp)),
        (Field::Exempt, flag(quote.tax_exempt)),
        (Field::CommissionReceived, flag(quote.commission_received)),
        (Field::AccountWrittenAs, quote.written_as.clone()),
        (Field::PhysicalAddress, quote.address.clone()),
        (Field::PhysicalCity, quote.city.clone()),
        (Field::PhysicalZip, quote.zip.clone()),
        (Field::AgencyFeeChargedBy, quote.fee_charged_by.clone()),
        (Field::Occupancy, quote.occupancy.clone()),
        (Field::AssessmentRate, quote.assessment_rate.clone()),
        (Field::InsuredName, quote.insured.clone()),
        // A name without its number is told as one: it is matched once.
        (Field::InsuranceCompany, find_insurer_number(carrier).unwrap_or_else(|| carrier.to_owned())),
    ]);
    cells
}

/// The amounts of the answer. A credit is written without its minus: the type says that it is one.
fn answer_values(answer: &QuoteAnswer) -> Vec<(Field, String)> {
    let size = |text: &str| Usd::parse(text).map(|amount| amount.abs().to_string()).ok();
    let fees = [
        (Field::Premium, &answer.premium),
        (Field::AgencyFee, &answer.agency_fee),
        (Field::InspectionFee, &answer.inspection_fee),
    ];
    let charges = answer.fields.iter().filter(|shown| !shown.idle);
    let charges = charges.filter_map(|shown| Some((Field::by_name(&shown.field)?, size(&shown.amount)?)));
    fees.into_iter().filter_map(|(field, text)| Some((field, size(text)?))).chain(charges).collect()
}

#[cfg(test)]
mod tests {
    use bordereau_api::{QuoteLine, SheetDetails};

    use super::*;

    #[test]
    fn a_quote_fills_the_columns_that_it_knows() {
        let quote = QuoteRequest {
            state: "TX".into(),
            transaction_type: "RPE".into(),
            lines: [("GEN-1002", "$1,000"), ("GEN-1004", "250.50")]
                .map(|(code, premium)| QuoteLine { code: code.into(), premium: premium.into() })
                .to_vec(),
            insured: "Example Diner LLC".into(),
            sheet: SheetDetails {
                policy_expires: "2027-02-23".into(),
                carrier: "Example Specialty (NAIC 10899)".into(),
                insured_address: "1 Main Street\nAustin, TX 78701".into(),
                ..SheetDetails::default()
            },
            rpg: true,
            ..QuoteRequest::default()
        };
        let begin = NewTransaction {
            quote: Some(quote),
            values: BTreeMap::from([("policy_number".into(), "0012".into()), ("rpg".into(), "0".into())]),
            ..NewTransaction::default()
        };
        let cells = first_values(&begin, "2026-02-23").unwrap();
        for (field, expected) in [
            (Field::PhysicalState, "TX"),
            (Field::TransactionType, "RPE"),
            (Field::LineOfBusiness, "GEN-1002 | GEN-1004"),
            (Field::LinePremium, "1000.00 | 250.50"),
            (Field::Premium, "1250.50"),
            (Field::PolicyEffectiveDate, "2026-02-23"),
            (Field::PolicyExpirationDate, "2027-02-23"),
            (Field::PolicyNumber, "0012"),
            (Field::InsuranceCompany, "10899"),
            (Field::MailingAddress, "1 Main Street"),
            (Field::MailingCity, "Austin"),
            (Field::MailingState, "TX"),
            (Field::MailingZip, "78701"),
            (Field::Rpg, "0"),
            (Field::InsuredName, "Example Diner LLC"),
        ] {
            assert_eq!(cells.get(&field).map(String::as_str), Some(expected), "{}", field.name());
        }
        assert!(!cells.contains_key(&Field::Ecp), "what was not said is not written");
    }

    #[test]
    fn a_column_that_does_not_exist_is_named() {
        let begin = NewTransaction {
            values: BTreeMap::from([("policy".into(), "1".into())]),
            ..NewTransaction::default()
        };
        let said = first_values(&begin, "2026-02-23").unwrap_err().message;
        assert!(said.contains("\"policy\"") && said.contains("policy_number"), "{said}");
    }
}
