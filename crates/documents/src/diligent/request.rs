//! What the person typed, in the terms of the contract and of the forms.

use bordereau_contract::{Declination, DiligentRequest};
use bordereau_forms::{FormData, FormTemplate};

use super::MergedFormBook;
use bordereau_api::{BoundaryError, FieldError, FormsRequest};

/// As it travels; `codes` are the forms wanted.
pub(super) fn wire_request(request: &FormsRequest, codes: Vec<String>) -> DiligentRequest {
    let declination = |typed: &bordereau_api::FormDeclination| Declination {
        carrier: typed.carrier.clone(),
        naic: typed.naic.clone(),
        contact: typed.contact.clone(),
        date: typed.date.clone(),
        reason: typed.reason.clone(),
    };
    DiligentRequest {
        state: request.state.trim().to_ascii_uppercase(),
        transaction_type: request.transaction_type.trim().to_ascii_uppercase(),
        policy_effective_date: request.policy_effective_date.trim().to_owned(),
        ecp: u8::from(request.ecp),
        export_list: u8::from(request.export_list),
        forms: codes,
        values: request.values.clone(),
        declinations: request.declinations.iter().map(declination).collect(),
    }
}

/// As the forms read it.
pub(super) fn form_data(request: &FormsRequest) -> Result<FormData, BoundaryError> {
    FormData::read(&wire_request(request, Vec::new())).map_err(|problems| {
        let fault = |problem: bordereau_contract::FieldProblem| FieldError {
            pointer: problem.pointer,
            message: problem.detail,
        };
        BoundaryError::invalid_fields(problems.into_iter().map(fault).collect())
    })
}

impl MergedFormBook {
    /// The forms wanted, or all that apply.
    pub(super) fn wanted_templates(
        &self,
        data: &FormData,
        keys: &[String],
    ) -> Result<Vec<&FormTemplate>, BoundaryError> {
        let (day, transaction) = (data.policy_effective, data.transaction);
        let all: Vec<&FormTemplate> = self
            .forms
            .applicable_templates(data.state, transaction, day, data.ecp, data.export_list)
            .collect();
        if let Some(at) = keys.iter().position(|key| !all.iter().any(|template| template.key == *key)) {
            let message = "This form does not belong to the state, transaction and date. Choose it again.";
            return Err(BoundaryError::invalid_field(format!("/keys/{at}"), message));
        }
        Ok(all.into_iter().filter(|form| keys.is_empty() || keys.contains(&form.key)).collect())
    }
}
