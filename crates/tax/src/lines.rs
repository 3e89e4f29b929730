//! Lines of business: a table of generic codes, with the states' own codes where they are known.
//!
//! The table is ours and replaceable: rules go by class or by the state's own code, so a person's own table
//! works with them. Where a rule names a generic code, it is to tell apart what one class holds together.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use bordereau_contract::Jurisdiction;

use crate::Occupancy;
use crate::answer::{NoteLevel, QuoteNote, RuleText};
use crate::csv::{CsvTable, TableProblem, trimmed_cell};

mod class;

pub use class::{Class, UnknownClass};

/// A line of business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BusinessLine {
    /// Generic code such as `GEN-1002`.
    pub code: RuleText,
    /// Name.
    pub name: RuleText,
    /// What kind of insurance it is: rules go by this.
    pub class: Class,
    /// Whether it is personal lines: some states cap fees there.
    pub personal: bool,
    /// How the insured holds the dwelling, where the line itself says so.
    pub occupancy: Option<Occupancy>,
    /// The states' own codes, where known.
    pub state_codes: Vec<(Jurisdiction, RuleText)>,
    /// Its names where the state's own code is not known.
    plain: Arc<LineNames>,
    /// Its names in the states whose code is known, in the order of those codes.
    named: Vec<Arc<LineNames>>,
    /// What an answer says of it, see [`BusinessLine::said`].
    said: [CachedNote; 2],
}

/// The names of a line of business in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineNames {
    /// Generic code.
    pub generic_code: RuleText,
    /// Name.
    pub name: RuleText,
    /// The state's own code, where known.
    pub state_code: Option<RuleText>,
    code_key: CodeKey,
}

/// The beginning of a state's code as a number: what tells nearly all codes apart at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CodeKey(u64);

impl CodeKey {
    fn from_code(code: &str) -> CodeKey {
        CodeKey(code.bytes().take(8).fold(0, |key, byte| key << 8 | u64::from(byte)))
    }
}

/// Codes of a state, to be looked for among those of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StateCodes(Vec<(CodeKey, RuleText)>);

