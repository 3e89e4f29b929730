//! `bordereau profile`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bordereau_desk::Desk;
use bordereau_desk::api::{
    Nothing, OpenProfile, Profile, ProfileId, ProfileView, SaveAnswers, SetApiKey, SignInRequest,
    TestOutcome, TestReport, TestStep,
};
use serde::Serialize;
use serde_json::Value;

use crate::environment::environment_word;
use crate::exit::CommandExit;
use crate::file_target::{FileTarget, can_be_saved};
use crate::profile_arguments::{ProfileArguments, ProfileChanges, ProfileCommand, ProfileEdit, ProfileName};
use crate::shared_arguments::{GlobalArgs, charger_code};
use crate::{open_desk, output, secret_entry};
use bordereau_host::terminal_text::on_one_line;

pub(crate) async fn run_profile(place: &GlobalArgs, command: ProfileCommand) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk_to_save(place, Arc::default())?;
    match command {
        ProfileCommand::Add(asked) => print_profile(place, &add_profile(&desk, *asked).await?),
        ProfileCommand::Edit(asked) => print_profile(place, &edit_profile(place, &desk, *asked).await?),
        ProfileCommand::Show(named) => show_profile(place, &choose_profile(place, &desk, named).await?),
        ProfileCommand::Export { profile, to } => {
            drop(desk);
            export_profile(place, profile, &to).await
        }
        ProfileCommand::Answers { profile, save, clear } => {
            drop(desk);
            unread_answers(place, profile, save, clear).await
        }
        ProfileCommand::Import { file, name } => {
            print_profile(place, &import_profile(&desk, file, name).await?)
        }
        ProfileCommand::List => list_profiles(place, &desk).await,
        ProfileCommand::Test(named) => test_profile(place, desk, named).await,
        ProfileCommand::Remove(named) => {
            // Never remove the profile in use just because no name was given.
            let Some(name) = named.name.or_else(|| place.profile.clone()) else {
                return Err(CommandExit::usage_error("say which profile to remove"));
            };
            let id = open_desk::find_profile(&desk, Some(&name)).await?.profile.id;
            desk.profile_remove(ProfileId { id }).await?;
            output::write_answer(place, &Nothing {}, || "Removed.\n")
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
    let owner = if asked.only_me { desk.office_people(Nothing {}).await?.me } else { String::new() };
    if asked.only_me && owner.is_empty() {
        return Err(CommandExit::usage_error("--only-me is for an office: this computer uses its own data"));
    }
    let profile = Profile {
        owner,
        name: asked.name,
        environment: asked.environment.into(),
        base_url: asked.address,
        ..Profile::default()
    };
    Ok(desk.profile_save(with_changes(desk, profile, asked.changes)?).await?)
}

async fn edit_profile(
    place: &GlobalArgs,
    desk: &Desk,
    asked: ProfileEdit,
) -> Result<ProfileView, CommandExit> {
    let named = asked.profile.as_deref().or(place.profile.as_deref());
    let mut profile = open_desk::find_profile(desk, named).await?.profile;
    let ProfileEdit { name, address, environment, changes, .. } = asked;
    apply_change(&mut profile.name, name);
    apply_change(&mut profile.base_url, address);
    apply_change(&mut profile.environment, environment.map(Into::into));
    Ok(desk.profile_save(with_changes(desk, profile, changes)?).await?)
}

fn apply_change<T>(value: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *value = given;
    }
}

