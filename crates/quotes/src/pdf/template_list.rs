//! The agency's templates of the client's sheet by name, with the standard one that is always there.

use std::collections::BTreeMap;

use bordereau_api::{
    BoundaryError, Conflict, NamedSheetTemplate, Nothing, STANDARD_TEMPLATE, Settings, SheetTemplate,
    SheetTemplateList, SheetTemplateName, SheetTemplateSave, revision_of,
};
use bordereau_session::Context;
use bordereau_session::settings::{settings_load, settings_save};
use bordereau_store::{ValueName, change_shared_value};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::agency::read_draft;
use super::template::{BUILT_IN, built_in_template, read_template};

const NAME_CHARS_MAX: usize = 60;
const TEMPLATES_MAX: usize = 50;

/// What is stored: earlier versions had the standard template's text alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum StoredValue {
    Standard(String),
    Templates(StoredTemplates),
}

/// The text of each template; an empty one of the standard template is the built-in one.
#[derive(Default, Serialize, Deserialize)]
struct StoredTemplates {
    standard: String,
    #[serde(default)]
    named: BTreeMap<String, String>,
}

impl StoredTemplates {
    async fn load(ctx: &Context) -> Result<StoredTemplates, BoundaryError> {
        let stored = ctx.store().load_value(ValueName::SheetTemplate).await?;
        Ok(StoredTemplates::of(stored.map(|(stored, _)| stored)))
    }

    fn of(stored: Option<StoredValue>) -> StoredTemplates {
        match stored {
            None => StoredTemplates::default(),
            Some(StoredValue::Standard(standard)) => {
                StoredTemplates { standard, ..StoredTemplates::default() }
            }
            Some(StoredValue::Templates(stored)) => stored,
        }
    }

    /// The text of a template, empty where there is none.
    fn text_of(&self, name: &str) -> &str {
        if name == STANDARD_TEMPLATE {
            &self.standard
        } else {
            self.named.get(name).map_or("", String::as_str)
        }
    }

    fn replace(&mut self, previous: &str, name: String, text: String) {
        if name == STANDARD_TEMPLATE {
            self.standard = text;
        } else {
            self.named.remove(previous);
            self.named.insert(name, text);
        }
    }

    /// The template of this name, however its letters are written.
    fn name_of(&self, name: &str) -> Option<String> {
        let wanted = name.trim().to_lowercase();
        let mut names = std::iter::once(STANDARD_TEMPLATE).chain(self.named.keys().map(String::as_str));
        names.find(|known| known.to_lowercase() == wanted).map(str::to_owned)
    }

    fn list(&self, chosen: &str) -> SheetTemplateList {
        let is_built_in = self.standard.is_empty();
        let standard = NamedSheetTemplate {
            name: STANDARD_TEMPLATE.to_owned(),
            text: if is_built_in { BUILT_IN.to_owned() } else { self.standard.clone() },
            built_in: is_built_in,
            revision: revision_of(&template_lines(&self.standard)),
        };
        let named = self.named.iter().map(|(name, text)| NamedSheetTemplate {
            name: name.clone(),
            text: text.clone(),
            built_in: false,
            revision: revision_of(&template_lines(text)),
        });
        SheetTemplateList {
            templates: std::iter::once(standard).chain(named).collect(),
            chosen: self.name_of(chosen).unwrap_or_else(|| STANDARD_TEMPLATE.to_owned()),
        }
    }
}

/// The templates, and which was chosen last.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Storage`].
pub async fn sheet_template_list(
    ctx: &Context,
    _request: Nothing,
) -> Result<SheetTemplateList, BoundaryError> {
    let chosen = settings_load(ctx, Nothing {}).await?.sheet_template;
    Ok(StoredTemplates::load(ctx).await?.list(&chosen))
}

