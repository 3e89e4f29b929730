//! Limits of the contract (sections 1, 2 and 7).

/// Requests one API key may make in a minute over all endpoints [spec, section 7].
pub const REQUESTS_PER_MINUTE: u32 = 10_000;
/// Seconds an access token lives [spec, section 1].
pub const TOKEN_SECONDS: i64 = 3_600;
/// Seconds a refresh token lives: one month [spec, section 1], taken as 30 days \[ours].
pub const REFRESH_TOKEN_SECONDS: i64 = 30 * 24 * 3_600;
/// Seconds a document's one-time download address is good for [pub, section 2].
pub const DOWNLOAD_LINK_SECONDS: i64 = 60;
/// Characters of a state's stamp wording that the practice service takes \[ours].
pub const STAMP_WORDING_CHARS_MAX: usize = 10_000;
/// Bytes of a request body the calculator and the sign-in accept \[ours].
pub const BODY_BYTES_MAX: usize = 1_048_576;
/// Records of a page of the search [spec, section 3].
pub const SEARCH_PER_PAGE: u32 = 50;
/// Pages of one search that can be asked for [pub, section 3].
pub const SEARCH_PAGES_MAX: u32 = 50;
/// Transactions of one batch [ours, section 3].
pub const IMPORT_ROWS_MAX: usize = 10_000;
/// Transactions that Bordereau puts into one request of an import, unless its profile has fewer \[ours].
pub const ROWS_PER_REQUEST: u32 = 1_000;
/// Bytes of the body of an import, documents included [ours, sections 3 and 4].
pub const IMPORT_BODY_BYTES_MAX: usize = 64 * 1_048_576;
/// Bytes of one document, before base64 [ours, section 4].
pub const DOCUMENT_BYTES_MAX: usize = 25 * 1_048_576;
