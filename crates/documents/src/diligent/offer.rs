//! What a state asks for and offers, and what is not in order yet.

use bordereau_contract::{Jurisdiction, TransactionType, parse_calendar_day};
use bordereau_forms::{
    FieldKind, FindingWeight, FormTemplate, Section, SectionBlock, TemplateField, check_forms,
};
use chrono::NaiveDate;

use super::MergedFormBook;
use crate::diligent::DiligentFiles;
use bordereau_api::{
    BoundaryError, FieldError, FormField, FormFinding, FormList, FormMissing, FormSection, FormStatus,
    FormView, FormsCheck, FormsQuestion, FormsRequest, to_u32,
};
use bordereau_session::{Context, run_off_thread};
use bordereau_store::declining_carriers::list_declining_carriers;

/// What the state asks for, with source and sureness, the forms for the transaction, and carriers that
/// declined before.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] names what cannot be read; [`bordereau_api::ErrorCode::Storage`].
pub async fn form_list(ctx: &Context, request: FormsQuestion) -> Result<FormList, BoundaryError> {
    let (state, transaction, day) = read_question(ctx, &request)?;
    let book = load_forms(ctx).await?;
    let requirement = book
        .forms
        .requirement_of(state)
        .ok_or_else(|| BoundaryError::internal_error("reading the forms of a state"))?;
    let applying = book.forms.applicable_templates(state, transaction, day, request.ecp, request.export_list);
    Ok(FormList {
        state: state.code().into(),
        state_name: state.title().into(),
        status: requirement.status_on(day).code().into(),
        since: requirement.since.map(|day| day.to_string()),
        text: requirement.text.clone(),
        sources: requirement.sources.clone(),
        sureness: requirement.checked.level,
        checked: requirement.checked.text.clone(),
        forms: applying.map(|template| form_view(template, book.is_own(template))).collect(),
        refused: book.refused.clone(),
        carriers: ctx.store().with_connection(|db| list_declining_carriers(db)).await?,
    })
}

/// What is not in order and what is missing, form by form. Never fails for what the person typed.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] for a form that does not belong there.
pub async fn form_check(ctx: &Context, request: FormsRequest) -> Result<FormsCheck, BoundaryError> {
    let data = match super::request::form_data(&request) {
        Ok(data) => data,
        Err(error) => {
            let finding = |field: FieldError| FormFinding {
                pointer: field.pointer,
                problem: true,
                message: field.message,
            };
            return Ok(FormsCheck {
                findings: error.details.into_iter().map(finding).collect(),
                forms: Vec::new(),
            });
        }
    };
    let book = load_forms(ctx).await?;
    let templates = book.wanted_templates(&data, &request.keys)?;
    let today = ctx.ports().clock.today();
    let finding = |found: bordereau_forms::CheckFinding| FormFinding {
        pointer: found.pointer,
        problem: found.weight == FindingWeight::Problem,
        message: found.message,
    };
    Ok(FormsCheck {
        findings: check_forms(&templates, &data, Some(today)).into_iter().map(finding).collect(),
        forms: templates
            .iter()
            .map(|template| FormStatus {
                key: template.key.clone(),
                title: template.title.clone(),
                asked: to_u32(template.declinations_required(&data)),
                missing: missing_views(template.missing_fields(&data)),
            })
            .collect(),
    })
}

fn read_question(
    ctx: &Context,
    asked: &FormsQuestion,
) -> Result<(Jurisdiction, TransactionType, NaiveDate), BoundaryError> {
    let mut faults = Vec::new();
    let state = asked.state.trim().to_ascii_uppercase().parse();
    if state.is_err() {
        faults.push(FieldError::at_pointer("/state", "Choose the state of the risk."));
    }
    let transaction = match asked.transaction_type.trim() {
        "" => Ok(TransactionType::New),
        code => code.to_ascii_uppercase().parse(),
    };
    if transaction.is_err() {
        faults.push(FieldError::at_pointer("/transaction_type", "Choose the transaction."));
    }
    let day = match asked.policy_effective_date.trim() {
        "" => Some(ctx.ports().clock.today()),
        text => parse_calendar_day(text),
    };
    if day.is_none() {
        let message = "This is not a date. Type it as 2026-02-23.";
        faults.push(FieldError::at_pointer("/policy_effective_date", message));
    }
    match (state, transaction, day) {
        (Ok(state), Ok(transaction), Some(day)) => Ok((state, transaction, day)),
        _ => Err(BoundaryError::invalid_fields(faults)),
    }
}

/// All forms, those in the person's own folder included.
pub(super) async fn load_forms(ctx: &Context) -> Result<MergedFormBook, BoundaryError> {
    let folder = DiligentFiles::from_context(ctx).templates_folder();
    run_off_thread("reading the forms", move || MergedFormBook::read(&folder)).await
}

pub(super) fn missing_views(found: Vec<bordereau_forms::MissingField>) -> Vec<FormMissing> {
    found.into_iter().map(|missing| FormMissing { name: missing.name, label: missing.label }).collect()
}

fn form_view(template: &FormTemplate, own: bool) -> FormView {
    FormView {
        key: template.key.clone(),
        code: template.code.clone(),
        title: template.title.clone(),
        prepares: template.prepares.clone(),
        declinations: template.declinations.and_then(|asked| u32::try_from(asked).ok()),
        declinations_text: template.declinations_text.clone(),
        exemptions: template.exemptions.clone(),
        due: template.due.clone(),
        sources: template.sources.clone(),
        sureness: template.checked.level,
        checked: template.checked.text.clone(),
        own,
        sections: template.sections.iter().map(section_view).collect(),
    }
}

fn section_view(section: &Section) -> FormSection {
    let (kind, fields) = match &section.block {
        SectionBlock::Fields(fields) => ("fields", fields.as_slice()),
        SectionBlock::Declinations => ("declinations", [].as_slice()),
        SectionBlock::Signatures { .. } => ("signatures", [].as_slice()),
    };
    FormSection {
        title: section.title.clone(),
        text: section.text.clone(),
        kind: kind.into(),
        fields: fields.iter().map(field_view).collect(),
    }
}

fn field_view(field: &TemplateField) -> FormField {
    let kind = match field.kind {
        FieldKind::Text => "text",
        FieldKind::Long => "long",
        FieldKind::Date => "date",
        FieldKind::Amount => "amount",
        FieldKind::YesNo => "yes_no",
        FieldKind::State => "state",
        FieldKind::Transaction => "transaction",
    };
    FormField {
        name: field.name.clone(),
        label: field.label.clone(),
        kind: kind.into(),
        required: field.required,
        half: field.half,
    }
}
