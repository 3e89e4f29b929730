//! Values that no column of a file has by itself: the rules of a mapping as they are shown and answered.

use std::collections::BTreeSet;

use bordereau_api::{
    ChargeRowsRule, ChargeWord, ColumnMergeRule, ColumnRuleSet, ColumnSplitRule, FieldDefault,
    LineColumnRule, LinePremiumsRule, SplitMethod, SplitPart,
};
use bordereau_spreadsheets::{
    ChargeRows, ChargeWordRows, ColumnMerge, ColumnName, ColumnRules, ColumnSplit, Field, LineColumn,
    LinePremiums, Mapping, RowAmounts, RowGrouping, RuleEffects, SplitEffect, TextCut, with_known_words,
};

use super::session::ReviewSession;

/// The rules in use, with what they make; without those of columns that this file does not have.
pub fn rule_set(session: &ReviewSession) -> ColumnRuleSet {
    let review = session.review();
    let column =
        |name: &ColumnName| review.mapping().column_named(name).and_then(|at| u32::try_from(at).ok());
    rules_by_column(&review.mapping().rules, review.rule_effects(), column)
}

/// Rules with the places of their columns in a file, and what they make of it. Rules of columns without a place are not
/// in it.
pub fn rules_by_column(
    rules: &ColumnRules,
    effects: &RuleEffects,
    column: impl Fn(&ColumnName) -> Option<u32>,
) -> ColumnRuleSet {
    let default = |(field, value): (&Field, &String)| FieldDefault {
        field: field.name().into(),
        value: value.clone(),
        rows: effects.default_rows.get(field).copied().unwrap_or_default(),
    };
    let splits = rules.splits.iter().enumerate().filter_map(|(at, split)| {
        let effect = effects.splits.get(at).cloned().unwrap_or_default();
        Some(split_view(column(&split.from)?, split, effect))
    });
    let merges = rules.merges.iter().enumerate().filter_map(|(at, merge)| {
        Some(ColumnMergeRule {
            columns: merge.from.iter().map(&column).collect::<Option<_>>()?,
            separator: merge.separator.clone(),
            field: merge.field.name().into(),
            examples: effects.merges.get(at).cloned().unwrap_or_default(),
        })
    });
    let charges = rules.charges.iter().enumerate().filter_map(|(at, charges)| {
        let found = effects.charges.get(at).map_or(&[][..], Vec::as_slice);
        Some(ChargeRowsRule {
            charge: column(&charges.charge)?,
            amount: column(&charges.amount)?,
            is_type: charges.is_type,
            words: charge_words(charges, found),
        })
    });
    let lines = rules.lines.iter().enumerate().filter_map(|(at, lines)| {
        let columns = lines.columns.iter();
        let columns =
            columns.map(|each| Some(LineColumnRule { column: column(&each.from)?, line: each.line.clone() }));
        Some(LinePremiumsRule {
            columns: columns.collect::<Option<_>>()?,
            examples: effects.lines.get(at).cloned().unwrap_or_default(),
        })
    });
    ColumnRuleSet {
        defaults: rules.defaults.iter().map(default).collect(),
        splits: splits.collect(),
        merges: merges.collect(),
        charges: charges.collect(),
        lines: lines.collect(),
    }
}

/// The words of the file, and those of other files that the rule knows.
fn charge_words(charges: &ChargeRows, found: &[ChargeWordRows]) -> Vec<ChargeWord> {
    let word = |word: &str, field: Option<Option<Field>>, rows| ChargeWord {
        word: word.to_owned(),
        field: field.flatten().map(|field| field.name().into()),
        ignored: field == Some(None),
        rows,
    };
    let of_file: BTreeSet<String> = found.iter().map(|found| found.word.to_lowercase()).collect();
    let others = charges.fields.iter().filter(|(known, _)| !of_file.contains(*known));
    let here = found.iter().map(|found| word(&found.word, found.field, found.rows));
    here.chain(others.map(|(known, field)| word(known, Some(*field), 0))).collect()
}

