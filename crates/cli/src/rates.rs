//! `bordereau rates`.

use bordereau_contract::format_day_text;
use bordereau_desk::api::{RateList, RatePeriod, RateView, RatesRequest, StateRatesView};
use clap::Args;

use crate::exit::CommandExit;
use crate::shared_arguments::{GlobalArgs, parse_state};
use crate::{open_desk, output};

#[derive(Args, Debug)]
pub(crate) struct RatesArguments {
    /// State, such as TX [default: all]
    #[arg(value_parser = parse_state)]
    state: Option<String>,
    /// As of this day, such as 02/23/2026 [default: today]
    #[arg(long, value_name = "DATE", default_value = "", hide_default_value = true)]
    on: String,
}

pub(crate) async fn run_rates(place: &GlobalArgs, asked: RatesArguments) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk(place)?;
    let list = desk.rates_list(RatesRequest { state: asked.state.unwrap_or_default(), on: asked.on }).await?;
    output::write_answer(place, &list, || rates_text(&list))
}

fn rates_text(list: &RateList) -> String {
    let from = if list.rules_from_pack { "a rules pack" } else { "the built-in rules" };
    let mut text =
        format!("On {}, from {from} (version {})\n", format_day_text(&list.on), list.rules_version);
    list.states.iter().for_each(|state| text.push_str(&state_text(state)));
    text
}

fn state_text(state: &StateRatesView) -> String {
    let mut text =
        format!("\n{} {}, checked {}\n", state.state, state.name, format_day_text(&state.checked_on));
    for rate in &state.rates {
        text.push_str(&format!(
            "  {:<8} {:<9} {}{}\n",
            standing_word(rate),
            rate.rate,
            rate.charge,
            days_text(rate)
        ));
        text.push_str(&format!("             {}; {}\n", rate.basis, rate.checked));
    }
    for remark in &state.remarks {
        text.push_str(&format!("  {}: {} ({})\n", remark.title, remark.text, remark.checked));
    }
    text
}

fn standing_word(rate: &RateView) -> &'static str {
    match rate.standing {
        RatePeriod::Past => "past",
        RatePeriod::Current => "now",
        RatePeriod::Coming => "coming",
    }
}

fn days_text(rate: &RateView) -> String {
    let from = rate.from.as_ref().or(rate.known_from.as_ref());
    let day = |what: &str, day: Option<&String>| {
        day.map(|day| format!(", {what} {}", format_day_text(day))).unwrap_or_default()
    };
    format!("{}{}", day("from", from), day("until", rate.until.as_ref()))
}
