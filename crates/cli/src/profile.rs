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
use crate::exit::CommandExit;
use crate::shared_arguments::GlobalArgs;
use crate::terminal_text::on_one_line;
use crate::{open_desk, output, secret_entry};

pub(crate) async fn run_profile(place: &GlobalArgs, command: ProfileCommand) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk(place, Arc::default())?;
    match command {
        ProfileCommand::Add(asked) => print_profile(place, &add_profile(&desk, *asked).await?),
        ProfileCommand::List => list_profiles(place, &desk).await,
        ProfileCommand::Test(named) => test_profile(place, desk, named).await,
        ProfileCommand::Remove(named) => {
            // The one in use is never removed by leaving out its name.
            let Some(name) = named.name.or_else(|| place.profile.clone()) else {
                return Err(CommandExit::usage_error("say which profile to remove"));
            };
            let id = open_desk::find_profile(&desk, Some(&name)).await?.profile.id;
            desk.profile_remove(ProfileId { id }).await?;
            if place.json { output::write_json(&to_json(&Nothing {})?) } else { output::write("Removed.\n") }
        }
        ProfileCommand::Use(named) => {
            let id = choose_profile(place, &desk, named).await?.profile.id;
            let profiles = desk.profile_select(ProfileId { id }).await?.profiles;
            profiles.iter().find(|view| view.active).map_or(Ok(()), |view| print_profile(place, view))
        }
        ProfileCommand::SetKey(named) => {
            let id = choose_profile(place, &desk, named).await?.profile.id;
            let key = secret_entry::ask_secret("API key")?;
            print_profile(place, &desk.profile_set_key(SetApiKey { id, key }).await?)
        }
        ProfileCommand::SignIn { profile, username } => {
            let profile = choose_profile(place, &desk, profile).await?.profile;
            let username = username.unwrap_or(profile.username);
            let password = secret_entry::ask_secret("password")?;
            print_profile(
                place,
                &desk.profile_sign_in(SignInRequest { id: profile.id, username, password }).await?,
            )
        }
        ProfileCommand::SignOut(named) => {
            let id = choose_profile(place, &desk, named).await?.profile.id;
            print_profile(place, &desk.profile_sign_out(ProfileId { id }).await?)
        }
    }
}

async fn choose_profile(
    place: &GlobalArgs,
    desk: &Desk,
    named: ProfileName,
) -> Result<ProfileView, CommandExit> {
    open_desk::find_profile(desk, named.name.as_deref().or(place.profile.as_deref())).await
}

async fn add_profile(desk: &Desk, asked: ProfileArguments) -> Result<ProfileView, CommandExit> {
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
fn whole_path(typed: Option<PathBuf>) -> Result<String, CommandExit> {
    let Some(path) = typed else { return Ok(String::new()) };
    let whole = std::path::absolute(&path).unwrap_or(path);
    whole.to_str().map(str::to_owned).ok_or_else(|| {
        CommandExit::usage_error(format!("{} is not readable text; rename the file", path_text(&whole)))
    })
}

fn path_text(path: &Path) -> String {
    path.display().to_string()
}

async fn list_profiles(place: &GlobalArgs, desk: &Desk) -> Result<(), CommandExit> {
    let list = desk.profile_list(Nothing {}).await?;
    if place.json {
        return output::write_json(&to_json(&list)?);
    }
    let lines: String = list.profiles.iter().map(|view| format!("{}\n", profile_line(view))).collect();
    output::write(&lines)
}

fn print_profile(place: &GlobalArgs, view: &ProfileView) -> Result<(), CommandExit> {
    if place.json {
        output::write_json(&to_json(view)?)
    } else {
        output::write(&format!("{}\n", profile_line(view)))
    }
}

/// `* Practice  practice  PRACTICE  this computer  ready`.
fn profile_line(view: &ProfileView) -> String {
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

async fn test_profile(place: &GlobalArgs, desk: Desk, named: ProfileName) -> Result<(), CommandExit> {
    let on = GlobalArgs {
        data_dir: None,
        profile: named.name.or_else(|| place.profile.clone()),
        json: place.json,
    };
    let (desk, view) = open_desk::on_profile(&on, desk).await?;
    let report = desk.profile_test(ProfileId { id: view.profile.id }).await?;
    if place.json {
        output::write_json(&to_json(&report)?)?
    } else {
        output::write(&steps_text(&report))?
    }
    match report.steps.iter().find(|step| step.outcome == TestOutcome::Failed) {
        None => Ok(()),
        Some(step) => {
            let line =
                format!("{} failed: {}. {}", step.name, step.detail.trim_end_matches('.'), step.remedy);
            let line = line.trim_end();
            Err(if turned_away(step) {
                CommandExit::not_authorized(line)
            } else {
                CommandExit::with_failure(line)
            })
        }
    }
}

/// Reached, and not let in: by the sign-in, or by a calculator that is not contracted (403).
fn turned_away(step: &TestStep) -> bool {
    step.name == "Sign-in" || (step.name == "Calculator" && step.detail.contains("403"))
}

fn steps_text(report: &TestReport) -> String {
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

fn to_json(value: &impl Serialize) -> Result<Value, CommandExit> {
    serde_json::to_value(value)
        .map_err(|error| CommandExit::with_failure(format!("cannot write the answer: {error}")))
}