impl StateCodes {
    pub(crate) fn new(codes: impl Iterator<Item = RuleText>) -> StateCodes {
        StateCodes(codes.map(|code| (CodeKey::from_code(&code), code)).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the line's code is among them.
    pub(crate) fn contain_line(&self, names: &LineNames) -> bool {
        let Some(asked) = &names.state_code else { return false };
        self.0.iter().any(|(key, code)| *key == names.code_key && code == asked)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &RuleText> {
        self.0.iter().map(|(_, code)| code)
    }

    /// In words.
    pub(crate) fn list_in_words(&self) -> String {
        self.iter().map(|code| &**code).collect::<Vec<_>>().join(", ")
    }
}

impl LineNames {
    /// Whether the state knows both by the same code; without one, whether they are the same line.
    pub(crate) fn same_code(&self, other: &LineNames) -> bool {
        self.code_key == other.code_key
            && self.state_code == other.state_code
            && (self.state_code.is_some() || self.generic_code == other.generic_code)
    }
}

/// What an answer may say of a line whatever the rest of the question is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LineRemark {
    /// The state's tax leaves it out.
    NotTaxed,
    /// A package in Kentucky, whose parts belong to different categories of the city and county tax.
    Package,
}

/// A note, written once when it is first needed; two lines are the same whether it was or not.
#[derive(Clone, Debug, Default)]
struct CachedNote(OnceLock<Arc<QuoteNote>>);

impl PartialEq for CachedNote {
    fn eq(&self, _: &CachedNote) -> bool {
        true
    }
}

impl Eq for CachedNote {}

impl BusinessLine {
    /// The state's own code, where known.
    pub fn state_code(&self, state: Jurisdiction) -> Option<&RuleText> {
        self.state_codes.iter().find(|(s, _)| *s == state).map(|(_, code)| code)
    }

    /// Its names in the state.
    pub(crate) fn names_in(&self, state: Jurisdiction) -> &Arc<LineNames> {
        let known = self.state_codes.iter().position(|(s, _)| *s == state);
        known.and_then(|at| self.named.get(at)).unwrap_or(&self.plain)
    }

    /// What an answer says of it.
    pub(crate) fn note_about(&self, about: LineRemark) -> Arc<QuoteNote> {
        let (code, name) = (&self.code, &self.name);
        let write = || match about {
            LineRemark::NotTaxed => {
                let words = format!(
                    "{code}, {name}: this line of business is excluded from the tax here. Check that the risk is one that is exempt."
                );
                QuoteNote::new(NoteLevel::Warning, "line_not_taxed", &words, None)
            }
            LineRemark::Package => {
                let words = format!(
                    "{code}: a package counts as fire and allied perils here; enter its property and liability parts as lines of their own where the rates differ."
                );
                QuoteNote::new(NoteLevel::Warning, "local_category", &words, None)
            }
        };
        Arc::clone(self.said[about as usize].0.get_or_init(write))
    }
}

/// A table of lines of business. Cheap to clone.
#[derive(Clone, Debug)]
pub struct LinesTable(Arc<IndexedLines>);

#[derive(Debug)]
struct IndexedLines {
    lines: Vec<BusinessLine>,
    by_code: HashMap<RuleText, usize>,
    /// Position of `GEN-nnnn` by its number: most questions name a generic code.
    by_number: Vec<u16>,
    by_state_code: HashMap<(Jurisdiction, RuleText), usize>,
}

const ABSENT: u16 = u16::MAX;

impl Default for LinesTable {
    fn default() -> Self {
        LinesTable::builtin()
    }
}

impl LinesTable {
    /// The table that comes with the application (`lines.csv`).
    ///
    /// # Panics
    /// Never: a test reads the table.
    pub fn builtin() -> LinesTable {
        static TABLE: OnceLock<LinesTable> = OnceLock::new();
        TABLE
            .get_or_init(|| {
                LinesTable::from_csv(include_str!("../lines.csv"))
                    .expect("the built-in table of lines is tested")
            })
            .clone()
    }

    /// Reads a table with the columns `code`, `name`, `class`, optionally `personal` (yes or no), `occupancy`
    /// (how the insured holds the dwelling, where the line itself says so, such as `tenant`) and one column per state, named by its two letters, with that state's own code.
    ///
    /// # Errors
    /// Every row at fault: missing columns, empty or repeated codes, an unknown class.
    pub fn from_csv(text: &str) -> Result<LinesTable, Vec<TableProblem>> {
        let table = CsvTable::read(text)?;
        let (code, name, class) =
            (table.required_column("code")?, table.required_column("name")?, table.required_column("class")?);
        let (personal, occupancy) = (table.find_column("personal"), table.find_column("occupancy"));
        let columns = LineColumns { code, name, class, personal, occupancy, states: read_states(&table)? };
        let mut problems = Vec::new();
        let mut lines: Vec<BusinessLine> = Vec::new();
        for (row, cells) in &table.rows {
            match columns.read_line(cells) {
                Ok(line) if lines.iter().any(|have| have.code == line.code) => {
                    problems.push(TableProblem::new(*row, format!("code \"{}\" is there twice", line.code)));
                }
                Ok(line) => lines.push(line),
                Err(message) => problems.push(TableProblem::new(*row, message)),
            }
        }
        if lines.is_empty() && problems.is_empty() {
            problems.push(TableProblem::new(1, "the table has no lines of business"));
        }
        if lines.len() > 5_000 {
            problems.push(TableProblem::new(1, "the table has more than 5,000 lines of business"));
        }
        if problems.is_empty() { Ok(LinesTable::from_lines(lines)) } else { Err(problems) }
    }

    fn from_lines(lines: Vec<BusinessLine>) -> LinesTable {
        let by_code = lines.iter().enumerate().map(|(at, line)| (line.code.clone(), at)).collect();
        let mut by_number = vec![ABSENT; 10_000];
        for (at, line) in lines.iter().enumerate() {
            if let (Some(number), Ok(at)) = (generic_number(&line.code), u16::try_from(at)) {
                by_number[number] = at;
            }
        }
        let mut by_state_code = HashMap::new();
        for (at, line) in lines.iter().enumerate() {
            for (state, code) in &line.state_codes {
                by_state_code.entry((*state, code.clone())).or_insert(at);
            }
        }
        LinesTable(Arc::new(IndexedLines { lines, by_code, by_number, by_state_code }))
    }

    /// Every line, in the table's order.
    pub fn iter(&self) -> impl Iterator<Item = &BusinessLine> {
        self.0.lines.iter()
    }

    /// The line of a generic code, or of the state's own code.
    pub fn find(&self, code: &str, state: Jurisdiction) -> Option<&BusinessLine> {
        let table = &*self.0;
        if let Some(number) = generic_number(code)
            && table.by_number[number] != ABSENT
        {
            return table.lines.get(usize::from(table.by_number[number]));
        }
        let at =
            table.by_code.get(code).or_else(|| table.by_state_code.get(&(state, RuleText::from(code))))?;
        table.lines.get(*at)
    }
}

/// `1002` of `GEN-1002`.
fn generic_number(code: &str) -> Option<usize> {
    let digits = code.strip_prefix("GEN-")?.as_bytes();
    if digits.len() != 4 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |number, digit| number * 10 + usize::from(digit - b'0')))
}

