//! Makes a signed pack of the built-in rules, or a key: `cargo xtask rules-pack`.

use std::error::Error;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use bordereau_rules::{RuleSet, SigningKey, rule_differences, sign_builtin_rules, verify_pack};
use ring::rand::{SecureRandom, SystemRandom};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["new-key", file] => make_key(Path::new(file)),
        ["pack", key, file] => make_pack(Path::new(key), Path::new(file)),
        _ => Err("new-key FILE, or pack KEY FILE".into()),
    }
}

fn make_key(file: &Path) -> Result<(), Box<dyn Error>> {
    let mut seed = [0; 32];
    SystemRandom::new().fill(&mut seed).map_err(|_| "the system has no random numbers")?;
    let pem = SigningKey::pem_of_seed(seed);
    let mut options = OpenOptions::new();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)?.write_all(pem.as_bytes())?;
    println!(
        "{} written: keep it secret\npublic key {}",
        file.display(),
        SigningKey::from_pem(&pem)?.public_key()
    );
    Ok(())
}

fn make_pack(key: &Path, file: &Path) -> Result<(), Box<dyn Error>> {
    let key = SigningKey::from_pem(&std::fs::read_to_string(key)?)?;
    let pack = sign_builtin_rules(&key);
    let oldest = "1970-01-01.0".parse()?;
    // Nobody is to find out at a customer's desk that it is refused.
    let rules = verify_pack(&pack, &[key.public_key()], oldest)?;
    assert!(rule_differences(&RuleSet::builtin(), &rules).is_empty(), "a pack has the rules it was made of");
    std::fs::write(file, &pack)?;
    println!(
        "{}: version {}, {} bytes, key {}",
        file.display(),
        rules.version(),
        pack.len(),
        key.public_key()
    );
    Ok(())
}
