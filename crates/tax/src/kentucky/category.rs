//! Categories of Kentucky's city and county tax.

/// Category of the tax (KRS 91A.080).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaxCategory {
    /// Fire and allied perils.
    FireAlliedPerils,
    /// Casualty, liability only.
    CasualtyLiability,
    /// Vehicles.
    Vehicle,
    /// Inland marine.
    InlandMarine,
    /// Health.
    Health,
    /// Life.
    Life,
    /// All other risks.
    AllOther,
    /// Workers' compensation: exempt by statute.
    WorkersCompensation,
}

impl TaxCategory {
    /// The categories a jurisdiction may tax.
    pub const TAXABLE: &'static [TaxCategory] = &[
        TaxCategory::FireAlliedPerils,
        TaxCategory::CasualtyLiability,
        TaxCategory::Vehicle,
        TaxCategory::InlandMarine,
        TaxCategory::Health,
        TaxCategory::Life,
        TaxCategory::AllOther,
    ];

    const fn bit(self) -> u8 {
        1 << (self as u8)
    }

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            TaxCategory::FireAlliedPerils => "fire_allied_perils",
            TaxCategory::CasualtyLiability => "casualty_liability",
            TaxCategory::Vehicle => "vehicle",
            TaxCategory::InlandMarine => "inland_marine",
            TaxCategory::Health => "health",
            TaxCategory::Life => "life",
            TaxCategory::AllOther => "all_other",
            TaxCategory::WorkersCompensation => "workers_compensation",
        }
    }

    /// The name on the wire (`line_category`).
    pub const fn line_category(self) -> &'static str {
        match self {
            TaxCategory::CasualtyLiability => "casualty_liability_only",
            other => other.name(),
        }
    }
}

/// Some categories: one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CategorySet(u8);

impl CategorySet {
    pub(crate) const fn only(category: TaxCategory) -> CategorySet {
        CategorySet(category.bit())
    }

    pub(crate) fn insert(&mut self, category: TaxCategory) {
        self.0 |= category.bit();
    }

    /// These and the others.
    pub(crate) const fn union_with(self, others: CategorySet) -> CategorySet {
        CategorySet(self.0 | others.0)
    }

    pub(crate) const fn contains(self, category: TaxCategory) -> bool {
        self.0 & category.bit() != 0
    }

    /// Each once, in the order of [`TaxCategory`].
    pub(crate) fn iter(self) -> impl Iterator<Item = TaxCategory> {
        let exempt = std::iter::once(TaxCategory::WorkersCompensation);
        TaxCategory::TAXABLE.iter().copied().chain(exempt).filter(move |category| self.contains(*category))
    }
}

impl FromIterator<TaxCategory> for CategorySet {
    fn from_iter<I: IntoIterator<Item = TaxCategory>>(categories: I) -> CategorySet {
        let mut all = CategorySet::default();
        categories.into_iter().for_each(|category| all.insert(category));
        all
    }
}