/// The profile with the given changes; everything else stays.
fn with_changes(desk: &Desk, mut profile: Profile, asked: ProfileChanges) -> Result<Profile, CommandExit> {
    let texts = [
        (&mut profile.username, asked.username),
        (&mut profile.token_path, asked.token_path),
        (&mut profile.calculator_path, asked.calculator_path),
        (&mut profile.import_path, asked.import_path),
        (&mut profile.single_path, asked.single_path),
        (&mut profile.results_path, asked.results_path),
        (&mut profile.search_path, asked.search_path),
        (&mut profile.status_path, asked.status_path),
        (&mut profile.documents_path, asked.documents_path),
        (&mut profile.forms_path, asked.forms_path),
        (&mut profile.webhooks_path, asked.webhooks_path),
        (&mut profile.rules_address, asked.rules_address),
        (&mut profile.signature_header, asked.signature_header),
        (&mut profile.signature_prefix, asked.signature_prefix),
    ];
    texts.into_iter().for_each(|(text, given)| apply_change(text, given));
    let files = [
        (&mut profile.ca_file, asked.ca_file),
        (&mut profile.lines_file, asked.lines_file),
        (&mut profile.kentucky_file, asked.kentucky_file),
    ];
    for (file, given) in files {
        if let Some(path) = given {
            *file = file_handle(desk, path);
        }
    }
    apply_change(&mut profile.client_type, asked.client_type.map(Into::into));
    apply_change(&mut profile.sign_in, asked.sign_in.map(Into::into));
    apply_change(&mut profile.requests_per_minute, asked.requests_per_minute);
    apply_change(&mut profile.rows_per_request, asked.rows_per_request);
    apply_change(&mut profile.sends_quote_details, asked.sends_quote_details);
    apply_change(&mut profile.has_no_calculator, asked.has_calculator.map(|has| !has));
    apply_change(&mut profile.delivery_proof, asked.deliveries.map(Into::into));
    apply_change(&mut profile.signature_form, asked.signature_form.map(Into::into));
    if let Some(who) = asked.fee_charged_by {
        profile.fee_charged_by = charger_code(Some(who));
    }
    for word in asked.words {
        profile.words.retain(|known| known.kind != word.kind || !known.word.eq_ignore_ascii_case(&word.word));
        // Without a meaning the word is removed from the table.
        if !word.meaning.is_empty() {
            profile.words.push(word);
        }
    }
    Ok(profile)
}

/// Shows everything in a profile, one line each; defaults are omitted.
fn show_profile(place: &GlobalArgs, view: &ProfileView) -> Result<(), CommandExit> {
    if place.json {
        return output::write_json(&to_json(view)?);
    }
    let Value::Object(members) = to_json(&view.profile)? else { return Ok(()) };
    let mut text = format!("{}\n", profile_line(view));
    for (name, value) in members {
        let shown = match value {
            Value::String(value) if !value.is_empty() => {
                // A copy in the data folder is shown by its file name.
                let is_file = name.ends_with("_file");
                let shown = if is_file { value.rsplit('/').next().unwrap_or_default() } else { &value };
                on_one_line(shown).into_owned()
            }
            Value::Number(value) if value.as_u64() != Some(0) => value.to_string(),
            Value::Bool(true) => "yes".to_owned(),
            _ => continue,
        };
        text.push_str(&format!("{:<22} {shown}\n", name.replace('_', " ")));
    }
    for word in &view.profile.words {
        let kind = <&str>::from(word.kind);
        text.push_str(&format!(
            "{:<22} {} means {}\n",
            format!("word of a {kind}"),
            on_one_line(&word.word),
            on_one_line(&word.meaning)
        ));
    }
    output::write(&text)
}

async fn export_profile(place: &GlobalArgs, named: ProfileName, file: &Path) -> Result<(), CommandExit> {
    can_be_saved(file)?;
    let desk = open_desk::open_desk_to_save(place, Arc::new(FileTarget::new(Some(file.to_owned()))))?;
    let id = choose_profile(place, &desk, named).await?.profile.id;
    let saved = desk.profile_export(ProfileId { id }).await?;
    output::write_answer(place, &saved, || {
        format!("Saved {} without key, sign-in, username, and files of this computer.\n", saved.file_name)
    })
}

