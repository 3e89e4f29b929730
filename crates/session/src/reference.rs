//! Reference data that the forms load before anything is typed.

use bordereau_contract::{
    EntityType, EventKind, FeeChargedBy, Jurisdiction, Occupancy, POLICY_TYPE_TITLES, ServicePaths,
    TransactionType, WrittenAs,
};
use bordereau_spreadsheets::{COLUMN_PARTS_MAX, Field, TABLE_ENDINGS, ValueKind, trade_words_of};
use bordereau_tax::{BusinessLine, KentuckyTable, LinesTable, LocalTables, RuleBook, RuleChange};

use crate::Context;
use crate::profile::active_profile;
use crate::profile::load_tables;
use crate::profile::new_practice_profile;
use bordereau_api::{
    BoundaryError, DefaultPaths, EventKindInfo, FieldChoice, ImportField, LineInfo, NamedCode, Nothing,
    Profile, ReferenceData, RuleChangeView, RuleChanges, StateInfo, TransactionTypeInfo, to_u32,
};

/// States, lines, transaction and entity types; lines are the active profile's own where it has them.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Storage`]. A table that can't be read is omitted, so that the form still opens; a
/// quote reports the problem.
pub async fn reference_data(ctx: &Context, _request: Nothing) -> Result<ReferenceData, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let (local, lines_source) = usable_tables(ctx, &profile).await?;
    let rules = ctx.rules();
    let mut states: Vec<StateInfo> =
        Jurisdiction::ALL.iter().map(|state| state_info(rules.book(), *state, &local)).collect();
    states.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(ReferenceData {
        version: env!("CARGO_PKG_VERSION").into(),
        today: ctx.ports().clock.today().to_string(),
        rules_checked: rules.book().rules_checked().to_string(),
        rules_version: rules.version().to_string(),
        rules_from_pack: rules.pack_key().is_some(),
        states,
        transaction_types: TransactionType::ALL.iter().copied().map(transaction_type).collect(),
        entity_types: EntityType::ALL.iter().map(|kind| named_code(kind.code(), kind.title())).collect(),
        fee_chargers: FeeChargedBy::ALL.iter().map(|who| named_code(who.code(), who.title())).collect(),
        occupancies: Occupancy::ALL.iter().map(|how| named_code(how.code(), how.title())).collect(),
        fee_charged_by: profile.fee_charged_by,
        lines: line_infos(&local.lines),
        import_fields: Field::ALL.iter().map(|field| import_field(*field, &local.lines)).collect(),
        table_endings: TABLE_ENDINGS.map(str::to_owned).to_vec(),
        column_parts_max: COLUMN_PARTS_MAX as u32,
        lines_source,
        event_kinds: EventKind::ALL.into_iter().chain([EventKind::Other]).map(event_kind).collect(),
        service_paths: default_paths(),
    })
}

/// What changed in the tax rules, newest first.
pub async fn rules_changes(ctx: &Context, _request: Nothing) -> Result<RuleChanges, BoundaryError> {
    Ok(RuleChanges { changes: ctx.rules().changes().into_iter().map(rule_change).collect() })
}

async fn usable_tables(ctx: &Context, profile: &Profile) -> Result<(LocalTables, String), BoundaryError> {
    let tables = match load_tables(ctx, profile).await {
        Ok(tables) => tables,
        Err(error) => {
            tracing::warn!(%error, "the profile's tables are not used");
            load_tables(ctx, &new_practice_profile()).await?
        }
    };
    Ok((tables.local, tables.lines_source))
}

fn event_kind(kind: EventKind) -> EventKindInfo {
    EventKindInfo { kind, identifier: kind.identifier().to_owned(), title: kind.title().to_owned() }
}

fn import_field(field: Field, lines: &LinesTable) -> ImportField {
    ImportField {
        field: field.name().into(),
        title: field.title().into(),
        short_title: field.short_title().into(),
        kind: <&str>::from(field.kind()).into(),
        chars_max: to_u32(field.chars_max()),
        example: field.example().into(),
        choices: field_choices(field, lines)
            .into_iter()
            .map(|NamedCode { code, name }| {
                let trade_words = trade_words_of(field, &code);
                FieldChoice { code, name, trade_words }
            })
            .collect(),
    }
}

