//! What goes with the rates in a rule file: stamp wordings and documents.

use std::sync::Arc;

use bordereau_contract::{ApplicableTransaction, StateDocument, TransactionType};
use chrono::NaiveDate;

use super::file::{DocumentText, StampText};
use super::values::{RuleProblem, optional_date, read_confidence, read_source, value_problem};
use crate::answer::StampWording;
use crate::documents::DocumentRule;

/// Wordings by the day from which they are used, oldest first.
pub(super) type DatedStamps = Vec<(Option<NaiveDate>, Arc<[StampWording]>)>;

pub(super) fn read_stamps(texts: &[StampText]) -> Result<DatedStamps, RuleProblem> {
    let mut dated: Vec<(Option<NaiveDate>, StampWording)> = Vec::new();
    for text in texts {
        let wording = StampWording {
            text: text.text.clone(),
            instructions: text.instructions.clone(),
            font_size: text.font_size,
            bold: text.bold,
            italics: text.italics,
            color: text.color.clone(),
            kind: text.kind.clone(),
            updated_at: text.updated_at.clone(),
            source: text.source.as_ref().map(|s| read_source(s, "stamp")).transpose()?,
            checked: read_confidence(&text.checked),
        };
        dated.push((optional_date(text.from.as_ref(), "stamp")?, wording));
    }
    let mut starts: Vec<Option<NaiveDate>> = dated.iter().map(|(from, _)| *from).collect();
    // There is always one, if only to say that no wording is known.
    starts.push(None);
    starts.sort_unstable();
    starts.dedup();
    Ok(starts
        .into_iter()
        .map(|start| {
            let of = dated.iter().filter(|(from, _)| *from == start).map(|(_, wording)| wording.clone());
            (start, of.collect())
        })
        .collect())
}

pub(super) fn read_document(text: &DocumentText) -> Result<DocumentRule, RuleProblem> {
    for flag in [text.rpg, text.ecp, text.exempt, text.export_list] {
        if flag > 2 {
            return Err(value_problem(&text.name, "a flag is 0 (no), 1 (yes) or 2 (both)"));
        }
    }
    let transaction =
        |t: &TransactionType| ApplicableTransaction { name: t.title().into(), short_code: t.code().into() };
    let document = StateDocument {
        name: text.name.clone(),
        code: text.code.clone(),
        document_note: text.note.clone(),
        upload_required: text.upload_required,
        transaction_types: text.transaction_types.iter().map(transaction).collect::<Vec<_>>().into(),
        date_active_from: text.from.clone(),
        date_active_to: text.until.clone(),
        document_group: text.document_group.clone(),
        rpg: Some(text.rpg),
        ecp: Some(text.ecp),
        exempt: Some(text.exempt),
        export_list: Some(text.export_list),
        required_for_filing: text.required_for_filing,
        required_for_binding: text.required_for_binding,
        include_with_policy: text.include_with_policy,
        include_in_diligent_effort: text.document_group == "Diligent Effort Documents",
        keep_on_hand: text.keep_on_hand,
        signature_requirements: text.signature_requirements.clone(),
        ..StateDocument::default()
    };
    Ok(DocumentRule {
        document: Arc::new(document),
        transactions: text.transaction_types.clone(),
        from: optional_date(text.from.as_ref(), &text.name)?,
        until: optional_date(text.until.as_ref(), &text.name)?,
    })
}
