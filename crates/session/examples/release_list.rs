//! Signs the packages of this version and lists them: `cargo xtask release-list`.

use std::error::Error;
use std::path::Path;

use bordereau_rules::SigningKey;
use bordereau_session::content::sha256_of;
use bordereau_session::signed_package::{
    ListedPackage, PACKAGE_KINDS, signed_text, verify_content, verify_listing,
};
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [key, folder, address] = arguments.as_slice() else { return Err("KEY FOLDER ADDRESS".into()) };
    let key = SigningKey::from_pem(&std::fs::read_to_string(key)?)?;
    let (folder, version) = (Path::new(folder), env!("CARGO_PKG_VERSION"));
    let mut packages = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let kind = PACKAGE_KINDS.iter().find(|(_, ending)| name.ends_with(ending));
        if let Some((kind, _)) = kind.filter(|_| name.contains(version)) {
            let content = std::fs::read(folder.join(&name))?;
            packages.push(sign_package(&key, version, kind, &format!("{address}/{name}"), &content)?);
            println!("{kind}: {name}");
        }
    }
    packages.sort_by(|one: &ListedPackage, other| one.kind.cmp(&other.kind));
    let list = json!({ "versions": [{ "version": version, "page": address, "packages": packages }] });
    std::fs::write(folder.join("versions.json"), serde_json::to_string_pretty(&list)?)?;
    println!("versions.json: version {version}, {} packages, key {}", packages.len(), key.public_key());
    Ok(())
}

fn sign_package(
    key: &SigningKey,
    version: &str,
    kind: &str,
    address: &str,
    content: &[u8],
) -> Result<ListedPackage, Box<dyn Error>> {
    let mut package = ListedPackage {
        kind: kind.to_owned(),
        address: address.to_owned(),
        bytes: content.len() as u64,
        sha256: sha256_of(content)?,
        key: key.public_key().to_string(),
        signature: String::new(),
    };
    package.signature = key.sign(signed_text(version, &package).as_bytes());
    // Nobody is to find out at a customer's desk that it is refused.
    verify_listing(version, &package, &[key.public_key()])?;
    verify_content(&package, content)?;
    Ok(package)
}
