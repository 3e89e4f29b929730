//! Filled diligent forms (contract section 5): their addresses die within a minute, so they are fetched at
//! once.

use std::sync::Arc;

use bordereau_contract::{DiligentForms, DiligentRequest, FilledForm};
use reqwest::Method;

use crate::client::Inner;
use crate::transport::Request;
use crate::{Client, ClientError, Download, Operation};

/// Largest filled form accepted, in bytes.
const FORM_BYTES_MAX: u64 = 25 * 1024 * 1024;
/// Forms of one answer that are fetched.
const FORMS_MAX: usize = 50;

/// A filled form and its file.
#[derive(Clone, Debug)]
pub struct FetchedForm {
    /// What the service says of it.
    pub form: FilledForm,
    /// The PDF.
    pub file: Download,
}

impl Client {
    /// Has forms filled and fetches them at once. Repeated after a failure: nothing is kept by it.
    ///
    /// # Errors
    /// [`ClientError::Rejected`] with the fields at fault by pointer; [`ClientError::TooLarge`] for a form
    /// beyond 25 MiB; others as everywhere.
    pub async fn fill_forms(
        &self,
        request: &DiligentRequest,
    ) -> Result<(DiligentForms, Vec<FetchedForm>), ClientError> {
        let answer = self.inner.fill_forms(request).await?;
        let mut fetched = Vec::with_capacity(answer.forms.len().min(FORMS_MAX));
        for form in answer.forms.iter().take(FORMS_MAX) {
            let file = self.download(&form.download_url, FORM_BYTES_MAX).await?;
            fetched.push(FetchedForm { form: form.clone(), file });
        }
        Ok((answer, fetched))
    }
}

impl Inner {
    async fn fill_forms(self: &Arc<Self>, request: &DiligentRequest) -> Result<DiligentForms, ClientError> {
        let config = &self.transport.config;
        let request = Request {
            operation: Operation::DiligentForms,
            method: Method::POST,
            url: self.transport.base.endpoint(&config.paths.diligent_forms)?,
            body: Some(serde_json::to_vec(request).expect("strings serialize").into()),
            secrets: Vec::new(),
            answer_max: config.answer_bytes_max,
            pieces: None,
        };
        let answer = self.call(&request, self.deadline()).await?;
        self.understand(&answer).map(|read| read.value)
    }
}
