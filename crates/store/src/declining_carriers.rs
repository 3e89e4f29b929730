//! The table `declining_carriers`: carriers that declined before, as suggestions for the next form.

use bordereau_database::{Connection, params};

use crate::{StoreError, list_rows};
use bordereau_api::{FormDeclination, KnownCarrier};

/// Carriers stored, and carriers suggested.
const KEPT_MAX: u32 = 2_000;
const SUGGESTED_MAX: u32 = 300;

/// The step of the schema that made it.
pub(crate) const CREATE_DECLINING_CARRIERS: &str = include_str!("declining_carriers.sql");

/// Stores each contact and reason of a carrier once, by its code or name: what one person of an office entered stays
/// beside what another one did.
pub fn remember_carriers(
    connection: &mut Connection,
    declinations: &[FormDeclination],
) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    for declination in declinations {
        let [name, naic, contact, reason] =
            [&declination.carrier, &declination.naic, &declination.contact, &declination.reason]
                .map(|text| text.trim());
        if name.is_empty() {
            continue;
        }
        let carrier = if naic.is_empty() { name.to_owned() } else { format!("#{naic}") };
        let key = format!("{carrier}\n{contact}\n{reason}").trim_end().to_lowercase();
        transaction.execute(
            "INSERT INTO declining_carriers (key, carrier, naic, contact, reason, turn)
             VALUES (?1, ?2, ?3, ?4, ?5, (SELECT COALESCE(MAX(turn), 0) + 1 FROM declining_carriers))
             ON CONFLICT (key) DO UPDATE SET carrier = excluded.carrier, turn = excluded.turn",
            params![key, name, naic, contact, reason],
        )?;
    }
    transaction.execute(
        "DELETE FROM declining_carriers WHERE key NOT IN
         (SELECT key FROM declining_carriers ORDER BY turn DESC LIMIT ?1)",
        [KEPT_MAX],
    )?;
    Ok(transaction.commit()?)
}

/// Carriers that declined before, newest first.
pub fn list_declining_carriers(connection: &Connection) -> Result<Vec<KnownCarrier>, StoreError> {
    let sql = "SELECT carrier, naic, contact, reason FROM declining_carriers ORDER BY turn DESC LIMIT ?1";
    list_rows(connection, sql, [SUGGESTED_MAX], row_as!(KnownCarrier: carrier, naic, contact, reason))
}
