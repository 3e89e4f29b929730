//! From what the client pays in all to the premium.

use bordereau_api::{BoundaryError, PremiumMatch, PremiumSearch, PremiumSearchResult, QuoteRequest, to_u32};
use bordereau_contract::TransactionType;
use bordereau_money::Usd;
use bordereau_session::failure::capitalize_first;
use bordereau_session::profile::{active_profile, load_tables};
use bordereau_session::{Context, run_off_thread};
use bordereau_tax::{PremiumForTotal, PricedPremium};

use crate::CalculatorQuestion;
use crate::ask_service::field_faults;

/// The premium whose quote comes to the total, by the rules in use: they can be asked for every cent.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] names the fields at fault.
pub async fn quote_premium_find(
    ctx: &Context,
    search: PremiumSearch,
) -> Result<PremiumSearchResult, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let local = load_tables(ctx, &profile).await?.local;
    let line = searched_line(&search.request)?;
    let mut request = search.request;
    request.lines[line].premium = "0".into();
    let asked = CalculatorQuestion::read_now(ctx, &request, &profile)?;
    let total = read_total(&search.total, asked.input.transaction_type)?;
    let rules = ctx.rules();
    let find = move || rules.book().find_premium(&asked.input, line, total, &local);
    let found = run_off_thread("looking for the premium", find).await?;
    let found = found.map_err(|problems| BoundaryError::invalid_fields(field_faults(problems)))?;
    let (exact, below, above) = match found {
        PremiumForTotal::Exact(exact) => (Some(exact), None, None),
        PremiumForTotal::Nearest { below, above } => (None, below, above),
    };
    let line = to_u32(line);
    let shown = |found: Option<PricedPremium>| found.map(premium_match);
    Ok(PremiumSearchResult { line, exact: shown(exact), below: shown(below), above: shown(above) })
}

fn premium_match(found: PricedPremium) -> PremiumMatch {
    PremiumMatch { premium: found.premium.to_string(), total: found.total.to_string() }
}

/// The only line, or the one without a premium.
fn searched_line(request: &QuoteRequest) -> Result<usize, BoundaryError> {
    let open = |line: &bordereau_api::QuoteLine| line.premium.trim().is_empty();
    match request.lines.as_slice() {
        [] => Err(fault("/lines", "Add the line of business that the premium is for.")),
        [_] => Ok(0),
        lines => lines.iter().position(open).ok_or_else(|| {
            fault("/total", "Several lines have a premium. Clear the one to compute from the total.")
        }),
    }
}

/// What is paid, without its sign: a credit is typed with a minus or without.
fn read_total(typed: &str, kind: TransactionType) -> Result<Usd, BoundaryError> {
    if kind == TransactionType::ZeroPremium {
        return Err(fault(
            "/transaction_type",
            "A zero premium endorsement has no premium. Choose another transaction type.",
        ));
    }
    if typed.trim().is_empty() {
        return Err(fault("/total", "Enter the total the client pays, such as 10,000."));
    }
    let total = Usd::parse_typed(typed)
        .map_err(|error| fault("/total", &format!("{}.", capitalize_first(&error.to_string()))))?;
    if total.is_negative() && !kind.is_credit() {
        return Err(fault(
            "/total",
            "A negative total is a return premium. Choose a return transaction type.",
        ));
    }
    Ok(total.abs())
}

fn fault(pointer: &str, message: &str) -> BoundaryError {
    BoundaryError::invalid_field(pointer, message)
}
