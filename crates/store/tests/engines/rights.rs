//! Who may do what in the database of an office: each role tries it by SQL.

use bordereau_store::workspace::{create_workspace, workspace_status};

use crate::cluster::Cluster;
use crate::{blocking, office_at};

#[tokio::test(flavor = "multi_thread")]
async fn each_role_may_what_it_may() {
    let Some(cluster) = Cluster::start() else { return };
    let owner = office_at(&cluster, "rights", "postgres");
    blocking(move || create_workspace(&owner)).await.unwrap();
    const ROLES: [&str; 4] = ["reader", "clerk", "manager", "administrator"];
    for role in ROLES {
        cluster.run(&format!("CREATE ROLE {role}_person LOGIN IN ROLE rights_{role}"));
        let database = office_at(&cluster, "rights", &format!("{role}_person"));
        assert_eq!(blocking(move || workspace_status(&database)).await.unwrap().role, role);
    }
    cluster.run("CREATE ROLE stranger LOGIN; CREATE ROLE newcomer LOGIN");
    let batch = |environment: &str| {
        format!(
            "INSERT INTO batches (id, name, profile_id, profile_name, environment, state, totals, sent_by, created_at, \
             day) VALUES (fresh_id(), '', '', '', '\"{environment}\"', 'queued', '', '', '', '')"
        )
    };
    let [production, sandbox] = ["production", "sandbox"].map(batch);
    cluster.run("UPDATE rights.store_place SET file = 'this', copied_at = 'now', sends = 3");
    // One of each is there.
    let upload = |environment: &str| {
        format!(
            "INSERT INTO document_uploads (id, profile_id, profile_name, environment, invoice_number, name, code, \
             file_name, kind, bytes, sha256, state, created_at, created_by) VALUES (fresh_id(), '', '', \
             '\"{environment}\"', 'I', '', '', '', '', 1, '', 'queued', '', '')"
        )
    };
    let [production_upload, sandbox_upload] = ["production", "sandbox"].map(upload);
    cluster.run(&format!("SET search_path = rights; {production}; {sandbox}; {production_upload}"));
    let entry = "INSERT INTO audit SELECT coalesce(max(number), 0) + 1, '', session_user, '', '' FROM audit";
    let forged = "INSERT INTO audit SELECT coalesce(max(number), 0) + 1, '', 'postgres', '', '' FROM audit";
    let part =
        |batch: u8| format!("INSERT INTO batch_parts (batch, part, state) VALUES ({batch}, 7, 'queued')");
    let [part_of_production, part_of_sandbox] = [1, 2].map(part);
    let row = "INSERT INTO batch_rows (batch, row, part, own_id, line, policy_number, insured, state_code, \
               transaction_type, premium, wire, row_state) VALUES (1, 7, 7, '', 1, '', '', '', '', '', '{}', 'pending')";
    let own_profile = "INSERT INTO profiles (id, body, added)
         VALUES ('x', json_build_object('owner', session_user::text)::text, 1)";
    let profile_of_another = "INSERT INTO profiles (id, body, added) VALUES ('x', '{\"owner\": \"ann\"}', 1)";
    // The statement, and who may: reader, clerk, manager, administrator. Each is undone.
    let cases = [
        ("SELECT * FROM batches", [true, true, true, true]),
        ("SELECT * FROM audit", [true, true, true, true]),
        ("UPDATE outbox_revision SET revision = revision + 1", [false, true, true, true]),
        (sandbox.as_str(), [false, true, true, true]),
        (production.as_str(), [false, false, true, true]),
        (sandbox_upload.as_str(), [false, true, true, true]),
        (production_upload.as_str(), [false, false, true, true]),
        (part_of_sandbox.as_str(), [false, true, true, true]),
        (part_of_production.as_str(), [false, false, true, true]),
        (row, [false, false, true, true]),
        ("UPDATE batches SET state = 'queued' WHERE seq = 2", [false, true, true, true]),
        ("UPDATE batches SET state = 'queued' WHERE seq = 1", [false, false, true, true]),
        ("UPDATE document_uploads SET state = 'canceled'", [false, false, true, true]),
        ("UPDATE batches SET environment = '\"production\"'", [false, false, false, false]),
        ("UPDATE document_uploads SET address = ''", [false, false, false, false]),
        ("INSERT INTO profiles (id, body, added) VALUES ('x', '{}', 1)", [false, false, false, true]),
        (own_profile, [false, false, true, true]),
        (profile_of_another, [false, false, false, false]),
        ("INSERT INTO profile_files VALUES ('x', '')", [false, false, true, true]),
        ("DELETE FROM profile_files", [false, false, false, true]),
        (entry, [false, true, true, true]),
        (forged, [false, false, false, false]),
        ("UPDATE store_place SET sends = sends + 1", [false, true, true, true]),
        ("UPDATE store_place SET sends = sends - 1", [false, false, true, true]),
        ("UPDATE store_place SET copied_at = ''", [false, false, true, true]),
        ("UPDATE store_place SET file = 'another'", [false, true, true, true]),
        ("UPDATE store_place SET file = 'another', copied_at = ''", [false, false, true, true]),
        ("UPDATE audit SET text = 'x'", [false, false, false, false]),
        ("DELETE FROM audit", [false, false, false, false]),
        ("TRUNCATE audit", [false, false, false, false]),
        ("UPDATE audit_given SET given = 0", [false, false, false, false]),
        ("INSERT INTO copied_audit VALUES ('x', 1, '', '', '', '')", [false, false, false, true]),
        ("UPDATE store_schema SET steps = 1", [false, false, false, false]),
        ("DROP TABLE audit", [false, false, false, false]),
        ("ALTER TABLE batches DISABLE ROW LEVEL SECURITY", [false, false, false, false]),
        ("CREATE TABLE rights.own (x BIGINT)", [false, false, false, false]),
        ("GRANT rights_clerk TO newcomer", [false, false, false, true]),
        ("GRANT rights_administrator TO newcomer", [false, false, false, false]),
    ];
    for (sql, expected) in cases {
        let undone = format!("BEGIN; SET search_path = rights; {sql}; ROLLBACK");
        for (role, expected) in ROLES.into_iter().zip(expected) {
            assert_eq!(cluster.may(&format!("{role}_person"), &undone), expected, "{role}: {sql}");
        }
        assert!(!cluster.may("stranger", &undone), "stranger: {sql}");
    }
    // Removing is no error where row security hides the row: it is still there.
    for (person, left) in [("clerk_person", "1"), ("manager_person", "0")] {
        let told = cluster.told(
            person,
            "BEGIN; SET search_path = rights; DELETE FROM document_uploads; SELECT count(*) FROM document_uploads",
        );
        assert_eq!(told, left, "{person}");
    }
    let [queued_part, queued_row] =
        [part_of_production.as_str(), row].map(|sql| format!("SET search_path = rights; {sql}"));
    cluster.run(&queued_part);
    cluster.run(&queued_row);
    for (person, left) in [("clerk_person", "1"), ("manager_person", "0")] {
        let told = cluster.told(
            person,
            "BEGIN; SET search_path = rights; UPDATE batch_rows SET batch = 2; SELECT count(*) FROM batch_rows WHERE batch = 1",
        );
        assert_eq!(told, left, "{person}");
    }
    // What anyone has read is theirs alone.
    cluster.run(
        "SET search_path = rights; INSERT INTO events (profile_id, recognition, what, event, event_id, said_at, batch_id,
         transaction_id, policy_number, invoice_number, state_code, title, signature, body)
         VALUES ('', '', '', '', '', '', '', '', '', '', '', '', '', '')",
    );
    let mark = |person: &str| {
        format!(
            "SET search_path = rights; INSERT INTO event_reads (person, event, is_read) VALUES ('{person}', 1, 1)"
        )
    };
    assert!(cluster.may("reader_person", &mark("reader_person")));
    for (person, other) in [("reader_person", "clerk_person"), ("administrator_person", "manager_person")] {
        assert!(!cluster.may(person, &mark(other)), "{person}");
    }
    let left = cluster.told(
        "clerk_person",
        "BEGIN; SET search_path = rights; UPDATE event_reads SET is_read = 0; DELETE FROM event_reads;
         SELECT sum(is_read) FROM event_reads",
    );
    assert_eq!(left, "1", "nobody takes it from them");
    see_files_of_own_profiles_alone(&cluster);
    assert_every_table_is_as_it_is_meant(&cluster);
    // Whatever an entry says: the database writes who wrote it.
    assert!(cluster.may("clerk_person", &format!("SET search_path = rights; {entry}")));
    assert_eq!(cluster.told("reader_person", "SELECT signed_by FROM rights.audit"), "clerk_person");
}

