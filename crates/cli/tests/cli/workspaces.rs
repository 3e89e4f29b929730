//! `bordereau workspace` against a PostgreSQL of the test's own; where there is none, only what needs none.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use crate::command::Place;
use crate::listening::{Listening, SIGNATURE};
use crate::sending::many;
use crate::service::{Served, add};
use crate::stored::{counted, speed, stored};

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
    assert!(refused.code != 0 && refused.err.contains("an administrator"), "{refused:?}");
    let copied = place.json(&format!("workspace copy in {owner}"));
    assert_eq!((copied["rows"].as_u64(), copied["present"].as_u64()), (Some(1), Some(0)), "{copied}");
    assert_eq!(place.json(&format!("workspace check {owner}"))["intact"], true);
    assert_eq!(cluster.told("ann", "SELECT count(*) FROM bordereau.profiles"), "1");
    let shared = place.folder().join("files");
    std::fs::create_dir(&shared).unwrap();
    let changed = place.line(&format!("workspace files folder {} {owner}", shared.display()));
    assert!(
        changed.code == 0 && changed.out.contains("larger than 1024 KB are in the folder"),
        "{changed:?}"
    );
    for (bucket, why) in [("--endpoint http://s3.office.example", "https://"), ("", "no key")] {
        let refused = place.line(&format!("workspace files s3 --bucket office-files {bucket} {owner}"));
        assert!(refused.code != 0 && refused.err.contains(why), "{refused:?}");
    }
    assert_eq!(place.json(&format!("workspace status {owner}"))["files"]["place"]["kind"], "folder");
    let again = place.line(&format!("workspace copy in {owner}"));
    assert!(again.code == 0 && again.out.contains("Rows there already: 1;"), "{again:?}");
    assert_eq!(cluster.told("ann", "SELECT count(*) FROM bordereau.profiles"), "1");

    let other = Place::new();
    assert_eq!(other.json(&format!("workspace copy out {}", office("ann")))["rows"], 1);
    let names = other.line("profile list");
    assert!(names.out.contains("Office"), "{names:?}");
}

/// A workspace with a desk for each of these people, whose role is behind the name; the first is its administrator and
/// adds the profile of the service.
fn open_office(
    cluster: &cluster::Cluster,
    hosts: &str,
    served: &Served,
    people: &[(&str, &str)],
) -> Vec<Place> {
    let office = |user: &str| format!("--host {hosts} --database postgres --user {user} --no-tls");
    let made = Place::new().line(&format!("workspace create {}", office("postgres")));
    assert_eq!(made.code, 0, "{made:?}");
    let open_desk = |(name, role): &(&str, &str)| {
        cluster.run(&format!("CREATE ROLE {name} LOGIN IN ROLE bordereau_{role}"));
        let desk = Place::new().with("BORDEREAU_API_KEY", served.text("api_key"));
        let used = desk.line(&format!("workspace use {}", office(name)));
        assert!(used.code == 0 && used.out.contains(name), "{used:?}");
        desk
    };
    let desks: Vec<Place> = people.iter().map(open_desk).collect();
    add(&desks[0], served, "sandbox", "");
    desks
}

