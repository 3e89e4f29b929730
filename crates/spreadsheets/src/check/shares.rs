//! Shares of lines, insurers and syndicates: as many as entries, adding to the whole.

use super::Subject;
use crate::field::Field;
use crate::issue::{Code, Data};
use crate::share::{ONE, WHOLE};
use crate::transaction::List;

pub(super) fn check(subject: &mut Subject<'_, '_, '_>) {
    let gathered = subject.gathered;
    percents(subject, &gathered.insurers, Field::InsuranceCompany, Field::InsurerShare);
    percents(subject, &gathered.syndicates, Field::Syndicate, Field::SyndicateShare);
    premiums(subject);
}

fn percents(subject: &mut Subject<'_, '_, '_>, list: &List<'_>, field: Field, shares: Field) {
    if list.items.len() > 1 && !list.shared {
        let count = u32::try_from(list.items.len()).unwrap_or(u32::MAX);
        subject.find(shares, Code::SharesMismatch, Data::Counts(0, count));
        return;
    }
    let Some(sum) = list.sum() else { return };
    let place = if subject.reader.layout.columns_of(shares).is_empty() { field } else { shares };
    if sum == ONE {
        subject.find(place, Code::SharesAreFractions, Data::Percent(sum));
    } else if sum != WHOLE {
        subject.find(place, Code::SharesNotWhole, Data::Percent(sum));
    }
}

fn premiums(subject: &mut Subject<'_, '_, '_>) {
    let gathered = subject.gathered;
    let list = &gathered.lines;
    if list.items.len() > 1 && !list.shared {
        let count = u32::try_from(list.items.len()).unwrap_or(u32::MAX);
        subject.find(Field::LinePremium, Code::SharesMismatch, Data::Counts(0, count));
        return;
    }
    let premium = gathered.typed.cents(Field::Premium).filter(|_| gathered.typed.is_present(Field::Premium));
    if let (Some(sum), Some(premium)) = (list.sum(), premium)
        && sum != premium
    {
        subject.find(Field::LinePremium, Code::LinesNotPremium, Data::Cents(sum, premium));
    }
}