/// A file is seen by who sees a profile that names it; one with the same content can be added again by another person.
fn see_files_of_own_profiles_alone(cluster: &Cluster) {
    let add = "SET search_path = rights; INSERT INTO profile_files (name, content) VALUES ('a1/own.csv', 'x') ON CONFLICT DO NOTHING;
         INSERT INTO profiles (id, body, added) VALUES (fresh_id(),
             json_build_object('owner', session_user::text, 'lines_file', 'a1/own.csv')::text, 1)";
    let seen = |person: &str| cluster.told(person, "SELECT count(*) FROM rights.profile_files");
    assert!(cluster.may("manager_person", add));
    let all = ["reader_person", "clerk_person", "manager_person", "administrator_person"];
    assert_eq!(all.map(seen), ["0", "0", "1", "0"]);
    assert!(cluster.may("administrator_person", add));
    assert_eq!(all.map(seen), ["0", "0", "1", "1"]);
    cluster.run("UPDATE rights.profiles SET body = '{\"lines_file\": \"a1/own.csv\"}'");
    assert_eq!(all.map(seen), ["1", "1", "1", "1"]);
    cluster.run("DELETE FROM rights.profiles; DELETE FROM rights.profile_files");
}

/// Each role tries each kind of statement on every table and calls every function that works with the owner's rights: a new
/// one that nobody thought of is found here.
fn assert_every_table_is_as_it_is_meant(cluster: &Cluster) {
    let try_all = "SET search_path = rights;
         CREATE FUNCTION pg_temp.may(sql TEXT) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
         BEGIN
             EXECUTE sql;
             RETURN true;
         EXCEPTION WHEN insufficient_privilege THEN
             RETURN false;
         END $$;
         SELECT coalesce(string_agg(may || ' ' || tables, '; ' ORDER BY may), '') FROM (
             SELECT may, string_agg(relname, ' ' ORDER BY relname) AS tables FROM (
                 SELECT relname,
                     CASE WHEN pg_temp.may(format('SELECT 1 FROM %I WHERE false', relname)) THEN 'S' ELSE '-' END
                     || CASE WHEN pg_temp.may(format('INSERT INTO %1$I SELECT * FROM %1$I WHERE false', relname)) THEN 'I' ELSE '-' END
                     || CASE WHEN pg_temp.may(format('UPDATE %I SET %I = %2$I WHERE false', relname, attname)) THEN 'U' ELSE '-' END
                     || CASE WHEN pg_temp.may(format('DELETE FROM %I WHERE false', relname)) THEN 'D' ELSE '-' END
                     || CASE WHEN pg_temp.may(format('TRUNCATE %I', relname)) THEN 'T' ELSE '-' END
                     || CASE WHEN pg_temp.may(format('ALTER TABLE %I ADD COLUMN x BIGINT', relname)) THEN 'A' ELSE '-' END AS may
                 FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = 1
                 WHERE relnamespace = 'rights'::regnamespace AND relkind = 'r') tried
             WHERE may <> USUAL GROUP BY may) unusual";
    let unusual = |role: &str, usual: &str| {
        let usual = format!("'{usual}'");
        cluster.told(&format!("{role}_person"), &try_all.replace("USUAL", &usual))
    };
    assert_eq!(unusual("reader", "S-----"), "SIUD-- event_reads");
    // Of what goes somewhere not every column is changed.
    let clerk = "S----- audit_given copied_audit file_places profile_files profiles request_counts store_schema; S-U--- store_place; SI---- audit; SI-D-- batches document_uploads";
    assert_eq!(unusual("clerk", "SIUD--"), clerk);
    let manager = "S----- audit_given copied_audit file_places request_counts store_schema; S-U--- store_place; SI---- audit profile_files; SI-D-- batches document_uploads";
    assert_eq!(unusual("manager", "SIUD--"), manager);
    let administrator = "S----- audit_given request_counts store_schema; S-U--- store_place; SI---- audit copied_audit file_places; SI-D-- batches document_uploads";
    assert_eq!(unusual("administrator", "SIUD--"), administrator);
    let stranger = cluster.told("stranger", "SELECT string_agg(nspname, '') FROM pg_namespace WHERE nspname = 'rights' AND has_schema_privilege(oid, 'USAGE')");
    assert_eq!(stranger, "");
    let functions = cluster.told(
        "postgres",
        "SELECT string_agg(proname || ' ' || coalesce(array_to_string(proconfig, ','), 'unsafe'), '; ' ORDER BY proname)
         FROM pg_proc WHERE pronamespace = 'rights'::regnamespace AND prosecdef",
    );
    assert_eq!(
        functions,
        "audit_counts search_path=pg_catalog; has_profile search_path=rights, pg_temp; reserve_requests search_path=rights, pg_temp"
    );
    let reserve = "SELECT rights.reserve_requests('a', 1, 1, 1000, 60)";
    assert!(cluster.may("reader_person", reserve) && !cluster.may("stranger", reserve));
    assert!(!cluster.may("administrator_person", "SELECT rights.audit_counts()"));
}
