//! Erases an insured or a year: collects it in temporary tables, counts it, and removes it in one transaction.

use bordereau_api::{EraseView, to_u32};
use bordereau_database::{Connection, params};
use sha2::{Digest, Sha256};

use crate::assignments::forget_removed;
use crate::batches::bump_revision;
use crate::events::mark_events_changed;
use crate::open_database::empty_log;
use crate::{ActorTimestamp, StoreError, audit, list_rows};

/// What is erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EraseScope {
    /// An insured by its name.
    Insured(String),
    /// Everything of a year.
    Year(u32),
}

impl EraseScope {
    /// Whether a name is the insured's, in any spacing and case.
    #[must_use]
    pub fn is_insured(&self, name: &str) -> bool {
        matches!(self, EraseScope::Insured(insured) if plain_name(insured) == plain_name(name))
    }

    /// `2024-%`; matches nothing for an insured.
    fn days(&self) -> String {
        match self {
            EraseScope::Insured(_) => String::new(),
            EraseScope::Year(year) => format!("{year:04}-%"),
        }
    }

    /// The name as JSON text, and as JSON text within JSON; matches nothing for a year.
    fn quoted(&self) -> [String; 2] {
        match self {
            EraseScope::Insured(name) => {
                let name = name.trim().to_lowercase();
                [format!("\"{name}\""), format!("\"{name}\\\"")]
            }
            EraseScope::Year(_) => ["\u{1}".to_owned(), "\u{1}".to_owned()],
        }
    }

    /// The text for the audit log: only who knows the name or year and the proof can compute it again.
    #[must_use]
    pub fn log_hash(&self, proof: &str) -> String {
        let text = match self {
            EraseScope::Insured(name) => plain_name(name),
            EraseScope::Year(year) => year.to_string(),
        };
        let hash = Sha256::digest(format!("{proof}:{text}"));
        bordereau_contract::hex_text(hash.iter())
    }
}

fn plain_name(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Transactions of a profile's index that are erased with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexedTransactions {
    /// Id of the profile.
    pub profile: String,
    /// The service's numbers.
    pub ids: Vec<i64>,
    /// Their policy and invoice numbers.
    pub numbers: Vec<String>,
}

const NOTES: &str = "
    CREATE TEMP TABLE IF NOT EXISTS erased_rows (batch BIGINT, row BIGINT, PRIMARY KEY (batch, row));
    CREATE TEMP TABLE IF NOT EXISTS erased_ids (profile TEXT, id BIGINT, PRIMARY KEY (profile, id));
    CREATE TEMP TABLE IF NOT EXISTS erased_numbers (profile TEXT, number TEXT, PRIMARY KEY (profile, number));
    CREATE TEMP TABLE IF NOT EXISTS erased (what TEXT, id TEXT, PRIMARY KEY (what, id));
    DELETE FROM erased_rows; DELETE FROM erased_ids; DELETE FROM erased_numbers; DELETE FROM erased;";

const OPEN_PARTS: &str = "('queued', 'sending', 'unknown', 'accepted', 'processing')";
const OPEN_UPLOADS: &str = "('queued', 'sending', 'unknown')";

/// What would be erased.
pub fn preview_erasure(
    connection: &mut Connection,
    scope: &EraseScope,
    indexed: &[IndexedTransactions],
) -> Result<EraseView, StoreError> {
    keep_notes_in_memory(connection)?;
    let transaction = connection.snapshot()?;
    note_all(&transaction, scope, indexed)?;
    count_noted(&transaction, scope)
}

