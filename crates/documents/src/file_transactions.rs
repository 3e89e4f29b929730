//! Which transactions dropped files probably belong to, by the numbers in their names.

use std::collections::{HashMap, HashSet};

use super::required_documents::document_choices;
use bordereau_api::*;
use bordereau_contract::{TransactionRecord, plain};
use bordereau_session::Context;
use bordereau_session::content;
use bordereau_session::file_numbers::{KnownNumbers, list_number_candidates};
use bordereau_transactions::active_index;

/// Transactions offered for one file.
const OFFERED_MAX: usize = 20;

/// Fills in each file's transactions from the index on this computer, and its type where there is only one.
pub(super) async fn propose_transactions(
    ctx: &Context,
    files: &mut [InspectedFile],
) -> Result<(), BoundaryError> {
    let accepted = || files.iter().filter(|file| file.refused.is_none());
    let candidates: HashSet<String> =
        accepted().flat_map(|file| list_number_candidates(&file.file_name)).collect();
    // A word without a digit is in too many records to be asked for.
    let words: Vec<String> = candidates
        .iter()
        .filter(|candidate| candidate.contains(|c: char| c.is_ascii_digit()))
        .cloned()
        .collect();
    if words.is_empty() {
        return Ok(());
    }
    let (_, index) = active_index(ctx).await?;
    let mut numbers = KnownNumbers::default();
    for found in index.numbered_records(words).await? {
        let known = |number: &str| {
            if candidates.contains(&plain(number)) { number.to_owned() } else { String::new() }
        };
        numbers.add(&known(&found.policy_number), &known(&found.invoice_number), found.id);
    }
    let mut codes: HashMap<String, Vec<String>> = HashMap::new();
    for file in files.iter_mut().filter(|file| file.refused.is_none()) {
        let (ids, _) = numbers.find_by_name(&file.file_name);
        for id in ids.into_iter().take(OFFERED_MAX) {
            file.transactions.extend(index.find_record(id).await?.as_ref().map(name_transaction));
        }
        let [only] = file.transactions.as_slice() else { continue };
        if !codes.contains_key(&only.transaction_id) {
            let target =
                DocumentTarget { transaction_id: only.transaction_id.clone(), ..DocumentTarget::default() };
            let choices = document_choices(ctx, &target).await?;
            let known = choices.into_iter().map(|choice| choice.code).collect();
            codes.insert(only.transaction_id.clone(), known);
        }
        file.code = content::code_by_name(&file.file_name, &codes[&only.transaction_id]);
    }
    Ok(())
}

fn name_transaction(record: &TransactionRecord) -> NamedTransaction {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    NamedTransaction {
        transaction_id: record.id.to_string(),
        policy_number: text(&record.policy_number),
        insured: text(&record.mailing_insured_name),
        invoice_number: text(&record.extra_invoice_number),
        state: text(&record.physical_state),
        transaction_type: text(&record.transaction_type),
    }
}
