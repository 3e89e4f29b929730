//! The people of an office: the names they are shown by, and what is assigned to them.

use bordereau_api::{AssignWork, BoundaryError, ErrorCode, Nothing, OfficeName, OfficePeople, WorkKind};
use bordereau_contract::changes_text_direction;
use bordereau_store::Connection;
use bordereau_store::assignments::{AssignedItem, assign};
use bordereau_store::workspace::people::{list_names, list_people, save_name};

use crate::Context;
use crate::profile::active_profile;

/// Items assigned at once.
const ITEMS_MAX: usize = 1_000;
/// Bytes of an id.
const ID_BYTES_MAX: usize = 300;
/// Characters of a note.
const NOTE_MAX: usize = 500;
/// Characters of the name that a person is shown by.
const NAME_MAX: usize = 60;
const NO_PEOPLE: &str = "This computer uses its own data: nobody else sees a name.";
const OWN_DATA: &str = "This computer uses its own data, so there is nobody to assign work to.";

/// The people of the office, and the person at this desk.
pub async fn office_people(ctx: &Context, _request: Nothing) -> Result<OfficePeople, BoundaryError> {
    let Some(seat) = ctx.store().office() else { return Ok(OfficePeople::default()) };
    let database = seat.database.clone();
    let read = move |db: &mut Connection| Ok((list_people(db, &database)?, list_names(db)?));
    let (people, names) = ctx.store().with_connection(read).await?;
    Ok(OfficePeople { me: ctx.person(), may_assign: seat.may_work(), people, names })
}

/// Sets the name that a person of the office is shown by: one's own, or as an administrator anybody's.
///
/// # Errors
/// [`ErrorCode::Validation`] for a name that is too long or somebody else's, or outside of an office;
/// [`ErrorCode::Office`] for another person's name.
pub async fn office_name_save(ctx: &Context, request: OfficeName) -> Result<OfficePeople, BoundaryError> {
    let office = office_people(ctx, Nothing {}).await?;
    if office.me.is_empty() {
        return Err(BoundaryError::with_code(ErrorCode::Validation, NO_PEOPLE));
    }
    let name = request.name.split_whitespace().collect::<Vec<_>>().join(" ");
    let role = if request.person.is_empty() { office.me } else { request.person };
    let refused = |message: String| Err(BoundaryError::invalid_field("/name", message));
    if name.chars().count() > NAME_MAX || name.chars().any(|c| c.is_control() || changes_text_direction(c)) {
        return refused(format!("Enter a name of at most {NAME_MAX} letters."));
    }
    let is_same = |other: &str| other.to_lowercase() == name.to_lowercase();
    let shown = office.names.iter().find(|(other, shown)| **other != role && is_same(shown));
    let named = office.people.iter().find(|other| **other != role && is_same(other));
    if let Some(other) = shown.map(|(other, _)| other).or(named) {
        return refused(format!("{other} is shown as \"{name}\". Choose another name."));
    }
    let now = ctx.now_stamp();
    ctx.store().with_connection(move |db| save_name(db, &role, &name, &now)).await?;
    office_people(ctx, Nothing {}).await
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