/// Erases it, and writes counts and a hash into the audit log; nothing where some of it is still being sent. The
/// proof is a random text that no one can guess.
pub fn erase(
    connection: &mut Connection,
    scope: &EraseScope,
    indexed: &[IndexedTransactions],
    proof: &str,
    now: &ActorTimestamp,
) -> Result<EraseView, StoreError> {
    keep_notes_in_memory(connection)?;
    let transaction = connection.transaction()?;
    note_all(&transaction, scope, indexed)?;
    let mut view = count_noted(&transaction, scope)?;
    view.transactions = to_u32(indexed.iter().map(|of| of.ids.len()).sum::<usize>());
    if view.sending > 0 {
        return Ok(view);
    }
    transaction.execute_batch(
        "CREATE TEMP TABLE IF NOT EXISTS erased_batches (batch BIGINT PRIMARY KEY);
         DELETE FROM erased_batches;
         INSERT INTO erased_batches SELECT DISTINCT batch FROM erased_rows;
         DELETE FROM batch_documents WHERE (batch, row) IN (SELECT batch, row FROM erased_rows);
         DELETE FROM batch_rows WHERE (batch, row) IN (SELECT batch, row FROM erased_rows);
         DELETE FROM erased_batches WHERE batch IN (SELECT batch FROM batch_rows);
         DELETE FROM batch_parts WHERE batch IN (SELECT batch FROM erased_batches);
         DELETE FROM batches WHERE seq IN (SELECT batch FROM erased_batches);
         DELETE FROM document_contents WHERE upload IN (SELECT CAST(id AS BIGINT) FROM erased WHERE what = 'upload');
         DELETE FROM document_uploads WHERE seq IN (SELECT CAST(id AS BIGINT) FROM erased WHERE what = 'upload');
         DELETE FROM events WHERE seq IN (SELECT CAST(id AS BIGINT) FROM erased WHERE what = 'event');
         DELETE FROM event_watches WHERE EXISTS (SELECT 1 FROM erased_ids i
             WHERE i.profile = profile_id AND CAST(i.id AS TEXT) = transaction_id);
         DELETE FROM quotes WHERE id IN (SELECT id FROM erased WHERE what = 'quote');
         DELETE FROM reviews WHERE id IN (SELECT id FROM erased WHERE what = 'draft');
         DELETE FROM saved_searches WHERE profile || ' ' || name IN (SELECT id FROM erased WHERE what = 'search');
         DELETE FROM unread_answers WHERE seq IN (SELECT CAST(id AS BIGINT) FROM erased WHERE what = 'answer');
         DELETE FROM kept_values WHERE name IN (SELECT id FROM erased WHERE what = 'value');",
    )?;
    remove_notes(&transaction, scope)?;
    forget_removed(&transaction)?;
    let text = format!(
        "Erased {}: {}. Hash {}.",
        if matches!(scope, EraseScope::Year(_)) { "a year" } else { "an insured" },
        view.count_words(),
        scope.log_hash(proof),
    );
    audit::append_entry(&transaction, &now.at, &now.by, &text)?;
    bump_revision(&transaction)?;
    mark_events_changed(&transaction)?;
    transaction.execute_batch(NOTES)?;
    transaction.commit()?;
    connection.as_file().map_or(Ok(()), empty_log)?;
    view.proof = proof.to_owned();
    Ok(view)
}

/// Counts the unsaved quotes at this desk that name it, and removes them if asked; they are in this computer's own
/// data file, even where it works on an office.
pub fn erase_typed_quote(
    connection: &mut Connection,
    scope: &EraseScope,
    is_removed: bool,
) -> Result<u32, StoreError> {
    let [name, _] = scope.quoted();
    let typed = "FROM kept_values WHERE name = 'draft' AND instr(lower(value), ?1) > 0";
    let found = connection.query_row(&format!("SELECT count(*) {typed}"), [&name], |row| row.get(0))?;
    if is_removed && found > 0 {
        connection.execute(&format!("DELETE {typed}"), [&name])?;
        connection.as_file().map_or(Ok(()), empty_log)?;
    }
    Ok(found)
}

/// Removes notes that name the insured, whatever they belong to.
fn remove_notes(connection: &Connection, scope: &EraseScope) -> Result<(), StoreError> {
    let EraseScope::Insured(name) = scope else { return Ok(()) };
    for table in ["assignments", "due_marks"] {
        let sql = format!("UPDATE {table} SET note = '' WHERE instr(lower(note), ?1) > 0");
        connection.execute(&sql, [name.trim().to_lowercase()])?;
    }
    Ok(())
}

/// Keeps names out of temporary files beside the store.
fn keep_notes_in_memory(connection: &Connection) -> Result<(), StoreError> {
    match connection.as_file() {
        Some(file) => Ok(file.pragma_update(None, "temp_store", "MEMORY")?),
        None => Ok(()),
    }
}

