//! Categories of Kentucky's city and county tax.

/// Category of the tax (KRS 91A.080).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
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

impl Category {
    /// The categories a jurisdiction may tax.
    pub const TAXABLE: &'static [Category] = &[
        Category::FireAlliedPerils,
        Category::CasualtyLiability,
        Category::Vehicle,
        Category::InlandMarine,
        Category::Health,
        Category::Life,
        Category::AllOther,
    ];

    const fn bit(self) -> u8 {
        1 << (self as u8)
    }

    /// The name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Category::FireAlliedPerils => "fire_allied_perils",
            Category::CasualtyLiability => "casualty_liability",
            Category::Vehicle => "vehicle",
            Category::InlandMarine => "inland_marine",
            Category::Health => "health",
            Category::Life => "life",
            Category::AllOther => "all_other",
            Category::WorkersCompensation => "workers_compensation",
        }
    }

    /// The name on the wire (`line_category`).
    #[must_use]
    pub const fn line_category(self) -> &'static str {
        match self {
            Category::CasualtyLiability => "casualty_liability_only",
            other => other.name(),
        }
    }
}

/// Some categories: one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Categories(u8);

impl Categories {
    pub(crate) const fn only(category: Category) -> Categories {
        Categories(category.bit())
    }

    pub(crate) fn insert(&mut self, category: Category) {
        self.0 |= category.bit();
    }

    /// These and the others.
    pub(crate) const fn and(self, others: Categories) -> Categories {
        Categories(self.0 | others.0)
    }

    pub(crate) const fn contains(self, category: Category) -> bool {
        self.0 & category.bit() != 0
    }

    /// Each once, in the order of [`Category`].
    pub(crate) fn iter(self) -> impl Iterator<Item = Category> {
        let exempt = std::iter::once(Category::WorkersCompensation);
        Category::TAXABLE.iter().copied().chain(exempt).filter(move |category| self.contains(*category))
    }
}

impl FromIterator<Category> for Categories {
    fn from_iter<I: IntoIterator<Item = Category>>(categories: I) -> Categories {
        let mut all = Categories::default();
        categories.into_iter().for_each(|category| all.insert(category));
        all
    }
}
