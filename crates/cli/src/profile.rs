//! `bordereau profile`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bordereau_desk::Desk;
use bordereau_desk::api::{
    Environment, Nothing, Profile, ProfileId, ProfileView, SetApiKey, SignInRequest, TestOutcome, TestReport,
    TestStep,
};
use serde::Serialize;
use serde_json::Value;

use crate::arguments::{ProfileArguments, ProfileCommand, ProfileName, charger_code};
use crate::ending::Ending;
use crate::plain::on_one_line;
use crate::shared_arguments::Place;
use crate::{output, secret_entry, workplace};

pub(crate) async fn run(place: &Place, command: ProfileCommand) -> Result<(), Ending> {
    let desk = workplace::open(place, Arc::default())?;
    match command {
        ProfileCommand::Add(asked) => say(place, &add(&desk, *asked).await?),
        ProfileCommand::List => list(place, &desk).await,
        ProfileCommand::Test(named) => test(place, desk, named).await,
        ProfileCommand::Remove(named) => {
            // The one in use is never removed by leaving out its name.
            let Some(name) = named.name.or_else(|| place.profile.clone()) else {
                return Err(Ending::usage("say which profile to remove"));
            };
            let id = workplace::find(&desk, Some(&name)).await?.profile.id;
            desk.profile_remove(ProfileId { id }).await?;
            if place.json { output::write_json(&json(&Nothing {})?) } else { output::write("Removed.\n") }
        }
        ProfileCommand::Use(named) => {
            let id = chosen(place, &desk, named).await?.profile.id;
            let profiles = desk.profile_select(ProfileId { id }).await?.profiles;
            profiles.iter().find(|view| view.active).map_or(Ok(()), |view| say(place, view))
        }
        ProfileCommand::SetKey(named) => {
            let id = chosen(place, &desk, named).await?.profile.id;
            let key = secret_entry::ask("API key")?;
            say(place, &desk.profile_set_key(SetApiKey { id, key }).await?)
        }
        ProfileCommand::SignIn { profile, username } => {
            let profile = chosen(place, &desk, profile).await?.profile;
            let username = username.unwrap_or(profile.username);
            let password = secret_entry::ask("password")?;
            say(place, &desk.profile_sign_in(SignInRequest { id: profile.id, username, password }).await?)
        }
        ProfileCommand::SignOut(named) => {
            let id = chosen(place, &desk, named).await?.profile.id;
            say(place, &desk.profile_sign_out(ProfileId { id }).await?)
        }
    }
}

async fn chosen(place: &Place, desk: &Desk, named: ProfileName) -> Result<ProfileView, Ending> {
    workplace::find(desk, named.name.as_deref().or(place.profile.as_deref())).await
}

async fn add(desk: &Desk, asked: ProfileArguments) -> Result<ProfileView, Ending> {
    let profile = Profile {
        id: String::new(),
        name: asked.name,
        environment: asked.environment.into(),
        base_url: asked.address,
        client_type: asked.client_type.into(),
        sign_in: asked.sign_in.into(),
        username: asked.username,
        ca_file: whole_path(asked.ca_file)?,
        token_path: asked.token_path,
        calculator_path: asked.calculator_path,
        import_path: asked.import_path,
        results_path: asked.results_path,
        search_path: asked.search_path,
        status_path: asked.status_path,
        documents_path: asked.documents_path,
        forms_path: asked.forms_path,
        requests_per_minute: asked.requests_per_minute,
        lines_file: whole_path(asked.lines_file)?,
        kentucky_file: whole_path(asked.kentucky_file)?,
        fee_charged_by: charger_code(asked.fee_charged_by),
        sends_quote_details: asked.sends_quote_details,
    };
    Ok(desk.profile_save(profile).await?)
}

/// The profile outlives the folder the command was typed in.
fn whole_path(typed: Option<PathBuf>) -> Result<String, Ending> {
    let Some(path) = typed else { return Ok(String::new()) };
    let whole = std::path::absolute(&path).unwrap_or(path);
    whole
        .to_str()
        .map(str::to_owned)
        .ok_or_else(|| Ending::usage(format!("{} is not readable text; rename the file", shown(&whole))))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

async fn list(place: &Place, desk: &Desk) -> Result<(), Ending> {
    let list = desk.profile_list(Nothing {}).await?;
    if place.json {
        return output::write_json(&json(&list)?);
    }
    let lines: String = list.profiles.iter().map(|view| format!("{}\n", line(view))).collect();
    output::write(&lines)
}

fn say(place: &Place, view: &ProfileView) -> Result<(), Ending> {
    if place.json { output::write_json(&json(view)?) } else { output::write(&format!("{}\n", line(view))) }
}

/// `* Practice  practice  PRACTICE  this computer  ready`.
fn line(view: &ProfileView) -> String {
    let profile = &view.profile;
    let environment = match profile.environment {
        Environment::Practice => "PRACTICE",
        Environment::Sandbox => "SANDBOX",
        Environment::Production => "PRODUCTION",
    };
    let address = if profile.base_url.is_empty() { "this computer" } else { &profile.base_url };
    let state = if view.missing.is_empty() { "ready".to_owned() } else { view.missing.join(", ") };
    let mark = if view.active { '*' } else { ' ' };
    format!(
        "{mark} {:<20} {:<38} {environment:<10} {address}  {state}",
        on_one_line(&profile.name),
        profile.id
    )
}

async fn test(place: &Place, desk: Desk, named: ProfileName) -> Result<(), Ending> {
    let on =
        Place { data_dir: None, profile: named.name.or_else(|| place.profile.clone()), json: place.json };
    let (desk, view) = workplace::on_profile(&on, desk).await?;
    let report = desk.profile_test(ProfileId { id: view.profile.id }).await?;
    if place.json {
        output::write_json(&json(&report)?)?
    } else {
        output::write(&steps(&report))?
    }
    match report.steps.iter().find(|step| step.outcome == TestOutcome::Failed) {
        None => Ok(()),
        Some(step) => {
            let line =
                format!("{} failed: {}. {}", step.name, step.detail.trim_end_matches('.'), step.remedy);
            let line = line.trim_end();
            Err(if turned_away(step) { Ending::not_authorized(line) } else { Ending::failed(line) })
        }
    }
}

/// Reached, and not let in: by the sign-in, or by a calculator that is not contracted (403).
fn turned_away(step: &TestStep) -> bool {
    step.name == "Sign-in" || (step.name == "Calculator" && step.detail.contains("403"))
}

fn steps(report: &TestReport) -> String {
    let mut text = String::new();
    for step in &report.steps {
        let outcome = match step.outcome {
            TestOutcome::Ok => "ok",
            TestOutcome::Failed => "FAILED",
            TestOutcome::Skipped => "skipped",
        };
        text.push_str(&format!("{:<12} {outcome:<8} {}\n", step.name, step.detail));
    }
    text
}

fn json(value: &impl Serialize) -> Result<Value, Ending> {
    serde_json::to_value(value).map_err(|error| Ending::failed(format!("cannot write the answer: {error}")))
}