fn default_paths() -> DefaultPaths {
    let usual = ServicePaths::default();
    DefaultPaths {
        token_path: usual.token,
        calculator_path: usual.calculator,
        import_path: usual.batch_import,
        results_path: usual.batch_results,
        search_path: usual.search,
        status_path: usual.transaction_status,
        documents_path: usual.document_import,
        forms_path: usual.diligent_forms,
        single_path: usual.single_v2,
        webhooks_path: usual.webhooks,
    }
}

/// The codes of a field, sorted by name.
fn field_choices(field: Field, lines: &LinesTable) -> Vec<NamedCode> {
    let named = |(code, title): &(&str, &str)| named_code(code, title);
    match field {
        Field::TransactionType => {
            TransactionType::ALL.iter().map(|kind| named_code(kind.code(), kind.title())).collect()
        }
        Field::PhysicalState | Field::MailingState => {
            let mut states: Vec<NamedCode> =
                Jurisdiction::ALL.iter().map(|state| named_code(state.code(), state.title())).collect();
            states.sort_by(|a, b| a.name.cmp(&b.name));
            states
        }
        Field::AccountWrittenAs => {
            WrittenAs::ALL.iter().map(|how| named_code(how.code(), how.title())).collect()
        }
        Field::InsuredEntity => {
            EntityType::ALL.iter().map(|kind| named_code(kind.code(), kind.title())).collect()
        }
        Field::AgencyFeeChargedBy => {
            FeeChargedBy::ALL.iter().map(|who| named_code(who.code(), who.title())).collect()
        }
        Field::Occupancy => Occupancy::ALL.iter().map(|how| named_code(how.code(), how.title())).collect(),
        Field::PolicyType => POLICY_TYPE_TITLES.iter().map(named).collect(),
        Field::LineOfBusiness => lines.iter().map(|line| named_code(&line.code, &line.name)).collect(),
        _ if field.kind() == ValueKind::Flag => [("1", "Yes"), ("0", "No")].iter().map(named).collect(),
        _ => Vec::new(),
    }
}

fn named_code(code: &str, name: &str) -> NamedCode {
    NamedCode { code: code.into(), name: name.into() }
}

fn state_info(book: &RuleBook, state: Jurisdiction, local: &LocalTables) -> StateInfo {
    let summary = book.state_summary(state);
    let mut municipalities = summary.municipalities;
    if state == Jurisdiction::Ky {
        municipalities.extend(local.kentucky.iter().flat_map(place_names));
        municipalities.sort();
        municipalities.dedup();
    }
    StateInfo {
        code: state.code().into(),
        name: state.title().into(),
        asks_location: summary.asks_location,
        asks_commission: summary.asks_commission,
        asks_admitted: summary.asks_admitted,
        asks_fee_charged_by: summary.asks_fee_charged_by,
        asks_occupancy_on: summary.asks_occupancy_on,
        assessment_title: summary.assessment_title,
        asks_assessment_on: summary.asks_assessment_on,
        unsure: summary.unsure,
        municipalities,
    }
}

fn rule_change(change: RuleChange) -> RuleChangeView {
    RuleChangeView {
        published: change.published,
        states: change.states.iter().map(|state| state.code().to_owned()).collect(),
        from: change.from,
        until: change.until,
        text: change.text,
    }
}

fn place_names(table: &KentuckyTable) -> impl Iterator<Item = String> {
    table.iter().map(|municipality| municipality.name.to_string())
}

fn transaction_type(kind: TransactionType) -> TransactionTypeInfo {
    TransactionTypeInfo {
        code: kind.code().into(),
        name: kind.title().into(),
        credit: kind.is_credit(),
        needs_transaction_date: !kind.starts_policy(),
    }
}

fn line_infos(table: &LinesTable) -> Vec<LineInfo> {
    let line = |line: &BusinessLine| LineInfo {
        code: line.code.to_string(),
        name: line.name.to_string(),
        class: line.class.to_string(),
        trade_words: trade_words_of(Field::LineOfBusiness, &line.code),
    };
    table.iter().map(line).collect()
}
