//! Matching columns and values, and saved mappings: remembered by name, or exported to a file that
//! others can use.

use std::path::Path;

use bordereau_spreadsheets::{Mapping, ProposedColumn, propose_mapping};

use super::changes::{
    DraftChange, LABEL_MAX, apply_and_keep, change_review, read_differently, slot_with_rows,
};
use super::column_answers;
use super::operations::review_state;
use super::session::ReviewSession;
use super::slots::{blocking, view_of, with_session};
use super::step::UndoStep;
use bordereau_api::*;
use bordereau_contract::pluralize;
use bordereau_session::Context;
use bordereau_session::files::{safe_name, save_through};
use bordereau_session::ports::FileFilter;

/// Largest mapping file, in bytes: hundreds of columns and thousands of words fit.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// Earlier versions saved mappings as `.json`.
pub fn filter() -> FileFilter {
    FileFilter { name: "Mapping".into(), extensions: ["bordereau", "json"].map(String::from).into() }
}

/// Answers questions, matches columns and values.
///
/// # Errors
/// [`ErrorCode::Validation`] names the answer that cannot be; nothing is changed then.
pub async fn review_match(ctx: &Context, request: ReviewMatch) -> Result<ReviewView, BoundaryError> {
    let saved = match request.use_mapping.as_str() {
        "" => None,
        name => {
            let text = ctx.store().load_mapping(name).await?;
            Some(Mapping::from_file(&text).map_err(unreadable_mapping)?)
        }
    };
    match_with(ctx, request, saved).await
}

async fn match_with(
    ctx: &Context,
    request: ReviewMatch,
    saved: Option<Mapping>,
) -> Result<ReviewView, BoundaryError> {
    let slot = slot_with_rows(ctx, &request.id).await?;
    if !request.overrides.is_empty() {
        read_differently(ctx, &slot, request.overrides.clone()).await?;
    }
    let wanted = request.clone();
    let remember = change_review(ctx, &request.id, move |session| {
        let kept = apply_answers(session, &wanted, saved)?;
        let mut mapping = session.review().mapping().clone();
        if wanted.keeps_proposals {
            drop_undecided(&mut mapping, &session.proposed);
        }
        Ok((kept, (session.draft.matched, column_answers::header_key(session), mapping)))
    })
    .await?;
    let (matched, headers, mapping) = remember;
    if matched {
        remember_for_headers(ctx, &headers, &mapping).await?;
    }
    let name = request.remember_as.trim();
    if !name.is_empty() {
        let named = Mapping { name: name.into(), ..mapping };
        ctx.store().save_mapping(name, "", named.to_file(), ctx.now_text()).await?;
    }
    view_of(&super::changes::open_slot(ctx, &request.id).await?).await
}

/// Without the columns that are not imported only because nobody was asked.
fn drop_undecided(mapping: &mut Mapping, proposed: &[ProposedColumn]) {
    let is_undecided = |column: &ProposedColumn| {
        column.suggestion.as_ref().is_some_and(|suggestion| suggestion.field.is_some())
    };
    let mut columns = proposed.iter();
    mapping.columns.retain(|choice| {
        let is_open = columns.next().is_some_and(is_undecided);
        choice.field.is_some() || !is_open
    });
}

/// A file with the same headers is matched like this from now on.
pub(super) async fn remember_for_headers(
    ctx: &Context,
    headers: &str,
    mapping: &Mapping,
) -> Result<(), BoundaryError> {
    let history = Mapping { name: String::new(), ..mapping.clone() };
    Ok(ctx.store().save_mapping("", headers, history.to_file(), ctx.now_text()).await?)
}

/// Saves the mapping of a review as a file for others, and for `bordereau import --mapping FILE`.
pub async fn mapping_save(ctx: &Context, request: ReviewId) -> Result<FileOutcome, BoundaryError> {
    let slot = slot_with_rows(ctx, &request.id).await?;
    let (mapping, file) = blocking(move || {
        with_session(&slot, |session| {
            let name = session.draft.mapping_name.clone();
            let stem = session.name.rsplit_once('.').map_or(session.name.as_str(), |(stem, _)| stem);
            let shown = if name.is_empty() { format!("{stem} mapping") } else { name.clone() };
            Ok((Mapping { name, ..session.review().mapping().clone() }, shown))
        })
    })
    .await??;
    save_mapping_file(ctx, &file, &mapping).await
}

