//! What the rules of a mapping make of a source, for the person who sets them.

use std::collections::BTreeMap;

use bordereau_mapping::{CHARGE_WORDS_MAX, ChargeRows, ColumnSplit, Field, charge_word};
use bordereau_tables::cut_text;

use super::Review;

/// Examples of a rule.
const EXAMPLES_MAX: usize = 3;
/// Characters of an example.
const EXAMPLE_CHARS: usize = 60;

/// What the rules of a mapping make, in the order of its rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleEffects {
    /// Rows that have the value for every row, by field.
    pub default_rows: BTreeMap<Field, u32>,
    /// What each split makes.
    pub splits: Vec<SplitEffect>,
    /// Some texts that each merge makes.
    pub merges: Vec<Vec<String>>,
    /// The lines of some rows that each rule for columns of lines makes.
    pub lines: Vec<Vec<String>>,
    /// The words of each rule for rows of charges, those of the most rows first.
    pub charges: Vec<Vec<ChargeWordRows>>,
}

/// A word that says what an amount is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChargeWordRows {
    /// As the first row has it.
    pub word: String,
    /// The field of its amounts; `Some(None)` isn't imported, `None` isn't decided.
    pub field: Option<Option<Field>>,
    /// Rows that have it.
    pub rows: u32,
}

/// What a split makes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitEffect {
    /// Some texts of each part.
    pub examples: Vec<Vec<String>>,
    /// Rows whose text lacks a part that has a field.
    pub short_rows: u32,
}

impl RuleEffects {
    pub(super) fn new(review: &Review) -> RuleEffects {
        let rules = &review.mapping.rules;
        let count = |field: &Field| {
            let column = usize::from(review.layout.column_of(*field));
            let rows = data_rows(review).filter(|row| review.source.table.is_default(*row, column));
            (*field, u32::try_from(rows.count()).unwrap_or(u32::MAX))
        };
        RuleEffects {
            default_rows: rules.defaults.keys().map(count).collect(),
            splits: rules.splits.iter().map(|split| split_effect(review, split)).collect(),
            merges: rules.merges.iter().map(|merge| made_examples(review, merge.field)).collect(),
            lines: rules.lines.iter().map(|_| made_examples(review, Field::LineOfBusiness)).collect(),
            charges: rules.charges.iter().map(|charges| charge_word_rows(review, charges)).collect(),
        }
    }
}

fn data_rows(review: &Review) -> impl Iterator<Item = usize> {
    let all = (0..review.transactions.count()).flat_map(|at| review.transactions.rows_of(at));
    all.map(|row| *row as usize)
}

fn split_effect(review: &Review, split: &ColumnSplit) -> SplitEffect {
    let Some(column) = review.layout.column_named(&split.from) else { return SplitEffect::default() };
    let count = split.fields.len();
    let mut effect = SplitEffect { examples: vec![Vec::new(); count], short_rows: 0 };
    for row in data_rows(review) {
        let text = review.source.table.text_at(row, usize::from(column)).trim();
        if text.is_empty() {
            continue;
        }
        let parts = cut_text(text, &split.cut, count);
        // A part of no field, such as what is before "From", may be missing.
        let is_missing = |(part, field): (&&str, &Option<Field>)| part.is_empty() && field.is_some();
        effect.short_rows += u32::from(parts.iter().zip(&split.fields).any(is_missing));
        for (examples, part) in effect.examples.iter_mut().zip(parts) {
            if examples.len() < EXAMPLES_MAX {
                examples.push(part.chars().take(EXAMPLE_CHARS).collect());
            }
        }
    }
    effect
}

fn charge_word_rows(review: &Review, charges: &ChargeRows) -> Vec<ChargeWordRows> {
    let Some(column) = review.layout.column_named(&charges.charge) else { return Vec::new() };
    let mut words: BTreeMap<String, ChargeWordRows> = BTreeMap::new();
    for row in data_rows(review) {
        let text = review.source.table.text_at(row, usize::from(column)).trim();
        let word = charge_word(text);
        if text.is_empty() || (words.len() >= CHARGE_WORDS_MAX && !words.contains_key(&word)) {
            continue;
        }
        let field = charges.fields.get(&word).copied();
        let first = || ChargeWordRows { word: text.to_owned(), field, rows: 0 };
        words.entry(word).or_insert_with(first).rows += 1;
    }
    let mut words: Vec<ChargeWordRows> = words.into_values().collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.rows));
    words
}

fn made_examples(review: &Review, field: Field) -> Vec<String> {
    let column = usize::from(review.layout.column_of(field));
    let texts = data_rows(review).map(|row| review.source.table.text_at(row, column));
    let texts = texts.filter(|text| !text.is_empty()).take(EXAMPLES_MAX);
    texts.map(|text| text.chars().take(EXAMPLE_CHARS).collect()).collect()
}
