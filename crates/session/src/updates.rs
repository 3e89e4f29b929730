//! Checks for a newer version of the application, in a list whose address is in policy or settings; and downloads
//! its package, if one for this computer is listed and signed with a trusted key.

use std::cmp::Ordering;
use std::path::PathBuf;

use bordereau_contract::parse_calendar_day;
use serde::Deserialize;
use url::Url;

use crate::files::write_whole;
use crate::policy::switched_off;
use crate::public_files::fetch_file;
use crate::settings::settings_load;
use crate::signed_package::{
    ListedPackage, PACKAGE_BYTES_MAX, PACKAGE_KINDS, package_keys, verify_content, verify_listing,
};
use crate::web_address::{check_address, first_address};
use crate::{Context, run_off_thread};
use bordereau_api::{BoundaryError, ErrorCode, Nothing, UpdateView};
use bordereau_store::{file_error, make_private_folder};

/// Largest list, in bytes.
const LIST_BYTES_MAX: u64 = 256 * 1024;

/// Folder of packages until they are installed, in the data folder.
const PACKAGES: &str = "updates";

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
    #[serde(default)]
    packages: Vec<ListedPackage>,
}

/// The address of the list of versions, and why nothing is checked there; downloads nothing.
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
        install_obstacle: install_obstacle(ctx).unwrap_or_default(),
    })
}

/// Why nothing can be installed from here, whatever is listed.
fn install_obstacle(ctx: &Context) -> Option<String> {
    let policy = &ctx.ports().policy.updates;
    let sentence = if !policy.install {
        "The policy of this computer leaves installing to its administrator."
    } else if ctx.ports().browser.package_kind().is_empty() {
        "It isn't installed from here: use the tool that installed this version."
    } else if package_keys(policy).is_empty() {
        "It isn't installed from here: this version was built without the project's key, and the policy of this computer names none."
    } else {
        return None;
    };
    Some(sentence.to_owned())
}

/// Reads the list of versions.
///
/// # Errors
/// [`ErrorCode::Validation`] without an address or by the policy; [`ErrorCode::Unreadable`] where it isn't such a
/// list; network errors.
pub async fn updates_check(ctx: &Context, _request: Nothing) -> Result<UpdateView, BoundaryError> {
    let view = updates_show(ctx, Nothing {}).await?;
    let newest = fetch_newest(ctx, &view).await?;
    let view = UpdateView { checked_at: ctx.now_text(), ..view };
    let Some(listed) = newest else { return Ok(view) };
    let install_obstacle = match package_of(ctx, &listed) {
        _ if !view.install_obstacle.is_empty() => view.install_obstacle,
        Ok(_) => String::new(),
        Err(why) => why,
    };
    let ListedVersion { version, published, page, .. } = listed;
    Ok(UpdateView { newer: version, published, page, install_obstacle, ..view })
}

async fn fetch_newest(ctx: &Context, view: &UpdateView) -> Result<Option<ListedVersion>, BoundaryError> {
    if !ctx.ports().policy.updates.check {
        return Err(switched_off(ErrorCode::Validation, "Looking for newer versions is switched off"));
    }
    let address = Url::parse(&view.address)
        .map_err(|_| BoundaryError::with_code(ErrorCode::Validation, view.obstacle.clone()))?;
    let bytes = fetch_file(ctx, &address, LIST_BYTES_MAX).await?;
    newest_version(&bytes, &view.version, &address)
}

/// The package of a version for this computer, if it is signed with a trusted key; else why it can't be installed.
fn package_of<'l>(ctx: &Context, listed: &'l ListedVersion) -> Result<&'l ListedPackage, String> {
    let kind = ctx.ports().browser.package_kind();
    let package = listed.packages.iter().find(|package| package.kind == kind);
    let package =
        package.ok_or("It isn't installed from here: the list has no package for this computer.")?;
    verify_listing(&listed.version, package, &package_keys(&ctx.ports().policy.updates))
        .map_err(|problem| format!("The package isn't installed: {problem}."))?;
    Ok(package)
}

/// Downloads the package of a newer version into the data folder and checks it; installs nothing.
///
/// # Errors
/// [`ErrorCode::Validation`] says why it can't be installed: the policy, no trusted key, another version than the
/// person was shown, or no newer one; errors of the network and of writing.
pub async fn fetch_package(ctx: &Context, version: &str) -> Result<PathBuf, BoundaryError> {
    let refused = |why: String| BoundaryError::with_code(ErrorCode::Validation, why);
    let view = updates_show(ctx, Nothing {}).await?;
    if !view.install_obstacle.is_empty() {
        return Err(refused(view.install_obstacle));
    }
    let newest = fetch_newest(ctx, &view).await?.filter(|listed| listed.version == version);
    let listed = newest.ok_or_else(|| {
        refused(format!("Bordereau {version} is no longer the newest version. Check again."))
    })?;
    let package = package_of(ctx, &listed).map_err(refused)?.clone();
    let address = check_address(&package.address).map_err(refused)?;
    let content = fetch_file(ctx, &address, PACKAGE_BYTES_MAX).await?;
    verify_content(&package, &content).map_err(|problem| {
        refused(format!("The package isn't installed: {problem}. Nothing was changed."))
    })?;
    let (folder, name) = (ctx.store().folder().join(PACKAGES), package_file_name(version, &package.kind));
    let keep = move || -> Result<PathBuf, BoundaryError> {
        let failed = |error: std::io::Error| {
            file_error(&error, format!("The package can't be kept in the data folder: {error}."))
        };
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(failed)?;
        }
        make_private_folder(&folder).map_err(failed)?;
        write_whole(&folder.join(&name), &content).map_err(failed)?;
        Ok(folder.join(name))
    };
    run_off_thread("keeping a package", keep).await?
}

/// The file's name has only two things from the list: the version, which is three numbers, and the kind.
fn package_file_name(version: &str, kind: &str) -> String {
    let known = PACKAGE_KINDS.iter().find(|(name, _)| *name == kind).map_or("", |(_, ending)| ending);
    let extension = known.rsplit_once('.').map_or("package", |(_, extension)| extension);
    format!("bordereau-{version}.{extension}")
}

/// The newest version of the list, if it is newer than `own`. A page on another host is dropped.
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
        packages: listed.packages,
    }))
}

/// Compares three numbers; `None` for anything else in a version.
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
