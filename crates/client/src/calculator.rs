//! The tax calculator (contract section 2).

use std::sync::Arc;

use bordereau_contract::{CalculateRequest, CalculateResponse};
use reqwest::Method;

use crate::client::Inner;
use crate::transport::Request;
use crate::{ClientError, Operation};

impl Inner {
    pub(crate) async fn calculate(
        self: &Arc<Self>,
        request: &CalculateRequest,
    ) -> Result<CalculateResponse, ClientError> {
        let deadline = self.deadline();
        let config = &self.transport.config;
        let request = Request {
            operation: Operation::Calculate,
            method: Method::POST,
            url: self.transport.base.endpoint(&config.paths.calculator)?,
            body: Some(serde_json::to_vec(request).expect("amounts and strings serialize").into()),
            secrets: Vec::new(),
            answer_max: config.answer_bytes_max,
            pieces: None,
        };
        let answer = self.call(&request, deadline).await?;
        self.understand(&answer).map(|read| read.value)
    }
}
