//! The table `unread_answers`: the last answers of each profile's service that weren't understood.

use bordereau_api::{KeptAnswer, UnreadAnswerView};
use bordereau_database::{Connection, params};

use crate::{StoreError, list_rows};

/// Answers kept for a profile.
const KEPT_MAX: u32 = 50;

/// The step of the schema that made it.
pub(crate) const CREATE_UNREAD_ANSWERS: &str = include_str!("unread_answers.sql");

/// Stores an answer; a repeated one counts up.
pub fn keep_unread(
    connection: &Connection,
    profile: &str,
    at: &str,
    answer: &UnreadAnswerView,
) -> Result<(), StoreError> {
    // Of the headers only the time of day differs each time.
    let timeless = UnreadAnswerView { headers: Vec::new(), ..answer.clone() };
    let known = list_unread(connection, profile)?
        .into_iter()
        .find(|kept| UnreadAnswerView { headers: Vec::new(), ..kept.answer.clone() } == timeless);
    if let Some(known) = known {
        let sql = "UPDATE unread_answers SET at = ?2, times = times + 1 WHERE seq = ?1";
        connection.execute(sql, params![known.id, at])?;
        return Ok(());
    }
    connection.execute(
        "INSERT INTO unread_answers (profile, at, times, answer) VALUES (?1, ?2, 1, ?3)",
        params![profile, at, serde_json::to_string(answer)?],
    )?;
    connection.execute(
        "DELETE FROM unread_answers WHERE profile = ?1 AND seq NOT IN
         (SELECT seq FROM unread_answers WHERE profile = ?1 ORDER BY at DESC, seq DESC LIMIT ?2)",
        params![profile, KEPT_MAX],
    )?;
    Ok(())
}

/// The answers of a profile, the newest first.
pub fn list_unread(connection: &Connection, profile: &str) -> Result<Vec<KeptAnswer>, StoreError> {
    let sql =
        "SELECT seq, at, times, answer FROM unread_answers WHERE profile = ?1 ORDER BY at DESC, seq DESC";
    let rows: Vec<(_, _, _, String)> = list_rows(connection, sql, [profile], |row| row.try_into())?;
    let read = |(id, at, times, answer): (_, _, _, String)| {
        Ok(KeptAnswer { id, at, times, answer: serde_json::from_str(&answer)? })
    };
    rows.into_iter().map(read).collect()
}

/// Removes the answers of a profile.
pub fn clear_unread(connection: &Connection, profile: &str) -> Result<(), StoreError> {
    connection.execute("DELETE FROM unread_answers WHERE profile = ?1", [profile])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_answers_of_a_profile_are_kept_each_once() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(CREATE_UNREAD_ANSWERS).unwrap();
        let answer = |body: &str| UnreadAnswerView { body: body.into(), ..UnreadAnswerView::default() };
        for number in 0..60 {
            let at = format!("2026-02-23T10:00:{number:02}Z");
            keep_unread(&connection, "office", &at, &answer(&number.to_string())).unwrap();
            keep_unread(&connection, "office", &at, &answer("the same")).unwrap();
        }
        keep_unread(&connection, "other", "2026-02-23T10:00:00Z", &answer("x")).unwrap();
        let kept = list_unread(&connection, "office").unwrap();
        assert_eq!(kept.len(), 50);
        let same = kept.iter().find(|kept| kept.answer.body == "the same").unwrap();
        assert_eq!((same.times, same.at.as_str()), (60, "2026-02-23T10:00:59Z"));
        assert!(kept.iter().all(|kept| kept.answer.body != "0"));
        clear_unread(&connection, "office").unwrap();
        assert_eq!(list_unread(&connection, "office").unwrap().len(), 0);
        assert_eq!(list_unread(&connection, "other").unwrap().len(), 1);
    }
}