fn split_view(column: u32, split: &ColumnSplit, effect: SplitEffect) -> ColumnSplitRule {
    let (method, separators, positions) = match &split.cut {
        TextCut::Separators(all) => (SplitMethod::Separators, all.clone(), Vec::new()),
        TextCut::SeparatorsFromEnd(all) => (SplitMethod::SeparatorsFromEnd, all.clone(), Vec::new()),
        TextCut::Positions(all) => (SplitMethod::Positions, Vec::new(), all.clone()),
    };
    let mut examples = effect.examples.into_iter();
    let part = |field: &Option<Field>| SplitPart {
        field: field.map(|field| field.name().into()),
        examples: examples.next().unwrap_or_default(),
    };
    let parts = split.fields.iter().map(part).collect();
    ColumnSplitRule { column, method, separators, positions, parts, short_rows: effect.short_rows }
}

/// Puts the rules of an answer in the place of those there were. A field that a rule makes is no column's any more.
pub fn answer_rules(
    session: &ReviewSession,
    mapping: &mut Mapping,
    answer: &ColumnRuleSet,
) -> Result<(), String> {
    let mut rules = rules_of(mapping, answer)?;
    let source = session.review().source();
    for charges in rules.charges.iter_mut().filter(|charges| charges.fields.is_empty()) {
        if let Some(column) = mapping.column_named(&charges.charge) {
            *charges = with_known_words(std::mem::take(charges), source, column);
        }
    }
    let rules = rules.normalized()?;
    // Rows of one charge each are parts of a transaction.
    if mapping.rules.charges.is_empty() && !rules.charges.is_empty() && mapping.grouping == RowGrouping::None
    {
        (mapping.grouping, mapping.row_amounts) = (RowGrouping::ByPolicy, Some(RowAmounts::Add));
    }
    let made: Vec<Field> = rules.made_fields().collect();
    for choice in &mut mapping.columns {
        choice.field = choice.field.filter(|field| !made.contains(field));
    }
    mapping.rules = rules;
    Ok(())
}

fn rules_of(mapping: &Mapping, answer: &ColumnRuleSet) -> Result<ColumnRules, String> {
    let field = |name: &str| Field::by_name(name).ok_or_else(|| "This field is not known.".to_owned());
    let column = |column: u32| {
        let choice = mapping.columns.get(column as usize);
        let choice = choice.ok_or_else(|| "There is no such column in the file.".to_owned())?;
        Ok::<_, String>(ColumnName { header: choice.header.clone(), occurrence: choice.occurrence })
    };
    let mut rules = ColumnRules::default();
    for default in &answer.defaults {
        rules.defaults.insert(field(&default.field)?, default.value.clone());
    }
    for split in &answer.splits {
        let fields = split.parts.iter().map(|part| part.field.as_deref().map(field).transpose());
        rules.splits.push(ColumnSplit {
            from: column(split.column)?,
            cut: match split.method {
                SplitMethod::Separators => TextCut::Separators(split.separators.clone()),
                SplitMethod::SeparatorsFromEnd => TextCut::SeparatorsFromEnd(split.separators.clone()),
                SplitMethod::Positions => TextCut::Positions(split.positions.clone()),
            },
            fields: fields.collect::<Result<_, _>>()?,
        });
    }
    for merge in &answer.merges {
        rules.merges.push(ColumnMerge {
            from: merge.columns.iter().map(|at| column(*at)).collect::<Result<_, _>>()?,
            separator: merge.separator.clone(),
            field: field(&merge.field)?,
        });
    }
    for charges in &answer.charges {
        let chosen = charges.words.iter().filter(|word| word.ignored || word.field.is_some());
        let chosen = chosen.map(|word| {
            let of = word.field.as_deref().filter(|_| !word.ignored).map(field).transpose()?;
            Ok::<_, String>((word.word.trim().to_lowercase(), of))
        });
        rules.charges.push(ChargeRows {
            charge: column(charges.charge)?,
            amount: column(charges.amount)?,
            fields: chosen.collect::<Result<_, _>>()?,
            is_type: charges.is_type,
        });
    }
    for lines in &answer.lines {
        let columns = lines.columns.iter();
        let columns = columns
            .map(|each| Ok::<_, String>(LineColumn { from: column(each.column)?, line: each.line.clone() }));
        rules.lines.push(LinePremiums { columns: columns.collect::<Result<_, _>>()? });
    }
    Ok(rules)
}
