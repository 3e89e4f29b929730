//! The wording of a state's stamp: a question that was answered before, asked once more.

use super::typed::Asked;
use crate::Desk;
use crate::api::{BoundaryError, Profile, QuoteRequest};

impl Desk {
    /// The wording (HTML) the service answers this question with, and when it says it was updated.
    pub(crate) async fn stamp_wording(
        &self,
        profile: &Profile,
        question: &QuoteRequest,
    ) -> Result<(Option<String>, Option<String>), BoundaryError> {
        let asked = Asked::read(question, self.inner.ports.clock.today(), profile)?;
        let session = self.session(profile).await?;
        let (response, _) = self.response(&asked, &session).await?;
        let state = response.state_properties;
        Ok((state.state_stamp_wording_text, state.state_stamp_wording_updated_at))
    }
}