fn read_states(table: &CsvTable) -> Result<Vec<(usize, Jurisdiction)>, Vec<TableProblem>> {
    let mut states = Vec::new();
    for (at, name) in table.column_names() {
        if matches!(name, "code" | "name" | "class" | "personal" | "occupancy" | "") {
            continue;
        }
        match Jurisdiction::from_str(&name.to_uppercase()) {
            Ok(state) => states.push((at, state)),
            Err(_) => {
                return Err(vec![TableProblem::new(
                    1,
                    format!(
                        "column \"{name}\" is neither code, name, class, personal, occupancy nor a state"
                    ),
                )]);
            }
        }
    }
    Ok(states)
}

struct LineColumns {
    code: usize,
    name: usize,
    class: usize,
    personal: Option<usize>,
    occupancy: Option<usize>,
    states: Vec<(usize, Jurisdiction)>,
}

impl LineColumns {
    fn read_line(&self, cells: &[String]) -> Result<BusinessLine, String> {
        let code = trimmed_cell(cells, self.code);
        if code.is_empty() || code.len() > 40 || code.contains('|') {
            return Err("a code of 1 to 40 characters without a vertical bar is expected".into());
        }
        let name = trimmed_cell(cells, self.name);
        if name.is_empty() {
            return Err(format!("line \"{code}\" has no name"));
        }
        let class = Class::from_str(trimmed_cell(cells, self.class)).map_err(|e| e.to_string())?;
        let personal = match self.personal.map_or("", |at| trimmed_cell(cells, at)).to_lowercase().as_str() {
            "yes" | "y" | "1" | "true" => true,
            "" | "no" | "n" | "0" | "false" => false,
            found => return Err(format!("personal is \"{found}\"; yes or no is expected")),
        };
        let occupancy = match self.occupancy.map_or("", |at| trimmed_cell(cells, at)) {
            "" => None,
            found => Some(parse_occupancy(found)?),
        };
        let state_codes = self
            .states
            .iter()
            .filter(|(at, _)| !trimmed_cell(cells, *at).is_empty())
            .map(|(at, state)| (*state, RuleText::from(trimmed_cell(cells, *at))))
            .collect::<Vec<_>>();
        let (code, name) = (RuleText::from(code), RuleText::from(name));
        let names = |state_code: Option<&RuleText>| {
            let (generic_code, name) = (Arc::clone(&code), Arc::clone(&name));
            let code_key = CodeKey::from_code(state_code.map_or("", |code| code));
            Arc::new(LineNames { generic_code, name, state_code: state_code.cloned(), code_key })
        };
        let known = |codes: &[(Jurisdiction, RuleText)]| codes.iter().map(|(_, c)| names(Some(c))).collect();
        let (plain, named) = (names(None), known(&state_codes));
        Ok(BusinessLine {
            code,
            name,
            class,
            personal,
            occupancy,
            state_codes,
            plain,
            named,
            said: Default::default(),
        })
    }
}

fn parse_occupancy(found: &str) -> Result<Occupancy, String> {
    found.parse().map_err(|error: bordereau_contract::CodeError| format!("the occupancy {error}"))
}
