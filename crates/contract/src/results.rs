//! What the numbers of an import's results and of a transaction's status mean (section 3).

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Map;

use crate::codes::CodedText;

/// A status as a service writes it: a number \[spec], or a word of its own, which is kept as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ServiceStatus {
    /// None came: nothing is taken for a success that nobody called one.
    #[default]
    NotTold,
    /// A number.
    Number(i64),
    /// Any other word.
    Word(String),
}

impl ServiceStatus {
    /// The status that a text says; a whole number stays one, also with a fraction of nothing.
    pub fn of(text: &str) -> ServiceStatus {
        let text = text.trim();
        let whole = text.split_once('.').filter(|(_, rest)| rest.bytes().all(|b| b == b'0'));
        match whole.map_or(text, |(whole, _)| whole).parse::<i64>() {
            // What an earlier version stored where there was none.
            Ok(i64::MIN) => ServiceStatus::NotTold,
            Ok(number) => ServiceStatus::Number(number),
            Err(_) if text.is_empty() => ServiceStatus::NotTold,
            Err(_) => ServiceStatus::Word(text.to_owned()),
        }
    }

    /// `status 0`, or that there is none.
    pub fn describe(&self) -> String {
        if self.is_told() { format!("status {self}") } else { "no status".to_owned() }
    }

    /// Whether there is one.
    pub const fn is_told(&self) -> bool {
        !matches!(self, ServiceStatus::NotTold)
    }
}

impl fmt::Display for ServiceStatus {
    /// As it came; empty where none did.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServiceStatus::NotTold => Ok(()),
            ServiceStatus::Number(number) => number.fmt(f),
            ServiceStatus::Word(word) => f.write_str(word),
        }
    }
}

impl From<i64> for ServiceStatus {
    fn from(number: i64) -> ServiceStatus {
        ServiceStatus::Number(number)
    }
}

impl Serialize for ServiceStatus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ServiceStatus::NotTold => serializer.serialize_none(),
            ServiceStatus::Number(number) => serializer.serialize_i64(*number),
            ServiceStatus::Word(word) => serializer.serialize_str(word),
        }
    }
}

impl<'de> Deserialize<'de> for ServiceStatus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct StatusVisitor;
        impl<'de> Visitor<'de> for StatusVisitor {
            type Value = ServiceStatus;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a status")
            }
            fn visit_i64<E>(self, number: i64) -> Result<ServiceStatus, E> {
                Ok(if number == i64::MIN { ServiceStatus::NotTold } else { number.into() })
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<ServiceStatus, E> {
                Ok(ServiceStatus::of(&number.to_string()))
            }
            fn visit_bool<E>(self, flag: bool) -> Result<ServiceStatus, E> {
                Ok(ServiceStatus::Word(flag.to_string()))
            }
            fn visit_str<E>(self, text: &str) -> Result<ServiceStatus, E> {
                Ok(ServiceStatus::of(text))
            }
            fn visit_unit<E>(self) -> Result<ServiceStatus, E> {
                Ok(ServiceStatus::NotTold)
            }
            /// A number or a word with its title: `{"id": 4, "label": "Filed"}`.
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ServiceStatus, A::Error> {
                let object = Map::deserialize(MapAccessDeserializer::new(map))?;
                let CodedText(texts) = CodedText::of_object(&object);
                Ok(texts.first().map_or(ServiceStatus::NotTold, |text| ServiceStatus::of(text)))
            }
        }
        deserializer.deserialize_any(StatusVisitor)
    }
}

/// `status` of one transaction in the results of an import: 0 \[pub], the others \[ours].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultStatus {
    /// 0: stored, perhaps with warnings; also what was there already with the same content.
    Success,
    /// 1: not stored, or not changed; `errors` says why.
    Failed,
    /// 2: kept as Saved, because required values are missing; `errors` names them.
    SavedIncomplete,
}

impl ResultStatus {
    /// The number as it travels.
    pub const fn wire_number(self) -> i64 {
        match self {
            ResultStatus::Success => 0,
            ResultStatus::Failed => 1,
            ResultStatus::SavedIncomplete => 2,
        }
    }

    /// What a status means: 0 is success \[pub], 1 and 2 are the practice service's; any other number, such as a
    /// status of HTTP, and any word that leaves a doubt says nothing. `None` where it does not say how it ended.
    pub fn of(status: &ServiceStatus) -> Option<ResultStatus> {
        match status {
            ServiceStatus::NotTold => None,
            ServiceStatus::Number(0) => Some(ResultStatus::Success),
            ServiceStatus::Number(2) => Some(ResultStatus::SavedIncomplete),
            ServiceStatus::Number(1) => Some(ResultStatus::Failed),
            ServiceStatus::Number(_) => None,
            ServiceStatus::Word(word) => match word.to_ascii_lowercase().as_str() {
                "success" | "succeeded" | "successful" => Some(ResultStatus::Success),
                "saved" | "saved_incomplete" | "saved (incomplete)" | "saved incomplete" | "incomplete"
                | "draft" => Some(ResultStatus::SavedIncomplete),
                "failed" | "failure" | "error" | "err" | "rejected" | "refused" | "invalid" | "false" => {
                    Some(ResultStatus::Failed)
                }
                _ => None,
            },
        }
    }
}

/// `transaction_status` of a record, as the practice service numbers it (4 and 1 \[pub], the others \[ours]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TransactionStatus {
    /// 0: kept, incomplete.
    Saved,
    /// 1: imported, not yet filed.
    Submitted,
    /// 2: ready to file.
    ReadyToFile,
    /// 3: sent to the state.
    SentToState,
    /// 4: filed.
    Filed,
}

impl TransactionStatus {
    /// The number as it travels.
    pub const fn wire_number(self) -> i64 {
        self as i64
    }

    /// All of them, in order.
    pub const ALL: [TransactionStatus; 5] = [
        TransactionStatus::Saved,
        TransactionStatus::Submitted,
        TransactionStatus::ReadyToFile,
        TransactionStatus::SentToState,
        TransactionStatus::Filed,
    ];

    /// Words for people.
    pub const fn title(self) -> &'static str {
        match self {
            TransactionStatus::Saved => "Saved (incomplete)",
            TransactionStatus::Submitted => "Submitted",
            TransactionStatus::ReadyToFile => "Ready to file",
            TransactionStatus::SentToState => "Sent to state",
            TransactionStatus::Filed => "Filed",
        }
    }

    /// What a number means at the practice service.
    pub fn from_number(number: i64) -> Option<TransactionStatus> {
        TransactionStatus::ALL.into_iter().find(|status| status.wire_number() == number)
    }
}
