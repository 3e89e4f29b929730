//! Compiles SQLite with the one cipher that is used.

use std::env;

/// As `libsqlite3-sys` compiles its own copy, for which rusqlite is written, without what this program has no use for:
/// modules that read a table's content by a form of their own (FTS3, R-Tree), extensions loaded from files, and what
/// tells of columns and pages. A stranger's data file can't call what isn't there. A statement keeps its plan
/// (`QPSG`): otherwise one with an order or several tables is prepared again for each value that is bound to it. So what
/// would plan by values (`STAT4`) is not there either, and nothing is counted that nobody asks for (`MEMSTATUS`;
/// docs/decisions/0073).
const USUAL: &[&str] = &[
    "SQLITE_CORE",
    "SQLITE_DEFAULT_FOREIGN_KEYS=1",
    "SQLITE_DEFAULT_MEMSTATUS=0",
    "SQLITE_ENABLE_API_ARMOR",
    "SQLITE_ENABLE_FTS5",
    "SQLITE_ENABLE_QPSG",
    "SQLITE_OMIT_LOAD_EXTENSION",
    "SQLITE_THREADSAFE=1",
    "SQLITE_USE_URI",
    "HAVE_USLEEP=1",
    "HAVE_ISNAN",
    "_POSIX_THREAD_SAFE_FUNCTIONS",
];

/// AEGIS-256 alone: nothing else is ever read or written. What SQLite sorts stays in memory, so that no page of it is
/// in a temporary file, which would not be encrypted.
const CIPHER: &[&str] = &[
    "CODEC_TYPE=CODEC_TYPE_AEGIS",
    "HAVE_CIPHER_AES_128_CBC=0",
    "HAVE_CIPHER_AES_256_CBC=0",
    "HAVE_CIPHER_CHACHA20=0",
    "HAVE_CIPHER_SQLCIPHER=0",
    "HAVE_CIPHER_RC4=0",
    "HAVE_CIPHER_ASCON128=0",
    "SQLITE_TEMP_STORE=2",
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let mut build = cc::Build::new();
    build.file(sqlite3mc_src::source_dir().join(sqlite3mc_src::SOURCE_FILE)).warnings(false);
    for define in USUAL.iter().chain(CIPHER) {
        build.flag(format!("-D{define}"));
    }
    if env::var_os("CARGO_CFG_WINDOWS").is_none() {
        build.flag("-DHAVE_LOCALTIME_R");
    }
    // Whole, wherever the linker meets it: the crates that call it may come before it or after it.
    build.cargo_metadata(false).compile("bordereau_sqlite");
    println!("cargo:rustc-link-search=native={}", env::var("OUT_DIR").unwrap_or_default());
    println!("cargo:rustc-link-lib=static:+whole-archive=bordereau_sqlite");
}