/// Asks where, and saves it there.
pub async fn save_mapping_file(
    ctx: &Context,
    name: &str,
    mapping: &Mapping,
) -> Result<FileOutcome, BoundaryError> {
    let suggested = safe_name(&format!("{name}.bordereau"), "mapping.bordereau");
    save_through(ctx.ports(), suggested, filter(), mapping.to_file().into_bytes()).await
}

/// Asks for a mapping file and uses it in a review; from then on it is remembered under its name.
///
/// # Errors
/// [`ErrorCode::Validation`] when it is no mapping or names columns that the review does not have;
/// [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
pub async fn mapping_open(ctx: &Context, request: ReviewId) -> Result<MappingOpened, BoundaryError> {
    let chosen = ctx.ports().dialogs.open("Choose a mapping file".into(), filter()).await;
    let Some(path) = chosen else {
        return Ok(MappingOpened { name: String::new(), review: review_state(ctx, request).await? });
    };
    let mapping = read_mapping(&path).await?;
    let name = mapping.name.clone();
    let wanted = ReviewMatch { id: request.id, remember_as: name.clone(), ..ReviewMatch::default() };
    let review = match_with(ctx, wanted, Some(mapping)).await?;
    Ok(MappingOpened { name, review })
}

/// Why a stored or chosen mapping cannot be used.
pub fn unreadable_mapping(error: impl std::fmt::Display) -> BoundaryError {
    BoundaryError::with_code(ErrorCode::Validation, error.to_string())
}

/// A mapping without its own name is called like its file.
pub async fn read_mapping(path: &Path) -> Result<Mapping, BoundaryError> {
    let text = bordereau_session::files::read_text(path, FILE_BYTES_MAX).await.map_err(unreadable_mapping)?;
    let mapping = Mapping::from_file(&text).map_err(unreadable_mapping)?;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = if mapping.name.trim().is_empty() { stem } else { mapping.name.trim().to_owned() };
    Ok(Mapping { name: name.chars().take(LABEL_MAX).collect(), ..mapping })
}

fn apply_answers(
    session: &mut ReviewSession,
    request: &ReviewMatch,
    saved: Option<Mapping>,
) -> Result<DraftChange, BoundaryError> {
    let before = session.review().mapping().clone();
    let mut mapping = before.clone();
    if let Some(saved) = saved {
        let proposal = propose_mapping(session.review().source(), std::slice::from_ref(&saved));
        if proposal.remembered.is_none() {
            return Err(BoundaryError::with_code(
                ErrorCode::Validation,
                format!("The mapping \"{}\" names columns that this file does not have.", saved.name),
            ));
        }
        session.draft.mapping_name = saved.name;
        session.proposed = proposal.columns;
        mapping = proposal.mapping;
    }
    let mapping = column_answers::answered_mapping(session, &mapping, request)?;
    // A column that a person leaves out is not proposed again.
    for declined in request.columns.iter().filter(|change| change.field.is_none()) {
        if let Some(column) = session.proposed.get_mut(declined.column as usize) {
            column.suggestion = None;
        }
    }
    let name = request.remember_as.trim();
    if !name.is_empty() {
        session.draft.mapping_name = name.chars().take(LABEL_MAX).collect();
    }
    let mut kept = DraftChange::State;
    if mapping != before {
        if session.draft.matched {
            // Before the review there is nothing to go back to; in it a match is a step like any other.
            let label = match request.values.len() {
                0 if mapping.rules != before.rules => "Change rules".to_owned(),
                0 => "Match columns".to_owned(),
                n => format!("Match {}", pluralize(n, "value")),
            };
            let mapping = Some(Box::new((before, mapping)));
            kept = apply_and_keep(session, UndoStep { label, mapping, ..UndoStep::default() });
        } else {
            session.use_mapping(mapping);
        }
    }
    if request.done && !column_answers::has_question(session) {
        session.draft.matched = true;
    }
    Ok(kept)
}
