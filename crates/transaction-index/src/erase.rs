//! Removes records of an insured or a year from the index.

use rusqlite::Connection;

use bordereau_store::StoreError;
use bordereau_store::erase::{EraseScope, IndexedTransactions};

/// The records that are erased.
pub fn find_erasable(
    connection: &Connection,
    profile: &str,
    scope: &EraseScope,
) -> Result<IndexedTransactions, StoreError> {
    let mut found = IndexedTransactions { profile: profile.to_owned(), ..IndexedTransactions::default() };
    if let EraseScope::Year(year) = scope {
        let sql = "SELECT id FROM facts WHERE coalesce(transaction_effective, policy_effective) LIKE ?1";
        let mut statement = connection.prepare(sql)?;
        found.ids =
            statement.query_map([format!("{year:04}-%")], |row| row.get(0))?.collect::<Result<_, _>>()?;
        return Ok(found);
    }
    let mut statement = connection.prepare("SELECT id, insured, policy_number, invoice FROM bodies")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if scope.is_insured(row.get_ref(1)?.as_str().unwrap_or_default()) {
            found.ids.push(row.get(0)?);
            found.numbers.extend([row.get(2)?, row.get(3)?]);
        }
    }
    Ok(found)
}

/// Removes records with the words that find them, so that nothing of them is left in the file.
pub fn remove_records(connection: &Connection, ids: &[i64]) -> Result<(), StoreError> {
    connection.pragma_update(None, "secure_delete", true)?;
    for table in ["facts WHERE id", "bodies WHERE id", "words WHERE rowid"] {
        let mut statement = connection.prepare(&format!("DELETE FROM {table} = ?1"))?;
        ids.iter().try_for_each(|id| statement.execute([id]).map(drop))?;
    }
    // A removed word is only marked as such until its segment is written again.
    connection.execute("INSERT INTO words (words) VALUES ('optimize')", [])?;
    connection.execute("UPDATE revision SET number = number + 1", [])?;
    Ok(())
}
