//! Shares of lines, insurers and syndicates: as many as entries, adding to the whole.

use bordereau_mapping::Field;

use super::CheckSubject;
use crate::issue::{Code, FindingData};
use crate::share::{ONE, WHOLE};
use crate::transaction::EntryList;

pub(super) fn check_shares(subject: &mut CheckSubject<'_, '_, '_>) {
    let gathered = subject.gathered;
    check_percents(subject, &gathered.insurers, Field::InsuranceCompany, Field::InsurerShare);
    check_percents(subject, &gathered.syndicates, Field::Syndicate, Field::SyndicateShare);
    check_premiums(subject);
}

fn check_percents(subject: &mut CheckSubject<'_, '_, '_>, list: &EntryList<'_>, field: Field, shares: Field) {
    if list.items.len() > 1 && !list.shared {
        let count = u32::try_from(list.items.len()).unwrap_or(u32::MAX);
        subject.add_finding(shares, Code::SharesMismatch, FindingData::Counts(0, count));
        return;
    }
    let Some(sum) = list.sum() else { return };
    let place = if subject.reader.layout.columns_of(shares).is_empty() { field } else { shares };
    if sum == ONE {
        subject.add_finding(place, Code::SharesAreFractions, FindingData::Percent(sum));
    } else if sum != WHOLE {
        subject.add_finding(place, Code::SharesNotWhole, FindingData::Percent(sum));
    }
}

fn check_premiums(subject: &mut CheckSubject<'_, '_, '_>) {
    let gathered = subject.gathered;
    let list = &gathered.lines;
    if list.items.len() > 1 && !list.shared {
        let count = u32::try_from(list.items.len()).unwrap_or(u32::MAX);
        subject.add_finding(Field::LinePremium, Code::SharesMismatch, FindingData::Counts(0, count));
        return;
    }
    let premium =
        gathered.typed.amount_cents(Field::Premium).filter(|_| gathered.typed.is_present(Field::Premium));
    if let (Some(sum), Some(premium)) = (list.sum(), premium)
        && sum != premium
    {
        subject.add_finding(Field::LinePremium, Code::LinesNotPremium, FindingData::Cents(sum, premium));
    }
}
