//! Filled diligent effort forms (contract section 5).

use axum::extract::{Request, State};
use axum::response::Response;
use bordereau_contract::{
    DOWNLOAD_LINK_SECONDS, DiligentForms, DiligentRequest, DiligentRequirement, FilledForm,
};
use bordereau_dialects::ServiceEndpoint;
use bordereau_forms::{FormBook, FormData, FormTemplate, PRACTICE_MARK};
use bordereau_service_store::{StoreError, filled_forms};

use crate::Clock;
use crate::answer::json_answer;
use crate::body;
use crate::calculator::host_url;
use crate::imports;
use crate::refusal::Refusal;
use crate::service::{AppState, Service};

/// `POST` of policy data and search results; filled forms come back behind one-time addresses.
pub(crate) async fn post_forms(State(app): State<AppState>, request: Request) -> Response {
    let answer = async |request| Ok(json_answer(&fill_forms(&app, request).await?));
    app.answer(ServiceEndpoint::DiligentForms, request, answer).await
}

async fn fill_forms(app: &AppState, request: Request) -> Result<DiligentForms, Refusal> {
    let (parts, body) = request.into_parts();
    app.admit_caller(&parts).await?;
    let text = body::json_text(&parts, body).await?;
    let base_url = host_url(&parts, &app.base_url);
    let app = app.clone();
    imports::off_thread(move || {
        let sent: DiligentRequest = body::parse_object(&text)?;
        let data = FormData::read(&sent).map_err(Refusal::invalid_fields)?;
        let templates = wanted_templates(&data)?;
        let requirement = requirement_of(&data);
        let mut forms = Vec::with_capacity(templates.len());
        let mut files = Vec::with_capacity(templates.len());
        let now = app.clock.now().timestamp();
        let mut links = app.links.answer_links(&base_url, now);
        for template in templates {
            let filled = template
                .fill_form(&data, PRACTICE_MARK, None)
                .map_err(|_| Refusal::internal_error("The pages of the form could not be created."))?;
            let download_url = links.next(template.state.code(), &template.code, &template.title);
            files.push((link_id(&app, &download_url)?, filled.pdf));
            forms.push(FilledForm {
                name: template.title.clone(),
                code: template.code.clone(),
                state: template.state.code().into(),
                complete: filled.missing.is_empty(),
                missing_fields: filled.missing.into_iter().map(|missing| missing.name).collect(),
                download_url,
                ..FilledForm::default()
            });
        }
        let until = now + DOWNLOAD_LINK_SECONDS;
        app.store
            .run_on_this_thread(|db| filled_forms::insert(db, &files, now, until))
            .map_err(StoreError::from)?;
        Ok(DiligentForms { requirement, forms })
    })
    .await
}

/// The forms asked for by code, or all that apply.
fn wanted_templates(data: &FormData) -> Result<Vec<&'static FormTemplate>, Refusal> {
    let book = FormBook::builtin();
    let (day, transaction) = (data.policy_effective, data.transaction);
    let all: Vec<_> =
        book.applicable_templates(data.state, transaction, day, data.ecp, data.export_list).collect();
    if let Some(at) = data.wanted.iter().position(|code| !all.iter().any(|form| form.code == *code)) {
        let code: String =
            data.wanted.get(at).map(|code| code.chars().take(20).collect()).unwrap_or_default();
        let detail = format!("{} has no form {code} for this transaction and date.", data.state.title());
        return Err(Refusal::invalid_field(&format!("/forms/{at}"), detail));
    }
    let asked = |form: &&FormTemplate| data.wanted.is_empty() || data.wanted.contains(&form.code);
    Ok(all.into_iter().filter(asked).collect())
}

fn requirement_of(data: &FormData) -> DiligentRequirement {
    let Some(found) = FormBook::builtin().requirement_of(data.state) else {
        return DiligentRequirement::default();
    };
    DiligentRequirement {
        state: found.state.code().into(),
        status: found.status_on(data.policy_effective).code().into(),
        text: found.text.clone(),
        since: found.since.map(|day| day.to_string()),
        sources: found.sources.iter().map(|source| source.url.clone()).collect(),
        checked: found.checked.text.clone(),
    }
}

/// The id for which one of this service's addresses is used.
fn link_id(app: &Service, address: &str) -> Result<String, Refusal> {
    let token = address.rsplit('/').next().unwrap_or_default();
    let linked =
        app.links.open(token).ok_or_else(|| Refusal::internal_error("The address could not be made."))?;
    Ok(linked.id)
}
