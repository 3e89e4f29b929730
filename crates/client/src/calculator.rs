//! The tax calculator (contract section 2).

use std::sync::Arc;

use bordereau_contract::{CalculateRequest, CalculateResponse};
use reqwest::Method;

use crate::client::ClientInner;
use crate::transport::OutgoingRequest;
use crate::{ClientError, ServiceOperation};

impl ClientInner {
    pub(crate) async fn calculate(
        self: &Arc<Self>,
        request: &CalculateRequest,
    ) -> Result<CalculateResponse, ClientError> {
        let deadline = self.call_deadline();
        let config = &self.transport.config;
        let request = OutgoingRequest {
            operation: ServiceOperation::Calculate,
            method: Method::POST,
            url: self.transport.base.endpoint_url(&config.paths.calculator)?,
            body: Some(serde_json::to_vec(request).expect("amounts and strings serialize").into()),
            secrets: Vec::new(),
            answer_max: config.answer_bytes_max,
            pieces: None,
        };
        let answer = self.call_service(&request, deadline).await?;
        self.understand(&answer).map(|read| read.value)
    }
}