fn note_all(
    connection: &Connection,
    scope: &EraseScope,
    indexed: &[IndexedTransactions],
) -> Result<(), StoreError> {
    connection.execute_batch(NOTES)?;
    note_rows(connection, scope)?;
    for of in indexed {
        for id in &of.ids {
            connection
                .prepare_cached("INSERT INTO erased_ids VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
                .execute(params![of.profile, id])?;
        }
        for number in of.numbers.iter().filter(|number| !number.is_empty()) {
            connection
                .prepare_cached("INSERT INTO erased_numbers VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
                .execute(params![of.profile, number])?;
        }
    }
    let days = scope.days();
    let [name, escaped] = scope.quoted();
    for sql in [
        "SELECT 'upload', CAST(seq AS TEXT) FROM document_uploads u WHERE coalesce(nullif(day, ''), created_at) LIKE ?1
             OR EXISTS (SELECT 1 FROM erased_ids i WHERE i.profile = u.profile_id AND i.id = u.transaction_id)
             OR EXISTS (SELECT 1 FROM erased_numbers n WHERE n.profile = u.profile_id AND n.number = u.invoice_number)",
        "SELECT 'event', CAST(seq AS TEXT) FROM events e WHERE coalesce(received_at, found_at) LIKE ?1
             OR EXISTS (SELECT 1 FROM erased_ids i WHERE i.profile = e.profile_id
                 AND CAST(i.id AS TEXT) = e.transaction_id)
             OR EXISTS (SELECT 1 FROM erased_numbers n WHERE n.profile = e.profile_id
                 AND n.number IN (e.policy_number, e.invoice_number))
             OR instr(lower(BODY), ?2) > 0",
        "SELECT 'answer', CAST(seq AS TEXT) FROM unread_answers WHERE at LIKE ?1 OR instr(lower(answer), ?2) > 0
             OR instr(lower(answer), ?3) > 0",
        "SELECT 'quote', id FROM quotes WHERE at LIKE ?1 OR instr(lower(request), ?2) > 0",
        "SELECT 'draft', id FROM reviews WHERE at LIKE ?1",
        "SELECT 'search', profile || ' ' || name FROM saved_searches WHERE instr(lower(body), ?2) > 0",
        "SELECT 'value', name FROM kept_values WHERE name = 'draft' AND instr(lower(value), ?2) > 0",
    ] {
        // Statements use different parameters; the condition behind them uses all three.
        let sql = sql.replace("BODY", &connection.bytes_as_text("body"));
        let sql = format!("INSERT INTO erased SELECT * FROM ({sql}) found WHERE ?1 || ?2 || ?3 IS NOT NULL");
        connection.execute(&sql, params![days, name, escaped])?;
    }
    Ok(())
}

fn note_rows(connection: &Connection, scope: &EraseScope) -> Result<(), StoreError> {
    if let EraseScope::Year(_) = scope {
        connection.execute(
            "INSERT INTO erased_rows SELECT r.batch, r.row FROM batch_rows r JOIN batches b ON b.seq = r.batch
             WHERE coalesce(nullif(b.day, ''), b.created_at) LIKE ?1",
            [scope.days()],
        )?;
        return Ok(());
    }
    let sql = "SELECT DISTINCT insured FROM batch_rows";
    let names: Vec<String> = list_rows(connection, sql, [], |row| row.get(0))?;
    for name in names.iter().filter(|name| scope.is_insured(name)) {
        connection.execute(
            "INSERT INTO erased_rows SELECT batch, row FROM batch_rows WHERE insured = ?1",
            [name],
        )?;
    }
    connection.execute_batch(
        "INSERT INTO erased_ids SELECT b.profile_id, r.transaction_id
             FROM erased_rows JOIN batch_rows r USING (batch, row) JOIN batches b ON b.seq = r.batch
             WHERE r.transaction_id IS NOT NULL ON CONFLICT DO NOTHING;
         INSERT INTO erased_numbers SELECT b.profile_id, r.policy_number
             FROM erased_rows JOIN batch_rows r USING (batch, row) JOIN batches b ON b.seq = r.batch
             WHERE r.policy_number <> '' ON CONFLICT DO NOTHING;",
    )?;
    Ok(())
}

fn count_noted(connection: &Connection, scope: &EraseScope) -> Result<EraseView, StoreError> {
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<u32>(0));
    let noted = |what: &str| {
        connection.query_row("SELECT count(*) FROM erased WHERE what = ?1", [what], |row| row.get::<u32>(0))
    };
    let mut view = EraseView {
        rows: count("SELECT count(*) FROM erased_rows")?,
        batches: count(
            "SELECT count(*) FROM (SELECT e.batch, count(*) AS gone FROM erased_rows e GROUP BY e.batch) g
             WHERE g.gone = (SELECT count(*) FROM batch_rows r WHERE r.batch = g.batch)",
        )?,
        documents: count("SELECT count(*) FROM erased_rows JOIN batch_documents USING (batch, row)")?,
        uploads: noted("upload")?,
        events: noted("event")?,
        quotes: noted("quote")? + noted("value")?,
        drafts: noted("draft")?,
        searches: noted("search")?,
        answers: noted("answer")?,
        sending: count(&format!(
            "SELECT (SELECT count(*) FROM erased_rows JOIN batch_rows r USING (batch, row)
                 JOIN batch_parts p ON p.batch = r.batch AND p.part = r.part WHERE p.state IN {OPEN_PARTS})
             + (SELECT count(*) FROM document_uploads WHERE state IN {OPEN_UPLOADS}
                 AND seq IN (SELECT CAST(id AS BIGINT) FROM erased WHERE what = 'upload'))"
        ))?,
        ..EraseView::default()
    };
    if let EraseScope::Insured(name) = scope {
        view.unsearched_drafts = count("SELECT count(*) FROM reviews")?;
        view.log_entries = connection.query_row(
            "SELECT count(*) FROM audit WHERE instr(lower(text), lower(?1)) > 0",
            [name.trim()],
            |row| row.get(0),
        )?;
    }
    Ok(view)
}
