//! Stamp wordings that a person changed, in memory: the calculator answers with them in the place of the
//! rule's own.

use std::collections::HashMap;
use std::sync::Arc;

use bordereau_contract::Jurisdiction;
use bordereau_service_store::state::ChangedWording;
use bordereau_tax::{Confidence, ConfidenceNote, StampWording};
use parking_lot::RwLock;

/// The changed wordings.
#[derive(Default)]
pub(crate) struct ChangedWordings(RwLock<HashMap<Jurisdiction, ChangedWording>>);

impl ChangedWordings {
    /// Puts these in the place of all there were.
    pub(crate) fn replace_all(&self, all: Vec<ChangedWording>) {
        *self.0.write() = all
            .into_iter()
            .filter_map(|wording| Some((wording.state.parse::<Jurisdiction>().ok()?, wording)))
            .collect();
    }

    /// The wordings to answer with: the first is the one that was changed.
    pub(crate) fn wordings_for(
        &self,
        state: Jurisdiction,
        stamps: Arc<[StampWording]>,
    ) -> Arc<[StampWording]> {
        let changed = self.0.read();
        let Some(wording) = changed.get(&state) else { return stamps };
        let first = stamps.first().cloned().unwrap_or_else(plain_wording);
        let (text, updated_at) = (wording.text.clone(), Some(wording.updated_at.clone()));
        let first = StampWording { text, updated_at, ..first };
        std::iter::once(first).chain(stamps.iter().skip(1).cloned()).collect()
    }
}

/// For a state whose rule has no wording of its own.
fn plain_wording() -> StampWording {
    StampWording {
        text: String::new(),
        instructions: None,
        font_size: None,
        bold: false,
        italics: false,
        color: None,
        kind: "wording".into(),
        updated_at: None,
        source: None,
        checked: ConfidenceNote {
            level: Confidence::NotFound,
            text: "entered in the practice service".into(),
        },
    }
}
