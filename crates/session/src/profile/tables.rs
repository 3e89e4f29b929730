//! A profile's own tables: lines of business and Kentucky local rates from CSV files.

use std::collections::HashMap;
use std::path::Path;
use std::time::SystemTime;

use bordereau_tax::{KentuckyTable, LinesTable, LocalTables, TableProblem};
use parking_lot::Mutex;

use super::profile_files::{file_name, find_profile_file};
use crate::Context;
use crate::files::read_text;
use bordereau_api::{BoundaryError, ErrorCode, Profile};

/// Largest table, in bytes.
pub(super) const TABLE_BYTES_MAX: u64 = 5 * 1024 * 1024;
/// Problems shown at once.
const TOLD_MAX: usize = 3;

/// The tables of a profile.
#[derive(Clone)]
pub struct ProfileTables {
    pub local: LocalTables,
    /// `built in` or the file's name.
    pub lines_source: String,
}

/// Tables read, by file; read again when the file changes.
#[derive(Default)]
pub struct TableCache {
    lines: Mutex<HashMap<String, (Version, LinesTable)>>,
    kentucky: Mutex<HashMap<String, (Version, KentuckyTable)>>,
}

/// Length and modification time: enough to notice that a person saved the file again.
type Version = (u64, Option<SystemTime>);

/// The tables for a profile's calculations: its own, before the built-in ones.
pub async fn load_tables(ctx: &Context, profile: &Profile) -> Result<ProfileTables, BoundaryError> {
    let unusable = |message: String| BoundaryError::with_code(ErrorCode::ProfileInvalid, message);
    let cache = &ctx.tables();
    let mut local = LocalTables::default();
    let mut lines_source = "built in".to_owned();
    if !profile.lines_file.is_empty() {
        let read = read(ctx, &cache.lines, &profile.lines_file, LinesTable::from_csv).await;
        local.lines = read.map_err(|why| {
            unusable(format!("The profile's table of lines of business cannot be used: {why}"))
        })?;
        lines_source = file_name(&profile.lines_file);
    }
    if !profile.kentucky_file.is_empty() {
        let read = read(ctx, &cache.kentucky, &profile.kentucky_file, KentuckyTable::from_csv).await;
        let own =
            read.map_err(|why| unusable(format!("The profile's Kentucky rates cannot be used: {why}")))?;
        local.kentucky.insert(0, own);
    }
    Ok(ProfileTables { local, lines_source })
}

/// Parses a table; errors name the file.
pub(super) fn check_table<T>(
    name: &str,
    text: &str,
    parse: fn(&str) -> Result<T, Vec<TableProblem>>,
) -> Result<T, String> {
    parse(text).map_err(|problems| describe_problems(name, &problems))
}

async fn read<T: Clone>(
    ctx: &Context,
    cache: &Mutex<HashMap<String, (Version, T)>>,
    value: &str,
    parse: fn(&str) -> Result<T, Vec<TableProblem>>,
) -> Result<T, String> {
    let path = find_profile_file(ctx, value).await.map_err(|error| error.message)?;
    let version = file_version(&path).await;
    if let Some(version) = version
        && let Some((held, table)) = cache.lock().get(value)
        && *held == version
    {
        return Ok(table.clone());
    }
    let text = read_text(&path, TABLE_BYTES_MAX).await?;
    let table = check_table(&file_name(value), &text, parse)?;
    if let Some(version) = version {
        cache.lock().insert(value.to_owned(), (version, table.clone()));
    }
    Ok(table)
}

async fn file_version(path: &Path) -> Option<Version> {
    let metadata = tokio::fs::metadata(path).await.ok()?;
    Some((metadata.len(), metadata.modified().ok()))
}

fn describe_problems(name: &str, problems: &[TableProblem]) -> String {
    let first: Vec<String> = problems.iter().take(TOLD_MAX).map(ToString::to_string).collect();
    let more = problems.len().saturating_sub(TOLD_MAX);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    format!("\"{name}\": {}{more}. Correct the file and choose it again.", first.join("; "))
}
