//! `bordereau workspace` against a PostgreSQL of the test's own; where there is none, only what needs none.

use std::os::unix::fs::PermissionsExt;

use crate::command::Place;

#[path = "../../../store/tests/engines/cluster.rs"]
mod cluster;

#[test]
fn what_would_travel_in_the_clear_is_refused_before_it_does() {
    let place = Place::new().with("BORDEREAU_WORKSPACE_PASSWORD", "hush hush");
    let asked = "workspace status --host db.office.example --database office --user ann";
    let ended = place.line(&format!("{asked} --no-tls"));
    assert!(ended.code != 0 && ended.err.contains("only a database on this computer"), "{ended:?}");
    let ended = place.line(&format!("{asked} --workspace x;y"));
    assert!(ended.code != 0 && ended.err.contains("small letters"), "{ended:?}");
    let file = place.folder().join("password");
    std::fs::write(&file, "hush hush").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    let ended = place.line(&format!("{asked} --password-file {}", file.display()));
    assert!(ended.code == 2 && ended.err.contains("chmod 600"), "{ended:?}");
    assert!(!ended.err.contains("hush"), "{ended:?}");
}

#[test]
fn a_desk_is_copied_into_a_workspace_and_into_a_new_folder() {
    let Some(cluster) = cluster::Cluster::start() else { return };
    let place = Place::new();
    let office =
        |user: &str| format!("--host {} --database postgres --user {user} --no-tls", cluster.socket());
    let owner = office("postgres");

    let missing = place.line(&format!("workspace status {owner}"));
    assert!(missing.code != 0 && missing.err.contains("no workspace of this name"), "{missing:?}");
    for _ in 0..2 {
        let made = place.line(&format!("workspace create {owner}"));
        assert!(made.code == 0 && made.out.contains("(administrator)"), "{made:?}");
    }
    cluster.run("CREATE ROLE ann LOGIN IN ROLE bordereau_reader");
    assert_eq!(place.json(&format!("workspace status {}", office("ann")))["role"], "reader");
    assert!(cluster.may("ann", "SELECT * FROM bordereau.batches"));
    assert!(!cluster.may("ann", "DELETE FROM bordereau.batches"));
    assert_eq!(cluster.told("ann", "SELECT count(*) FROM bordereau.profiles"), "0");

    let added = place.line("profile add Office --address https://api.office.example --environment sandbox");
    assert_eq!(added.code, 0, "{added:?}");
    let refused = place.line(&format!("workspace copy in {}", office("ann")));
    assert!(refused.code != 0 && refused.err.contains("role"), "{refused:?}");
    let copied = place.json(&format!("workspace copy in {owner}"));
    assert_eq!(copied["equal"], true);
    assert_eq!(place.json(&format!("workspace check {owner}"))["intact"], true);
    assert_ne!(cluster.told("ann", "SELECT count(*) FROM bordereau.profiles"), "0");
    let again = place.line(&format!("workspace copy in {owner}"));
    assert!(again.code != 0 && again.err.contains("in use already"), "{again:?}");

    let other = Place::new();
    assert_eq!(other.json(&format!("workspace copy out {}", office("ann"))), copied);
    let names = other.line("profile list");
    assert!(names.out.contains("Office"), "{names:?}");
}
