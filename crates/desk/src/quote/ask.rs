//! One question: the estimate of the built-in rules, or the service's answer with the estimate beside it.

use std::time::Instant;

use bordereau_contract::CalculateResponse;
use bordereau_tax::{InputProblem, Local, Quote, RuleBook};

use super::from_rules::Made;
use super::typed::Asked;
use super::wire::pointer_of;
use super::{from_rules, from_service};
use crate::Desk;
use crate::api::{BoundaryError, FieldError, Profile, QuoteAnswer, QuoteRequest};
use crate::failure::{capital, ended, from_client};
use crate::profile::Session;
use crate::store::Kept;

impl Desk {
    /// Offline estimate with its explanation, from the active profile's own tables.
    ///
    /// # Errors
    /// [`crate::api::ErrorCode::Validation`] names the fields at fault;
    /// [`crate::api::ErrorCode::ProfileInvalid`] when a table of the profile cannot be read.
    pub async fn quote_estimate(&self, request: QuoteRequest) -> Result<QuoteAnswer, BoundaryError> {
        let profile = self.active_profile().await?;
        let local = self.tables(&profile).await?.local;
        self.estimate(&request, &profile, &local)
    }

    pub(crate) fn estimate(
        &self,
        request: &QuoteRequest,
        profile: &Profile,
        local: &Local,
    ) -> Result<QuoteAnswer, BoundaryError> {
        let asked = Asked::read(request, self.inner.ports.clock.today(), profile)?;
        let quote = calculate(&asked, local).map_err(|problems| BoundaryError::fields(faults(problems)))?;
        Ok(from_rules::answer(&quote, &asked.input, self.made()))
    }

    /// Asks the active profile's service; the estimate stands beside its answer.
    ///
    /// # Errors
    /// [`crate::api::ErrorCode::Validation`] before anything is sent;
    /// [`crate::api::ErrorCode::Rejected`] when the service names fields; others when it cannot be asked.
    pub async fn quote_calculate(&self, request: QuoteRequest) -> Result<QuoteAnswer, BoundaryError> {
        let profile = self.active_profile().await?;
        let asked = Asked::read(&request, self.inner.ports.clock.today(), &profile)?;
        let local = self.tables(&profile).await?.local;
        let session = self.session(&profile).await?;
        let answer = self.ask(&asked, &session, &local).await?;
        let kept = Kept {
            id: String::new(),
            name: super::saved::name_of(&request, &answer.state),
            request,
            answer: Some(answer.clone()),
            at: answer.at.clone(),
        };
        // An answer that is there is not withheld because the list of recent quotes cannot be written.
        if let Err(error) = self.inner.store.remember_quote(kept).await {
            tracing::warn!(%error, "recent quote not kept");
        }
        Ok(answer)
    }

    pub(super) async fn ask(
        &self,
        asked: &Asked,
        session: &Session,
        local: &Local,
    ) -> Result<QuoteAnswer, BoundaryError> {
        let (response, took_ms) = self.response(asked, session).await?;
        let estimate = calculate(asked, local);
        let why = estimate.as_ref().err().map(|problems| sentence(problems));
        let question = from_service::Asked {
            state: asked.input.state,
            kind: asked.input.transaction_type,
            details: &asked.input.details,
            unsent: &asked.unsent,
            profile: &session.profile.name,
            took_ms,
        };
        let beside = estimate.as_ref().map_err(|_| why.as_deref().unwrap_or_default());
        from_service::answer(&response, beside, &question, self.made())
    }

    /// The service's answer as it came, and the milliseconds it took.
    pub(super) async fn response(
        &self,
        asked: &Asked,
        session: &Session,
    ) -> Result<(CalculateResponse, u32), BoundaryError> {
        let started = Instant::now();
        let outcome = session.client.calculate(&asked.wire).await;
        let took_ms = u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX);
        self.inner.sessions.saw(&session.profile.id, outcome.as_ref().err(), took_ms);
        Ok((outcome.map_err(from_client)?, took_ms))
    }

    fn made(&self) -> Made {
        let number = self.inner.answers.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let now = self.inner.ports.clock.now();
        Made { at: self.stamp(), answer_id: format!("{}-{number}", now.timestamp_millis()) }
    }
}

fn calculate(asked: &Asked, local: &Local) -> Result<Quote, Vec<InputProblem>> {
    RuleBook::builtin().calculate(&asked.input, local)
}

fn faults(problems: Vec<InputProblem>) -> Vec<FieldError> {
    let fault = |problem: InputProblem| {
        FieldError::at(pointer_of(problem.field, problem.line), ended(&capital(&problem.message)))
    };
    problems.into_iter().map(fault).collect()
}

fn sentence(problems: &[InputProblem]) -> String {
    problems.iter().map(|problem| ended(&capital(&problem.message))).collect::<Vec<_>>().join(" ")
}