/// Shows answers of the service that weren't understood.
async fn unread_answers(
    place: &GlobalArgs,
    named: ProfileName,
    save: Option<PathBuf>,
    clear: bool,
) -> Result<(), CommandExit> {
    save.as_deref().map_or(Ok(()), can_be_saved)?;
    let is_saved = save.is_some();
    let desk = open_desk::open_desk_to_save(place, Arc::new(FileTarget::new(save)))?;
    let id = choose_profile(place, &desk, named).await?.profile.id;
    let desk = desk.with_profile(&id);
    if clear {
        desk.unread_answers_clear(Nothing {}).await?;
    } else if is_saved {
        let saved = desk.unread_answers_save(SaveAnswers { ids: Vec::new() }).await?;
        return output::write_answer(place, &saved, || {
            format!("Saved {}. It may contain policy data.\n", saved.file_name)
        });
    }
    let found = desk.unread_answers(Nothing {}).await?;
    if place.json {
        return output::write_json(&to_json(&found)?);
    }
    let mut text = String::new();
    for kept in &found.answers {
        let answer = &kept.answer;
        let what = if answer.lost == 0 {
            "not understood".to_owned()
        } else {
            format!("{} parts not understood", answer.lost)
        };
        text.push_str(&format!(
            "{}  {}, status {}, {what}, {} times\n",
            output::local_time(&kept.at),
            answer.operation,
            answer.status,
            kept.times
        ));
        for part in &answer.parts {
            text.push_str(&format!("  {}: {}\n", on_one_line(&part.path), on_one_line(&part.reason)));
        }
    }
    if text.is_empty() {
        text.push_str("Every response so far was understood.\n");
    }
    output::write(&text)
}

async fn import_profile(
    desk: &Desk,
    file: PathBuf,
    name: Option<String>,
) -> Result<ProfileView, CommandExit> {
    let opened = desk.profile_open(OpenProfile { handle: file_handle(desk, file) }).await?;
    let Some(mut profile) = opened.profile else {
        return Err(CommandExit::usage_error("name the file of a profile"));
    };
    apply_change(&mut profile.name, name);
    Ok(desk.profile_save(profile).await?)
}

/// A handle for the file; an empty path removes the profile's file.
pub(crate) fn file_handle(desk: &Desk, path: PathBuf) -> String {
    let given = if path.as_os_str().is_empty() { Vec::new() } else { vec![path] };
    desk.choose_files(given).pop().map(|file| file.handle).unwrap_or_default()
}

async fn list_profiles(place: &GlobalArgs, desk: &Desk) -> Result<(), CommandExit> {
    let list = desk.profile_list(Nothing {}).await?;
    let line = |view: &ProfileView| format!("{}\n", profile_line(view));
    output::write_answer(place, &list, || list.profiles.iter().map(line).collect::<String>())
}

fn print_profile(place: &GlobalArgs, view: &ProfileView) -> Result<(), CommandExit> {
    output::write_answer(place, &view, || format!("{}\n", profile_line(view)))
}

/// `* Practice  practice  PRACTICE  this computer  ready`.
fn profile_line(view: &ProfileView) -> String {
    let profile = &view.profile;
    let environment = environment_word(profile.environment);
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
    let on = GlobalArgs { profile: named.name.or_else(|| place.profile.clone()), ..place.clone() };
    let (desk, view) = open_desk::on_profile(&on, desk).await?;
    let report = desk.profile_test(ProfileId { id: view.profile.id }).await?;
    output::write_answer(place, &report, || steps_text(&report))?;
    match report.steps.iter().find(|step| step.outcome == TestOutcome::Failed) {
        None => Ok(()),
        Some(step) => {
            let line =
                format!("{} failed: {}. {}", step.name, step.detail.trim_end_matches('.'), step.remedy);
            let line = line.trim_end();
            Err(if is_refused_step(step) {
                CommandExit::not_authorized(line)
            } else {
                CommandExit::with_failure(line)
            })
        }
    }
}

/// The service was reached and refused: at sign-in, or because the account has no calculator (403).
fn is_refused_step(step: &TestStep) -> bool {
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
