//! Assigns batches, files, events and due dates of an office to a person, or releases them.

use bordereau_api::{AssignWork, BoundaryError, ErrorCode, Nothing, OfficePeople, WorkKind};
use bordereau_store::assignments::{AssignedItem, assign};
use bordereau_store::workspace::list_people;

use crate::Context;
use crate::profile::active_profile;

/// Items assigned at once.
const ITEMS_MAX: usize = 1_000;
/// Bytes of an id.
const ID_BYTES_MAX: usize = 300;
/// Characters of a note.
const NOTE_MAX: usize = 500;
const OWN_DATA: &str = "This computer uses its own data, so there is nobody to assign work to.";

/// The people of the office, and the person at this desk.
pub async fn office_people(ctx: &Context, _request: Nothing) -> Result<OfficePeople, BoundaryError> {
    let Some(seat) = ctx.store().office() else { return Ok(OfficePeople::default()) };
    let database = seat.database.clone();
    let people = ctx.store().with_connection(move |connection| list_people(connection, &database)).await?;
    Ok(OfficePeople { me: ctx.person(), may_assign: seat.may_work(), people })
}

/// Assigns work to a person of the office, or releases it. The database refuses a reader.
///
/// # Errors
/// [`ErrorCode::Validation`] for a person who isn't in the office, a note that is too long, or outside of an office;
/// [`ErrorCode::NotFound`] for items that no longer exist; [`ErrorCode::Office`].
pub async fn work_assign(ctx: &Context, request: AssignWork) -> Result<Nothing, BoundaryError> {
    let AssignWork { kind, ids, person, note } = request;
    if ctx.store().office().is_none() {
        return Err(BoundaryError::with_code(ErrorCode::Validation, OWN_DATA));
    }
    let refused = |pointer: &str, message: String| Err(BoundaryError::invalid_field(pointer, message));
    let note = note.map(|note| note.trim().to_owned());
    if note.as_ref().is_some_and(|note| note.chars().count() > NOTE_MAX) {
        return refused("/note", format!("The note is longer than {NOTE_MAX} characters. Shorten it."));
    }
    if ids.len() > ITEMS_MAX || ids.iter().any(|id| id.is_empty() || id.len() > ID_BYTES_MAX) {
        return refused("/ids", format!("Choose what to assign, at most {ITEMS_MAX} at once."));
    }
    if !person.is_empty() && !office_people(ctx, Nothing {}).await?.people.contains(&person) {
        return refused(
            "/person",
            format!(
                "\"{person}\" doesn't work in this office: nobody of this name has a role that lets them work."
            ),
        );
    }
    let profile_id = match kind {
        WorkKind::DueDate => active_profile(ctx).await?.id,
        _ => String::new(),
    };
    let items: Vec<AssignedItem> =
        ids.into_iter().map(|id| AssignedItem { kind, profile_id: profile_id.clone(), id }).collect();
    let now = ctx.now_stamp();
    ctx.store()
        .with_connection(move |connection| assign(connection, &items, &person, note.as_deref(), &now))
        .await?;
    Ok(Nothing {})
}
