//! Searching transactions by their dates (section 3).

use chrono::NaiveDate;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::{AnswerLoss, TransactionRecord, day};

/// Days from one to another, in UTC, both included \[spec].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DateRange {
    /// First day. The client always sends the earlier one here; the practice service accepts either \[ours].
    #[cfg_attr(feature = "schema", schema(value_type = String, format = Date))]
    #[serde(with = "day")]
    pub from: NaiveDate,
    /// Last day.
    #[cfg_attr(feature = "schema", schema(value_type = String, format = Date))]
    #[serde(with = "day")]
    pub to: NaiveDate,
}

impl DateRange {
    /// The days between two days, whichever of them is the earlier one.
    pub fn from_unordered(one: NaiveDate, other: NaiveDate) -> DateRange {
        DateRange { from: one.min(other), to: one.max(other) }
    }

    /// The same days with the earlier end first.
    #[must_use]
    pub fn in_order(self) -> DateRange {
        DateRange::from_unordered(self.from, self.to)
    }
}

/// Body of the search \[spec]: every member given must match; none given finds everything.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct SearchRequest {
    /// Filed on one of these days.
    pub date_filed: Option<DateRange>,
    /// The policy takes effect on one of these days.
    pub policy_effective_date: Option<DateRange>,
    /// The transaction takes effect on one of these days.
    pub transaction_effective_date: Option<DateRange>,
}

/// The position of a page among all pages \[spec].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Pagination {
    /// Records found altogether.
    #[cfg_attr(feature = "schema", schema(required))]
    #[serde(
        default,
        alias = "total_items",
        alias = "total_records",
        alias = "total_count",
        alias = "total_elements"
    )]
    pub total: u64,
    /// Records of a full page.
    #[serde(default, alias = "page_size")]
    pub per_page: u64,
    /// This page, from 1.
    #[serde(default, alias = "current_page")]
    pub page: u64,
    /// Pages altogether.
    #[cfg_attr(feature = "schema", schema(required))]
    #[serde(default, alias = "last_page", alias = "total_pages", alias = "page_count")]
    pub pages: u64,
    /// Whether there is a page before this one, of a service that says so.
    #[serde(
        default,
        skip_serializing,
        deserialize_with = "is_something",
        alias = "has_prev",
        alias = "has_previous_page",
        alias = "prev_page_url",
        alias = "previous"
    )]
    #[cfg_attr(feature = "schema", schema(ignore))]
    pub has_previous: bool,
}

/// Whether there is anything: a link, a number, or true.
fn is_something<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(!matches!(value.as_str().unwrap_or(&value.to_string()), "" | "0" | "null" | "false" | "[]" | "{}"))
}

/// Whether a flag says no; a link is no flag.
fn is_denied<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(matches!(value.as_str().unwrap_or(&value.to_string()), "false"))
}

impl Pagination {
    /// Whether it says how many there are.
    #[must_use]
    pub fn is_told(&self) -> bool {
        self.total > 0 || self.pages > 0
    }

    /// Pages there are, as far as it says.
    #[must_use]
    pub fn page_count(&self) -> u64 {
        if self.per_page == 0 { self.pages } else { self.pages.max(self.total.div_ceil(self.per_page)) }
    }
}

/// Answer of the search: one page \[spec].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SearchAnswer {
    /// The records of this page; empty past the end.
    #[cfg_attr(feature = "schema", schema(required))]
    #[serde(
        default,
        alias = "transactions",
        alias = "results",
        alias = "records",
        alias = "items",
        alias = "value",
        alias = "content"
    )]
    pub data: Vec<TransactionRecord>,
    /// Its position among all pages; where a service says nothing of it, it is read until nothing more comes.
    #[cfg_attr(feature = "schema", schema(required))]
    #[serde(default, alias = "meta", alias = "paging", alias = "page_info", alias = "pager")]
    pub pagination: Pagination,
    /// The same of a page before this one, where a service says it beside the records.
    #[serde(
        default,
        skip_serializing,
        deserialize_with = "is_something",
        alias = "has_prev",
        alias = "has_previous_page",
        alias = "prev_page_url",
        alias = "previous"
    )]
    #[cfg_attr(feature = "schema", schema(ignore))]
    pub has_previous: bool,
    /// Whether the service says that this is not the first page.
    #[serde(default, skip_serializing, rename = "first", alias = "is_first", deserialize_with = "is_denied")]
    #[cfg_attr(feature = "schema", schema(ignore))]
    pub is_later: bool,
    /// Where the next page is, of a service that says so beside the records; empty otherwise.
    #[serde(
        default,
        skip_serializing,
        alias = "next_page_url",
        alias = "next_link",
        alias = "odata_next_link"
    )]
    #[cfg_attr(feature = "schema", schema(ignore))]
    pub next: String,
    /// What of it could not be read; records among them are not in `data`.
    #[serde(skip)]
    pub losses: Vec<AnswerLoss>,
}

impl SearchAnswer {
    /// Whether the service says that there is a page before this one.
    #[must_use]
    pub fn has_page_before(&self) -> bool {
        self.has_previous || self.is_later || self.pagination.has_previous
    }
}
