//! All forms and requirements together.

use std::sync::LazyLock;

use bordereau_contract::{Jurisdiction, TransactionType};
use chrono::NaiveDate;

use crate::file::BlockFile;
use crate::load::{FormProblem, Reader};
use crate::template::{Requirement, Template};

/// The templates, built into the program: every file of `data/forms`.
const TEMPLATES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/templates.rs"));

static BUILTIN: LazyLock<Result<FormBook, FormProblem>> = LazyLock::new(FormBook::read_builtin);

/// Forms, and what each state asks for.
#[derive(Clone, Debug, Default)]
pub struct FormBook {
    templates: Vec<Template>,
    requirements: Vec<Requirement>,
}

impl FormBook {
    /// What comes with the program. A test reads every file, so it is never empty in a release.
    #[must_use]
    pub fn builtin() -> &'static FormBook {
        static EMPTY: FormBook = FormBook { templates: Vec::new(), requirements: Vec::new() };
        BUILTIN.as_ref().unwrap_or(&EMPTY)
    }

    /// Reads what comes with the program.
    ///
    /// # Errors
    /// [`FormProblem`] for the first file that is not complete.
    pub fn read_builtin() -> Result<FormBook, FormProblem> {
        let requirements = Reader { file: "states.toml" }.states(include_str!("../data/states.toml"))?;
        let blocks = blocks()?;
        let templates = TEMPLATES
            .iter()
            .map(|(file, text)| Reader { file }.template(text, &blocks))
            .collect::<Result<_, _>>()?;
        Ok(FormBook { templates, requirements })
    }

    /// Adds a template of one's own, given as the name and text of its file. One with the key of another
    /// takes its place.
    ///
    /// # Errors
    /// [`FormProblem`] when it is not complete; the book is unchanged then.
    pub fn add(&mut self, file: &str, text: &str) -> Result<&Template, FormProblem> {
        let template = Reader { file }.template(text, &blocks()?)?;
        self.templates.retain(|other| other.key != template.key);
        // First: it is what the person brought.
        self.templates.insert(0, template);
        self.templates.first().ok_or_else(|| FormProblem { file: file.into(), why: "was not kept".into() })
    }

    /// Every form.
    #[must_use]
    pub fn templates(&self) -> &[Template] {
        &self.templates
    }

    /// Addresses of every source.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        let of_forms = self.templates.iter().flat_map(|template| &template.sources);
        let of_states = self.requirements.iter().flat_map(|requirement| &requirement.sources);
        of_forms.chain(of_states).map(|source| source.url.as_str())
    }

    /// A form by its key.
    #[must_use]
    pub fn template(&self, key: &str) -> Option<&Template> {
        self.templates.iter().find(|template| template.key == key)
    }

    /// The forms of a state that belong to a transaction.
    pub fn applying(
        &self,
        state: Jurisdiction,
        transaction: TransactionType,
        day: NaiveDate,
        ecp: bool,
        export_list: bool,
    ) -> impl Iterator<Item = &Template> {
        self.templates.iter().filter(move |template| {
            template.state == state && template.applies(transaction, day, ecp, export_list)
        })
    }

    /// What a state asks for.
    #[must_use]
    pub fn requirement(&self, state: Jurisdiction) -> Option<&Requirement> {
        self.requirements.iter().find(|requirement| requirement.state == state)
    }
}

fn blocks() -> Result<Vec<BlockFile>, FormProblem> {
    Reader { file: "blocks.toml" }.blocks(include_str!("../data/blocks.toml"))
}
