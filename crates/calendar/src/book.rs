//! The rules of all jurisdictions, built into the program and read once.

use std::sync::OnceLock;

use bordereau_contract::Jurisdiction;

use crate::load::{self, CalendarProblem};
use crate::rule::StateCalendar;

macro_rules! file {
    ($name:literal) => {
        include_str!(concat!("../rules/", $name, ".toml"))
    };
}

/// One file per jurisdiction.
const FILES: [&str; 53] = [
    file!("al"),
    file!("ak"),
    file!("az"),
    file!("ar"),
    file!("ca"),
    file!("co"),
    file!("ct"),
    file!("de"),
    file!("dc"),
    file!("fl"),
    file!("ga"),
    file!("hi"),
    file!("id"),
    file!("il"),
    file!("in"),
    file!("ia"),
    file!("ks"),
    file!("ky"),
    file!("la"),
    file!("me"),
    file!("md"),
    file!("ma"),
    file!("mi"),
    file!("mn"),
    file!("ms"),
    file!("mo"),
    file!("mt"),
    file!("ne"),
    file!("nv"),
    file!("nh"),
    file!("nj"),
    file!("nm"),
    file!("ny"),
    file!("nc"),
    file!("nd"),
    file!("oh"),
    file!("ok"),
    file!("or"),
    file!("pa"),
    file!("pr"),
    file!("ri"),
    file!("sc"),
    file!("sd"),
    file!("tn"),
    file!("tx"),
    file!("ut"),
    file!("vt"),
    file!("va"),
    file!("vi"),
    file!("wa"),
    file!("wv"),
    file!("wi"),
    file!("wy"),
];

/// What is due when, in every jurisdiction.
#[derive(Debug)]
pub struct Calendar {
    /// In the order of [`Jurisdiction::ALL`].
    states: Vec<StateCalendar>,
}

impl Calendar {
    /// The rules that come with the application.
    ///
    /// # Panics
    /// Never: a test reads every file.
    pub fn builtin() -> &'static Calendar {
        static CALENDAR: OnceLock<Calendar> = OnceLock::new();
        CALENDAR.get_or_init(|| Calendar::read(&FILES).expect("the built-in rule files are tested"))
    }

    /// The texts of the built-in files.
    #[must_use]
    pub fn builtin_files() -> Vec<(Jurisdiction, &'static str)> {
        let of = |text: &'static str| load::read(text).ok().map(|rules| (rules.state, text));
        FILES.into_iter().filter_map(of).collect()
    }

    /// Reads rule files, one per jurisdiction, in any order.
    ///
    /// # Errors
    /// What is wrong with the first file at fault; also when a jurisdiction is missing or there twice.
    pub fn read(files: &[&str]) -> Result<Calendar, CalendarProblem> {
        let read: Vec<StateCalendar> = files.iter().map(|text| load::read(text)).collect::<Result<_, _>>()?;
        let mut states = Vec::with_capacity(Jurisdiction::ALL.len());
        for code in Jurisdiction::ALL {
            let mut of = read.iter().filter(|state| state.state == *code);
            match (of.next(), of.next()) {
                (Some(state), None) => states.push(state.clone()),
                (None, _) => return Err(CalendarProblem::Form(format!("{code} has no file"))),
                _ => return Err(CalendarProblem::Form(format!("{code} has two files"))),
            }
        }
        Ok(Calendar { states })
    }

    /// What is known of a jurisdiction.
    ///
    /// # Panics
    /// Never: `read` lets no jurisdiction be missing.
    pub fn state_calendar(&self, state: Jurisdiction) -> &StateCalendar {
        self.states.iter().find(|each| each.state == state).expect("every jurisdiction has a file")
    }

    /// Every address the rules name.
    pub fn source_addresses(&self) -> impl Iterator<Item = &str> {
        self.states.iter().flat_map(|state| {
            let duties = state.duties.iter().flat_map(|duty| &duty.sources);
            let penalties = state.penalties.iter().flat_map(|penalty| &penalty.sources);
            duties.chain(penalties).map(|source| &*source.url)
        })
    }

    /// Every jurisdiction, in the order of the codes.
    pub fn iter(&self) -> impl Iterator<Item = &StateCalendar> {
        self.states.iter()
    }
}
