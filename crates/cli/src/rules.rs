//! `bordereau rules` and `bordereau updates`.

use std::path::PathBuf;

use bordereau_contract::format_day_text;
use bordereau_desk::api::{InstallRules, Nothing, PolicyView, RulesView, UpdateView};
use clap::Subcommand;
use serde_json::json;

use crate::exit::CommandExit;
use crate::profile::file_handle;
use crate::shared_arguments::GlobalArgs;
use crate::{open_desk, output};

#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// Which rules are in use, what a rules pack changed, and what the policy of this computer sets
    Status,
    /// Use the rules from a signed pack
    Take {
        /// The pack
        file: PathBuf,
    },
    /// Fetch the newest pack from its address, and use its rules
    Fetch,
    /// Use the built-in rules again
    Reset,
}

pub(crate) async fn run_rules(place: &GlobalArgs, command: RulesCommand) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk(place)?;
    let view = match command {
        RulesCommand::Status => desk.rules_show(Nothing {}).await?,
        RulesCommand::Take { file } => {
            desk.rules_install(InstallRules { handle: file_handle(&desk, file) }).await?
        }
        RulesCommand::Fetch => desk.rules_fetch(Nothing {}).await?,
        RulesCommand::Reset => desk.rules_reset(Nothing {}).await?,
    };
    let policy = desk.policy_show(Nothing {}).await?;
    output::write_answer(place, &json!({ "rules": view, "policy": policy }), || {
        rules_text(&view) + &policy_text(&policy)
    })
}

fn rules_text(view: &RulesView) -> String {
    let day = format_day_text(&view.day);
    let mut text = if view.from_pack {
        format!(
            "Rules of {day}, version {}, from a rules pack signed with {}\nBuilt-in rules: version {}\n",
            view.version, view.signed_by, view.builtin_version
        )
    } else {
        format!("Built-in rules of {day}, version {}\n", view.version)
    };
    for difference in &view.differences {
        let mark = if difference.is_new { '+' } else { '-' };
        text.push_str(&format!("  {} {mark} {}\n", difference.state, difference.text));
    }
    let line =
        |name: &str, value: &str| if value.is_empty() { String::new() } else { format!("{name}{value}\n") };
    text.push_str(&line("", &view.unused));
    text.push_str(&line("", &view.obstacle));
    text.push_str(&line("Rules packs come from ", &view.address));
    view.trusted_keys.iter().for_each(|key| text.push_str(&format!("Trusted key {key}\n")));
    text
}

fn policy_text(policy: &PolicyView) -> String {
    if policy.place.is_empty() {
        return String::new();
    }
    if !policy.fault.is_empty() {
        return format!("{}\n", policy.fault);
    }
    let sets: String = policy.sets.iter().map(|sentence| format!("  {sentence}\n")).collect();
    format!("Policy {}\n{sets}", policy.place)
}

pub(crate) async fn run_updates(place: &GlobalArgs) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk(place)?;
    let view = desk.updates_check(Nothing {}).await?;
    output::write_answer(place, &view, || update_text(&view))
}

fn update_text(view: &UpdateView) -> String {
    if view.newer.is_empty() {
        return format!("Bordereau {} is the newest version.\n", view.version);
    }
    let from = if view.published.is_empty() {
        String::new()
    } else {
        format!(" of {}", format_day_text(&view.published))
    };
    let page = if view.page.is_empty() { String::new() } else { format!("See {}\n", view.page) };
    format!("Bordereau {}{from} is available; this is {}.\n{page}", view.newer, view.version)
}
