//! A profile's own tables: lines of business and Kentucky local rates from CSV files.

use std::collections::HashMap;
use std::path::Path;
use std::time::SystemTime;

use bordereau_tax::{KentuckyTable, LinesTable, LocalTables, TableProblem};
use parking_lot::Mutex;

use crate::Context;
use crate::files::read_text;
use bordereau_api::{BoundaryError, ErrorCode, Profile};

/// Largest table, in bytes.
const TABLE_BYTES_MAX: u64 = 5 * 1024 * 1024;
/// Problems told at once.
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

/// Length and time of change: enough to notice that a person saved the file again.
type Version = (u64, Option<SystemTime>);

/// The tables a profile calculates with: its own first, then the built-in ones.
pub async fn load_tables(ctx: &Context, profile: &Profile) -> Result<ProfileTables, BoundaryError> {
    let unusable = |message: String| BoundaryError::with_code(ErrorCode::ProfileInvalid, message);
    let cache = &ctx.tables();
    let mut local = LocalTables::default();
    let mut lines_source = "built in".to_owned();
    if !profile.lines_file.is_empty() {
        let read = read(&cache.lines, &profile.lines_file, LinesTable::from_csv).await;
        local.lines = read.map_err(|why| {
            unusable(format!("The profile's table of lines of business cannot be used: {why}"))
        })?;
        lines_source = file_name(&profile.lines_file);
    }
    if !profile.kentucky_file.is_empty() {
        let read = read(&cache.kentucky, &profile.kentucky_file, KentuckyTable::from_csv).await;
        let own =
            read.map_err(|why| unusable(format!("The profile's Kentucky rates cannot be used: {why}")))?;
        local.kentucky.insert(0, own);
    }
    Ok(ProfileTables { local, lines_source })
}

/// Whether a lines table can be used, for the profile's form.
pub(super) async fn check_lines(ctx: &Context, path: &str) -> Result<(), String> {
    read(&ctx.tables().lines, path, LinesTable::from_csv).await.map(|_| ())
}

/// Whether a table of Kentucky rates can be used, for the profile's form.
pub(super) async fn check_kentucky(ctx: &Context, path: &str) -> Result<(), String> {
    read(&ctx.tables().kentucky, path, KentuckyTable::from_csv).await.map(|_| ())
}

async fn read<T: Clone>(
    cache: &Mutex<HashMap<String, (Version, T)>>,
    path: &str,
    parse: fn(&str) -> Result<T, Vec<TableProblem>>,
) -> Result<T, String> {
    let version = file_version(path).await;
    if let Some(version) = version
        && let Some((held, table)) = cache.lock().get(path)
        && *held == version
    {
        return Ok(table.clone());
    }
    let text = read_text(std::path::Path::new(path), TABLE_BYTES_MAX).await?;
    let table = parse(&text).map_err(|problems| describe_problems(&file_name(path), &problems))?;
    if let Some(version) = version {
        cache.lock().insert(path.to_owned(), (version, table.clone()));
    }
    Ok(table)
}

async fn file_version(path: &str) -> Option<Version> {
    let metadata = tokio::fs::metadata(path).await.ok()?;
    Some((metadata.len(), metadata.modified().ok()))
}

fn describe_problems(name: &str, problems: &[TableProblem]) -> String {
    let first: Vec<String> = problems.iter().take(TOLD_MAX).map(ToString::to_string).collect();
    let more = problems.len().saturating_sub(TOLD_MAX);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    format!("\"{name}\": {}{more}. Correct the file and choose it again.", first.join("; "))
}

fn file_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}
