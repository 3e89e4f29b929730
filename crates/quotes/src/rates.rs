//! The rates of the rules in use, as they are shown.

use bordereau_api::{
    BoundaryError, RateList, RatePeriod, RateRemarkView, RateView, RatesRequest, StateRatesView,
};
use bordereau_contract::Jurisdiction;
use bordereau_session::Context;
use bordereau_tax::{RateLine, RateRemark, RateTime, RuleBook};
use chrono::NaiveDate;

use crate::from_rules::source_ref;
use crate::read_request::read_date;

/// What each state charges, was charging and will charge.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] for a state or a day that is none.
pub async fn rates_list(ctx: &Context, request: RatesRequest) -> Result<RateList, BoundaryError> {
    let refused = |pointer: &str, message: String| BoundaryError::invalid_field(pointer, message);
    let shown: String = request.on.trim().chars().take(40).collect();
    let on = match shown.as_str() {
        "" => ctx.ports().clock.today(),
        day => read_date(day)
            .ok_or_else(|| refused("/on", format!("\"{day}\" isn't a date: write it as 02/23/2026.")))?,
    };
    let states = match request.state.trim() {
        "" => Jurisdiction::ALL.to_vec(),
        code => {
            let state = code.parse::<Jurisdiction>();
            vec![state.map_err(|_| refused("/state", "This isn't a state: write it as TX.".to_owned()))?]
        }
    };
    let rules = ctx.rules();
    let mut states: Vec<StateRatesView> =
        states.into_iter().map(|state| state_view(rules.book(), state, on)).collect();
    states.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(RateList {
        on: on.to_string(),
        rules_version: rules.version().to_string(),
        rules_from_pack: rules.pack_key().is_some(),
        states,
    })
}

fn state_view(book: &RuleBook, state: Jurisdiction, on: NaiveDate) -> StateRatesView {
    let rates = book.state_rates(state, on);
    StateRatesView {
        state: state.code().to_owned(),
        name: state.title().to_owned(),
        checked_on: rates.checked_on.to_string(),
        rates: rates.lines.into_iter().map(rate_view).collect(),
        remarks: rates.remarks.into_iter().map(remark_view).collect(),
    }
}

fn rate_view(line: RateLine<'_>) -> RateView {
    let text = |day: Option<NaiveDate>| day.map(|day| day.to_string());
    RateView {
        charge: line.charge.to_owned(),
        rate: line.rate,
        basis: line.basis,
        standing: match line.time {
            RateTime::Past => RatePeriod::Past,
            RateTime::Current => RatePeriod::Current,
            RateTime::Coming => RatePeriod::Coming,
        },
        from: text(line.from),
        known_from: text(line.known_from),
        until: text(line.until),
        dated_by: line.dated_by.to_owned(),
        note: line.note.unwrap_or_default().to_owned(),
        sureness: line.checked.level,
        checked: line.checked.text.to_string(),
        sources: line.sources.iter().map(source_ref).collect(),
    }
}

fn remark_view(remark: RateRemark<'_>) -> RateRemarkView {
    RateRemarkView {
        title: remark.title,
        text: remark.text.to_owned(),
        sureness: remark.checked.level,
        checked: remark.checked.text.to_string(),
        sources: remark.sources.iter().map(source_ref).collect(),
    }
}