/// Keeps a template under its name; an empty standard one brings the built-in one back.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] says where it is wrong, or what is wrong with its name;
/// [`bordereau_api::ErrorCode::ChangedElsewhere`] where someone else changed it since it was read.
pub async fn sheet_template_save(
    ctx: &Context,
    request: SheetTemplateSave,
) -> Result<SheetTemplateList, BoundaryError> {
    let SheetTemplateSave { name, previous, draft } = request;
    let is_standard = previous == STANDARD_TEMPLATE && name == STANDARD_TEMPLATE;
    let name =
        if is_standard { name } else { checked_name(&StoredTemplates::load(ctx).await?, &name, &previous)? };
    let is_empty = is_standard && draft.template.is_none() && draft.text.trim().is_empty();
    let read = draft.revision.clone();
    let text = if is_empty { String::new() } else { read_draft(draft)?.0 };
    let (earlier, now) = (previous.clone(), name.clone());
    let change = move |stored: Option<StoredValue>| {
        let mut stored = StoredTemplates::of(stored);
        let (theirs, mine) = (template_lines(stored.text_of(&earlier)), template_lines(&text));
        Conflict::ensure_none("template", "", read.as_deref(), &theirs, &mine)?;
        stored.replace(&earlier, now, text);
        Ok(stored)
    };
    change_shared_value(ctx.store(), ValueName::SheetTemplate, ctx.now_text(), change).await?;
    let settings = settings_load(ctx, Nothing {}).await?;
    if !previous.is_empty() && settings.sheet_template == previous && name != previous {
        settings_save(ctx, Settings { sheet_template: name, ..settings }).await?;
    }
    sheet_template_list(ctx, Nothing {}).await
}

/// Deletes a template; sheets that name none are made with the standard one then.
///
/// # Errors
/// [`bordereau_api::ErrorCode::NotFound`] where there is none of this name, or only the standard one.
pub async fn sheet_template_delete(
    ctx: &Context,
    request: SheetTemplateName,
) -> Result<SheetTemplateList, BoundaryError> {
    if !StoredTemplates::load(ctx).await?.named.contains_key(&request.name) {
        return Err(BoundaryError::not_found("template"));
    }
    let change = move |stored: Option<StoredValue>| {
        let mut stored = StoredTemplates::of(stored);
        stored.named.remove(&request.name);
        Ok(stored)
    };
    change_shared_value(ctx.store(), ValueName::SheetTemplate, ctx.now_text(), change).await?;
    sheet_template_list(ctx, Nothing {}).await
}

/// What two versions of a template are compared by.
fn template_lines(text: &str) -> Value {
    json!({ "line": text.lines().collect::<Vec<_>>() })
}

fn checked_name(stored: &StoredTemplates, name: &str, previous: &str) -> Result<String, BoundaryError> {
    let refused = |message: &str| Err(BoundaryError::invalid_field("/name", message));
    let name = name.trim();
    if previous == STANDARD_TEMPLATE {
        return refused("The standard template keeps its name. Copy it under another one.");
    }
    if name.is_empty() || name.chars().count() > NAME_CHARS_MAX || name.chars().any(char::is_control) {
        return refused("Give the template a name of at most 60 characters.");
    }
    if stored.name_of(name).is_some_and(|known| known != previous) {
        return refused("There is a template of this name. Choose another name.");
    }
    if previous.is_empty() && stored.named.len() >= TEMPLATES_MAX {
        return refused("There are 50 templates. Delete one first.");
    }
    Ok(name.to_owned())
}

/// The template of a sheet: the one it names, or the one that was chosen last. One that can no longer be read is not
/// used.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] where there is none of this name.
pub(super) async fn find_template(ctx: &Context, name: &str) -> Result<SheetTemplate, BoundaryError> {
    let stored = StoredTemplates::load(ctx).await?;
    let chosen = match name.trim() {
        "" => settings_load(ctx, Nothing {}).await?.sheet_template,
        name => stored.name_of(name).ok_or_else(|| {
            let names: Vec<String> = stored.list("").templates.into_iter().map(|each| each.name).collect();
            let message =
                format!("There is no template \"{name}\". Choose one of these: {}.", names.join(", "));
            BoundaryError::invalid_field("/sheet/template", message)
        })?,
    };
    let list = stored.list(&chosen);
    let text = list.templates.into_iter().find(|each| each.name == list.chosen).map(|each| each.text);
    Ok(text.and_then(|text| read_template(&text).ok()).unwrap_or_else(built_in_template))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_earlier_versions_stored_is_the_standard_template() {
        let read = |text: &str| match serde_json::from_str(text).unwrap() {
            StoredValue::Standard(standard) => (standard, 0),
            StoredValue::Templates(stored) => (stored.standard, stored.named.len()),
        };
        assert_eq!(read("\"title = 'Quote'\""), ("title = 'Quote'".to_owned(), 0));
        assert_eq!(read("\"\""), (String::new(), 0));
        let mut stored = StoredTemplates { standard: "title".into(), ..StoredTemplates::default() };
        stored.named.insert("Renewals".into(), "text".into());
        assert_eq!(read(&serde_json::to_string(&stored).unwrap()), ("title".to_owned(), 1));
    }
}
