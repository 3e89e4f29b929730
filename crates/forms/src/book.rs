//! All forms and requirements together.

use std::sync::LazyLock;

use bordereau_contract::{Jurisdiction, TransactionType};
use chrono::NaiveDate;

use crate::file::BlockFile;
use crate::load::{FormProblem, TemplateReader};
use crate::template::{FormTemplate, StateRequirement};

/// The templates, built into the program: every file of `data/forms`.
const TEMPLATES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/templates.rs"));

static BUILTIN: LazyLock<Result<FormBook, FormProblem>> = LazyLock::new(FormBook::read_builtin);

/// Forms, and what each state asks for.
#[derive(Clone, Debug, Default)]
pub struct FormBook {
    templates: Vec<FormTemplate>,
    requirements: Vec<StateRequirement>,
}

impl FormBook {
    /// What comes with the program. A test reads every file, so it is never empty in a release.
    pub fn builtin() -> &'static FormBook {
        static EMPTY: FormBook = FormBook { templates: Vec::new(), requirements: Vec::new() };
        BUILTIN.as_ref().unwrap_or(&EMPTY)
    }

    /// Reads what comes with the program.
    ///
    /// # Errors
    /// [`FormProblem`] for the first file that is not complete.
    pub fn read_builtin() -> Result<FormBook, FormProblem> {
        let requirements =
            TemplateReader { file: "states.toml" }.read_states(include_str!("../data/states.toml"))?;
        let blocks = read_blocks()?;
        let templates = TEMPLATES
            .iter()
            .map(|(file, text)| TemplateReader { file }.read_template(text, &blocks))
            .collect::<Result<_, _>>()?;
        Ok(FormBook { templates, requirements })
    }

    /// Adds a template of one's own, given as the name and text of its file. One with the key of another
    /// takes its place.
    ///
    /// # Errors
    /// [`FormProblem`] when it is not complete; the book is unchanged then.
    pub fn add(&mut self, file: &str, text: &str) -> Result<&FormTemplate, FormProblem> {
        let template = TemplateReader { file }.read_template(text, &read_blocks()?)?;
        self.templates.retain(|other| other.key != template.key);
        // First: it is what the person brought.
        self.templates.insert(0, template);
        self.templates.first().ok_or_else(|| FormProblem { file: file.into(), why: "was not kept".into() })
    }

    /// Every form.
    pub fn templates(&self) -> &[FormTemplate] {
        &self.templates
    }

    /// Addresses of every source.
    pub fn source_addresses(&self) -> impl Iterator<Item = &str> {
        let of_forms = self.templates.iter().flat_map(|template| &template.sources);
        let of_states = self.requirements.iter().flat_map(|requirement| &requirement.sources);
        of_forms.chain(of_states).map(|source| source.url.as_str())
    }

    /// The forms of a state that belong to a transaction.
    pub fn applicable_templates(
        &self,
        state: Jurisdiction,
        transaction: TransactionType,
        day: NaiveDate,
        ecp: bool,
        export_list: bool,
    ) -> impl Iterator<Item = &FormTemplate> {
        self.templates.iter().filter(move |template| {
            template.state == state && template.applies_to(transaction, day, ecp, export_list)
        })
    }

    /// What a state asks for.
    pub fn requirement_of(&self, state: Jurisdiction) -> Option<&StateRequirement> {
        self.requirements.iter().find(|requirement| requirement.state == state)
    }
}

fn read_blocks() -> Result<Vec<BlockFile>, FormProblem> {
    TemplateReader { file: "blocks.toml" }.read_blocks(include_str!("../data/blocks.toml"))
}
