//! Amounts and rates in an OpenAPI document: JSON numbers, never floats.

use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::{Rate, Usd};

fn decimal_number(description: &str) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::Number).description(Some(description)).build().into()
}

impl PartialSchema for Usd {
    fn schema() -> RefOr<Schema> {
        decimal_number("Exact decimal number: US dollars, unless the field says otherwise.")
    }
}

impl ToSchema for Usd {}

impl PartialSchema for Rate {
    fn schema() -> RefOr<Schema> {
        decimal_number("Exact decimal number, a fraction: 0.06 is 6 %.")
    }
}

impl ToSchema for Rate {}
