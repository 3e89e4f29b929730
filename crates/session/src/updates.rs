//! Whether there is a newer version of the application: a list that policy or settings name is read, and nothing is
//! fetched or installed.

use std::cmp::Ordering;

use bordereau_contract::parse_calendar_day;
use serde::Deserialize;
use url::Url;

use crate::Context;
use crate::policy::switched_off;
use crate::public_files::fetch_file;
use crate::settings::settings_load;
use crate::web_address::{check_address, first_address};
use bordereau_api::{BoundaryError, ErrorCode, Nothing, UpdateView};

/// Largest list, in bytes.
const LIST_BYTES_MAX: u64 = 256 * 1024;

/// The list of versions: `{"versions": [{"version": "0.3.0", "published": "2026-12-01", "page": "https://..."}]}`.
#[derive(Deserialize)]
struct VersionList {
    versions: Vec<ListedVersion>,
}

#[derive(Deserialize)]
struct ListedVersion {
    version: String,
    #[serde(default)]
    published: String,
    #[serde(default)]
    page: String,
}

/// Where the list of versions is, and why nothing is looked for there; nothing is fetched.
///
/// # Errors
/// [`ErrorCode::Storage`].
pub async fn updates_show(ctx: &Context, _request: Nothing) -> Result<UpdateView, BoundaryError> {
    let policy = &ctx.ports().policy.updates;
    let address = first_address(&policy.address, &settings_load(ctx, Nothing {}).await?.updates_address);
    let obstacle = match &address {
        _ if !policy.check => "The policy of this computer switches it off.",
        None => "No address of a list of versions is known.",
        Some(_) => "",
    };
    Ok(UpdateView {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        newer: String::new(),
        published: String::new(),
        page: String::new(),
        checked_at: String::new(),
        address: address.map(|url| url.to_string()).unwrap_or_default(),
        address_by_policy: !policy.address.is_empty(),
        obstacle: obstacle.to_owned(),
    })
}

/// Reads the list of versions.
///
/// # Errors
/// [`ErrorCode::Validation`] without an address or by the policy; [`ErrorCode::Unreadable`] where it is no such list;
/// those of the network.
pub async fn updates_check(ctx: &Context, _request: Nothing) -> Result<UpdateView, BoundaryError> {
    let view = updates_show(ctx, Nothing {}).await?;
    if !ctx.ports().policy.updates.check {
        return Err(switched_off(ErrorCode::Validation, "Looking for newer versions is switched off"));
    }
    let address = Url::parse(&view.address)
        .map_err(|_| BoundaryError::with_code(ErrorCode::Validation, view.obstacle.clone()))?;
    let bytes = fetch_file(&address, LIST_BYTES_MAX).await?;
    let newest = newest_version(&bytes, &view.version, &address)?;
    let view = UpdateView { checked_at: ctx.now_text(), ..view };
    Ok(match newest {
        Some(ListedVersion { version, published, page }) => {
            UpdateView { newer: version, published, page, ..view }
        }
        None => view,
    })
}

/// The newest version of the list, where it is newer than `own`. A page on another host isn't opened for anybody.
fn newest_version(bytes: &[u8], own: &str, address: &Url) -> Result<Option<ListedVersion>, BoundaryError> {
    let list: VersionList = serde_json::from_slice(bytes).map_err(|_| {
        BoundaryError::with_code(
            ErrorCode::Unreadable,
            "The address has no list of versions that can be read.",
        )
    })?;
    let newer = |listed: &ListedVersion| compare_versions(&listed.version, own) == Some(Ordering::Greater);
    let newest = list
        .versions
        .into_iter()
        .filter(newer)
        .max_by(|one, other| compare_versions(&one.version, &other.version).unwrap_or(Ordering::Equal));
    Ok(newest.map(|listed| ListedVersion {
        published: parse_calendar_day(&listed.published).map(|day| day.to_string()).unwrap_or_default(),
        page: check_address(&listed.page)
            .ok()
            .filter(|page| page.origin() == address.origin())
            .map(|page| page.to_string())
            .unwrap_or_default(),
        version: listed.version,
    }))
}

/// Three numbers; whatever else a version says is none that people get.
fn compare_versions(one: &str, other: &str) -> Option<Ordering> {
    Some(version_numbers(one)?.cmp(&version_numbers(other)?))
}

fn version_numbers(text: &str) -> Option<[u32; 3]> {
    let numbers: Vec<u32> = text.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    numbers.try_into().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A version and its page.
    type ListedPage = (&'static str, &'static str);

    #[test]
    fn only_a_newer_version_is_told() {
        let address = Url::parse("https://files.example/versions.json").unwrap();
        let list = |versions: &[ListedPage]| {
            let listed = versions.iter().map(|(version, page)| {
                serde_json::json!({"version": version, "page": page, "published": "2026-12-01"})
            });
            serde_json::json!({"versions": listed.collect::<Vec<_>>()}).to_string()
        };
        let page = "https://files.example/get";
        let cases: [(&[ListedPage], Option<ListedPage>); 8] = [
            (&[], None),
            (&[("0.2.0", page), ("0.1.9", page)], None),
            (&[("0.2.1", page), ("0.10.0", page), ("0.9.9", page)], Some(("0.10.0", page))),
            (&[("1.0.0", "https://other.example/get")], Some(("1.0.0", ""))),
            (&[("1.0.0", "javascript:alert(1)")], Some(("1.0.0", ""))),
            (&[("1.0.0-beta", page), ("v9.0.0", page), ("9", page), ("", page)], None),
            (&[("99999999999.0.0", page)], None),
            (&[("+1.0.0", page), ("1.0.0.0", page)], None),
        ];
        for (versions, expected) in cases {
            let found = newest_version(list(versions).as_bytes(), "0.2.0", &address).unwrap();
            let found = found.map(|found| (found.version, found.page));
            assert_eq!(found.as_ref().map(|(v, p)| (v.as_str(), p.as_str())), expected, "{versions:?}");
        }
        for text in ["", "[]", "{\"versions\": [{}]}", "{\"versions\": 1}"] {
            assert!(newest_version(text.as_bytes(), "0.2.0", &address).is_err(), "{text}");
        }
    }
}