fn write(place: &Place, name: &str, text: &str) -> String {
    let path = place.folder().join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// What a laptop did before its office had a workspace goes into it while others work there.
#[test]
fn the_old_work_of_a_laptop_is_copied_in_and_never_sent_again() {
    let Some(cluster) = cluster::Cluster::start() else { return };
    let served = Served::start();
    let desks =
        open_office(&cluster, &cluster.socket(), &served, &[("adam", "administrator"), ("bob", "clerk")]);
    let bob = &desks[1];
    let laptop = Place::new().with("BORDEREAU_API_KEY", served.text("api_key"));
    add(&laptop, &served, "sandbox", "");
    let old = write(&laptop, "may.csv", &many(12));
    let send = |file: &str| format!("import {file} --send all --wait --profile Office");
    assert_eq!(laptop.line(&send(&old)).code, 0);
    let june = many(5).replace("NIGHT-", "JUNE-").replace(",000700", ",8000700");
    assert_eq!(bob.line(&send(&write(bob, "june.csv", &june))).code, 0);

    let copy = |user: &str| {
        let socket = cluster.socket();
        format!("workspace copy in --host {socket} --database postgres --user {user} --no-tls")
    };
    let refused = laptop.line(&copy("bob"));
    assert!(refused.code != 0 && refused.err.contains("an administrator"), "{refused:?}");
    let copied = laptop.json(&copy("adam"));
    assert!(
        copied["rows"].as_u64() > Some(12) && copied["renamed"].as_array().unwrap().is_empty(),
        "{copied}"
    );
    assert_eq!(bob.json("batch list")["batches"].as_array().unwrap().len(), 2);
    // Another desk has the same file: what the laptop sent is known.
    let again = bob.line(&send(&old));
    assert_eq!(again.code, 3, "{again:?}");
    let there = stored(&served);
    assert!(there.len() == 17 && there.values().all(|count| *count == 1), "{there:?}");
    assert_eq!(laptop.json(&copy("adam"))["rows"], 0);
    let log = bob.json("audit list");
    assert_eq!(log["intact"], true);
    assert!(log["copied"].to_string().contains("12 transactions"), "{log}");
}

#[test]
fn one_desk_sends_another_follows_and_a_reader_only_looks() {
    let Some(cluster) = cluster::Cluster::start() else { return };
    let served = Served::start();
    let people = [("adam", "administrator"), ("bob", "clerk"), ("rita", "reader"), ("wally", "clerk")];
    let desks = open_office(&cluster, &cluster.socket(), &served, &people);
    let [adam, bob, rita, wally] = &desks[..] else { unreachable!() };
    // What the service takes waits there until everybody has left.
    speed(&served, 0);
    let file = write(bob, "week.csv", &many(30));
    let sent = bob.line(&format!("import {file} --send all --profile Office"));
    assert_eq!(sent.code, 0, "{sent:?}");
    let listed = adam.json("batch list");
    assert_eq!(listed["batches"][0]["by"], "bob", "{listed}");
    for (line, refused) in [
        (format!("import {file} --send all --profile Office"), "role"),
        ("profile add Other --address https://other.example --environment sandbox".into(), "role"),
    ] {
        let ended = rita.line(&line);
        assert!(ended.code != 0 && ended.err.contains(refused), "{line}: {ended:?}");
    }
    assert_eq!(rita.json("batch list"), listed, "a reader sees what the others see");
    let status = rita.json("workspace status");
    assert_eq!((&status["role"], &status["batches"]), (&"reader".into(), &1.into()), "{status}");
    let unnamed = Place::new().line("workspace check");
    assert!(unnamed.code == 3 && unnamed.err.contains("works on its own data"), "{unnamed:?}");
    let own = adam.line(&format!("import {file} --send all --profile Practice"));
    assert!(own.code != 0 && own.err.contains("runs only on this computer"), "{own:?}");

    speed(&served, 1_000);
    let worked = wally.line("work --until-done --profile Office");
    assert!(worked.code == 0 && worked.out.contains("bordereau as wally (clerk)"), "{worked:?}");
    let done = rita.json("batch list");
    assert_eq!(done["batches"][0]["state"], "processed", "{done}");
    let there = stored(&served);
    assert_eq!((there.len(), there.values().all(|count| *count == 1)), (30, true), "{there:?}");
    let log = adam.line("audit list").out;
    assert!(log.contains("bob  Send") && log.contains("wally  Batch"), "{log}");

    // This computer's own data is as it was.
    let back = bob.line("workspace leave");
    assert!(back.code == 0 && back.out.contains("its own data"), "{back:?}");
    assert_eq!(bob.json("batch list")["batches"].as_array().map(Vec::len), Some(0));
}

/// Two processes with the same key send as fast as they may: the service counts no more than the limit.
#[test]
fn desks_with_one_key_stay_within_its_limit_together() {
    const LIMIT: u64 = 12;
    let Some(cluster) = cluster::Cluster::start() else { return };
    let served = Served::start();
    let people = [("adam", "administrator"), ("ann", "clerk"), ("bob", "clerk")];
    let desks = open_office(&cluster, &cluster.socket(), &served, &people);
    let [adam, ann, bob] = &desks[..] else { unreachable!() };
    adam.json(&format!(
        "profile add Slow --environment sandbox --address {} --ca-file {} --requests-per-minute {LIMIT}",
        served.text("base_url"),
        served.text("ca_file")
    ));
    let before = counted(&served);
    let mut running: Vec<_> = [ann, bob]
        .into_iter()
        .map(|desk| {
            let file = write(desk, "night.csv", &many(2_000));
            let line = format!("import {file} --send all --chunk-rows 100 --in-flight 8 --profile Slow");
            desk.command().args(line.split_whitespace()).spawn().unwrap()
        })
        .collect();
    let sent = || counted(&served) - before;
    for _ in 0..600 {
        if sent() >= LIMIT {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(sent(), LIMIT, "what the limit allows is sent");
    // Both have much left to send.
    std::thread::sleep(Duration::from_secs(8));
    assert_eq!(sent(), LIMIT, "and no more");
    let reserved = cluster.told("ann", "SELECT sum(requests) FROM bordereau.request_counts");
    assert_eq!(reserved, LIMIT.to_string());
    for importer in &mut running {
        let _ = importer.kill();
        importer.wait().unwrap();
    }
    assert!(stored(&served).values().all(|count| *count == 1));
}

/// Who does what, from the command line: one assigns, another finds it, a reader changes nothing.
#[test]
fn work_is_assigned_from_the_command_line() {
    let own = Place::new().line("assign batch b --to me");
    assert!(own.code != 0 && own.err.contains("nobody to assign"), "{own:?}");
    let Some(cluster) = cluster::Cluster::start() else { return };
    let served = Served::start();
    let people = [("adam", "administrator"), ("bob", "clerk"), ("rita", "reader")];
    let desks = open_office(&cluster, &cluster.socket(), &served, &people);
    let [adam, bob, rita] = &desks[..] else { unreachable!() };
    let file = write(bob, "week.csv", &many(4));
    let sent = bob.line(&format!("import {file} --send all --profile Office"));
    assert_eq!(sent.code, 0, "{sent:?}");
    let id = adam.json("batch list")["batches"][0]["id"].as_str().unwrap().to_owned();
    for (desk, refused) in [(rita, "role"), (adam, "nobody of this name")] {
        let ended = desk.line(&format!("assign batch {id} --to rita --profile Office"));
        assert!(ended.code != 0 && ended.err.contains(refused), "{ended:?}");
    }
    let refused = rita.line(&format!("assign batch {id} --to bob --profile Office"));
    assert!(refused.code != 0 && refused.err.contains("role"), "{refused:?}");
    let done = adam.line(&format!("assign batch {id} --to bob --note call-Harbor --profile Office"));
    assert!(done.code == 0 && done.out.contains("Assigned to bob"), "{done:?}");
    assert!(bob.line("batch list --assigned-to me").out.contains("for bob: call-Harbor"));
    assert_eq!(rita.json("batch list --assigned-to bob")["batches"].as_array().map(Vec::len), Some(1));
    assert_eq!(rita.json("batch list --assigned-to nobody")["batches"].as_array().map(Vec::len), Some(0));
    let released = bob.line(&format!("assign batch {id} --to nobody --profile Office"));
    assert!(released.code == 0 && released.out.contains("nobody"), "{released:?}");
    assert!(bob.line("batch list --assigned-to nobody").out.contains("call-Harbor"), "the note stays");
    let missing = bob.line("assign batch missing --to me --profile Office");
    assert_ne!(missing.code, 0, "{missing:?}");
}

/// What a listener of the office has answered every desk shows once; without its database it answers nothing with 200.
#[test]
fn what_a_listener_of_an_office_answers_every_desk_shows_once() {
    let Some(cluster) = cluster::Cluster::start() else { return };
    let served = Served::start();
    let people = [("adam", "administrator"), ("rita", "reader"), ("lena", "clerk")];
    let mut desks = open_office(&cluster, &cluster.socket(), &served, &people);
    let lena = desks.pop().unwrap().with("BORDEREAU_WEBHOOK_SECRET", "secret of 20 letters");
    let lena = lena.with("BORDEREAU_LISTEN_TOKEN", "t");
    let listening = Listening::start_with(&lena, "--profile Office");
    assert_eq!(listening.bring(&"0".repeat(64)), "401");
    assert_eq!(listening.bring(SIGNATURE), "200");
    let shown = |desk: &Place| {
        let events = desk.json("events --profile Office")["events"].take();
        let events = events.as_array().unwrap();
        assert_eq!((events.len(), &events[0]["transaction"]), (1, &"17".into()), "{events:?}");
        events[0]["repeats"].as_u64()
    };
    desks.iter().for_each(|desk| assert_eq!(shown(desk), Some(0)));
    cluster.crash();
    assert_ne!(listening.bring(SIGNATURE), "200");
    cluster.start_again();
    assert_eq!(listening.bring(SIGNATURE), "200");
    desks.iter().for_each(|desk| assert_eq!(shown(desk), Some(1)));
}

/// What the long run (`cargo xtask faults --only office`) asks for.
fn number(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Desks that queue at the same time, workers that are killed with -9 while they send, connections that are cut, a server
/// that loses its power, and in the long run a standby that takes over.
#[test]
fn every_row_of_an_office_arrives_once_whoever_is_killed() {
    let Some(first) = cluster::Cluster::start() else { return };
    let (rows, rounds) = (number("BORDEREAU_FAULTS_ROWS", 2_400) / 3, number("BORDEREAU_FAULTS_KILLS", 6));
    let standby = (number("BORDEREAU_FAULTS_STANDBY", 0) > 0).then(|| first.add_standby());
    let names: Vec<String> =
        (1..=number("BORDEREAU_FAULTS_WORKERS", 3)).map(|worker| format!("w{worker}")).collect();
    let mut people = vec![("adam", "administrator"), ("ann", "clerk"), ("bob", "clerk")];
    people.extend(names.iter().map(|name| (name.as_str(), "clerk")));
    let served = Served::start();
    let hosts = standby.iter().fold(first.socket(), |hosts, standby| format!("{hosts},{}", standby.socket()));
    let desks = open_office(&first, &hosts, &served, &people);
    let (importers, workers) = desks.split_at(3);

    let start = |desk: &Place, line: &str| desk.command().args(line.split_whitespace()).spawn().unwrap();
    let lines: Vec<String> = (0..3)
        .zip(importers)
        .map(|(of, desk)| {
            let text = many(rows)
                .replace("NIGHT-", &format!("DESK{of}-"))
                .replace(",000700", &format!(",0{of}0700"));
            let file = write(desk, "night.csv", &text);
            format!("import {file} --send all --chunk-rows 100 --in-flight 8 --profile Office")
        })
        .collect();
    let running: Vec<_> = importers.iter().zip(&lines).map(|(desk, line)| start(desk, line)).collect();
    let assert_none_twice = |when: &str| {
        let there = stored(&served);
        assert!(there.values().all(|count| *count == 1), "{when}: {there:?}");
    };
    let send_and_kill = |round: usize, meanwhile: &dyn Fn()| {
        let mut running: Vec<_> =
            workers.iter().map(|worker| start(worker, "work --profile Office")).collect();
        std::thread::sleep(Duration::from_millis(300 + 170 * (round as u64 % 6)));
        meanwhile();
        running.iter_mut().for_each(|worker| worker.kill().unwrap());
        running.iter_mut().for_each(|worker| assert!(!worker.wait().unwrap().success()));
        assert_none_twice(&format!("round {round}"));
    };
    for round in 0..rounds {
        send_and_kill(round, &|| match round % 6 {
            3 => first.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'Bordereau'",
            ),
            4 => {
                first.crash();
                first.start_again();
            }
            _ => {}
        });
    }
    // What was being sent by those who were killed was lost an hour ago, as what the one that took over may not know.
    let lose = "UPDATE bordereau.batch_parts SET state = 'unknown', observed_ms = 3600000,
         lost_ms = (extract(epoch FROM now())::bigint - 3600) * 1000 WHERE state IN ('sending', 'unknown')";
    let ended: Vec<_> = running.into_iter().map(|running| running.wait_with_output().unwrap()).collect();
    first.run(lose);
    // An importer whose connection was cut goes on when it is called again.
    for ((desk, line), ended) in importers.iter().zip(&lines).zip(ended) {
        if !ended.status.success() {
            let again = desk.line(line);
            assert_eq!(again.code, 0, "{ended:?}, then {again:?}");
        }
    }
    let office = standby.as_ref().map_or(&first, |standby| {
        send_and_kill(rounds, &|| {
            first.crash();
            standby.promote();
        });
        standby
    });
    assert_eq!(importers[0].line("batch list").code, 0, "the first one who comes notices who took over");
    office.run(lose);
    let worked = workers[0].line("work --until-done --profile Office");
    assert_eq!(worked.code, 0, "{worked:?}");
    let there = stored(&served);
    let sent = (0..3).flat_map(|of| (0..rows).map(move |row| format!("DESK{of}-{row:05}")));
    let missing: Vec<String> = sent.filter(|id| !there.contains_key(id)).collect();
    assert_eq!(missing, Vec::<String>::new(), "of {}", rows * 3);
    assert_eq!((there.len(), there.values().all(|count| *count == 1)), (rows * 3, true));
    let intact = importers[0].line("audit verify");
    assert_eq!(intact.code, 0, "{intact:?}");
    println!("{} rows once each; {} killed; {}", rows * 3, workers.len() * rounds, intact.out.trim());
}
