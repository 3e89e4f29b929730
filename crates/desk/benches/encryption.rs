//! What an encrypted data folder costs: a batch of 10,000 rows from the drop to the service's last answer, and pages of
//! the grid, beside the same on a folder that is not encrypted.
//!
//! Two desks in one process take turns, in rounds that alternate who begins; the median of the rounds' own ratios counts.
//! The practice service runs in the same process, with its data on the disk.
//! `cargo bench -p bordereau-desk --bench encryption`; a batch may take 15 % longer, the grid nothing that can be told
//! from noise. `BORDEREAU_BENCH_ROWS` has batches of another size.

mod no_ports;
mod practice_desk;

use std::fmt::Write as _;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bordereau_desk::api::{
    BatchId, BatchState, FolderEncryption, Nothing, ReviewId, ReviewSource, ReviewStage, ReviewStart,
    ReviewView, RowsQuery, RowsRequest, SendReview, SendReviewPreview, SendScope,
};
use bordereau_desk::{Desk, KeyFileSecrets, KeyFileUse, MemorySecrets, key_file_make};
use bordereau_service::{ServiceConfig, start_service};
use practice_desk::open_desk;

const ROWS: usize = 10_000;
const ROUNDS: usize = 9;
const PAGES: u32 = 400;
/// In percent of the folder that is not encrypted.
const BATCH_MAX: u128 = 115;
/// Pages come from memory; what two equal runs differ by is less.
const GRID_MAX: u128 = 110;

fn main() {
    tokio::runtime::Runtime::new().expect("a runtime starts").block_on(run());
}

async fn run() {
    let rows = std::env::var("BORDEREAU_BENCH_ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(ROWS);
    let folder = tempfile::tempdir().expect("a folder");
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let data_dir = Some(folder.path().join("service"));
    let service = start_service(listener, ServiceConfig { data_dir, ..ServiceConfig::default() })
        .await
        .expect("a service");
    let plain = open_desk(&folder.path().join("plain"), &service, Arc::new(MemorySecrets::new()));
    let file = folder.path().join("key.txt");
    key_file_make(file.clone()).await.expect("a key");
    let secrets = KeyFileSecrets::open(Arc::new(MemorySecrets::new()), &file, KeyFileUse::Unattended);
    let secrets = Arc::new(secrets.expect("the key file"));
    let encrypted = open_desk(&folder.path().join("encrypted"), &service, secrets);
    for (desk, expected) in [(&plain, FolderEncryption::Off), (&encrypted, FolderEncryption::On)] {
        assert_eq!(desk.backup_list(Nothing {}).await.expect("it is there").encryption, expected);
    }
    let (mut batches, mut grids) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let mut times = [(Duration::ZERO, Duration::ZERO); 2];
        let order = if round % 2 == 0 { [0, 1] } else { [1, 0] };
        for at in order {
            let path = folder.path().join(format!("{round}-{at}.csv"));
            std::fs::write(&path, csv(&format!("{round}-{at}"), rows)).expect("room for a file");
            times[at] = send([&plain, &encrypted][at], &path).await;
        }
        println!(
            "round {round}: batch {} ms plain, {} ms encrypted; pages {} us plain, {} us encrypted",
            times[0].0.as_millis(),
            times[1].0.as_millis(),
            times[0].1.as_micros(),
            times[1].1.as_micros()
        );
        // The first round warms up.
        if round > 0 {
            batches.push(percent(times[1].0, times[0].0));
            grids.push(percent(times[1].1, times[0].1));
        }
    }
    tell(&format!("a batch of {rows} rows in an encrypted folder"), batches, BATCH_MAX);
    tell(&format!("{PAGES} pages of 100 rows in an encrypted folder"), grids, GRID_MAX);
    service.stop().await;
}

fn percent(encrypted: Duration, plain: Duration) -> u128 {
    encrypted.as_micros() * 100 / plain.as_micros().max(1)
}

fn tell(what: &str, mut ratios: Vec<u128>, most: u128) {
    ratios.sort_unstable();
    let median = ratios[ratios.len() / 2];
    let verdict = if median <= most { "pass" } else { "MISS" };
    println!("{what} | {median} % of a plain one | at most {most} % | {verdict}");
}

fn csv(prefix: &str, rows: usize) -> String {
    let mut text = "id,policy_number,policy_effective_date,transaction_type,physical_state,line_of_business_list,\
                    line_of_business_coverage,premium,sl_tax,stamping_fee,total,mailing_insured_name,invoice_number,\
                    insurance_company_list,insurance_company_coverage,risk_description,account_written_as,layered_risk,\
                    risk_retention_group\n"
        .to_owned();
    for row in 0..rows {
        let _ = writeln!(
            text,
            "{prefix}-{row},P-{prefix}-{row},2026-02-23,PN,TX,GEN-1002,1000,1000,48.50,0.40,1048.90,Insured {row},\
             I-{prefix}-{row},AA-1,100,Shop,DC,0,0"
        );
    }
    text
}

/// From the drop until all are answered, without the pages; and the pages of its review.
async fn send(desk: &Desk, path: &Path) -> (Duration, Duration) {
    let began = Instant::now();
    let handle = desk.drop_files(vec![path.to_owned()]).remove(0).handle;
    let start = ReviewStart { source: ReviewSource::Dropped { handle } };
    let mut review = desk.review_start(start).await.expect("it starts");
    while review.stage == ReviewStage::Reading {
        tokio::time::sleep(Duration::from_millis(2)).await;
        review = desk.review_state(ReviewId { id: review.id }).await.expect("its state");
    }
    let pages_began = Instant::now();
    read_pages(desk, &review).await;
    let pages = pages_began.elapsed();
    let (id, scope) = (review.id, SendScope::All);
    let preview =
        desk.review_send_preview(SendReviewPreview { id: id.clone(), scope }).await.expect("a preview");
    let send = SendReview { id: id.clone(), scope, confirmed: preview.totals, typed: preview.type_word };
    let batch = desk.review_send(send).await.expect("it is queued");
    desk.review_close(ReviewId { id }).await.expect("it closes");
    loop {
        let view = desk.batch_show(BatchId { id: batch.id.clone() }).await.expect("the batch");
        if view.state == BatchState::Processed {
            break;
        }
        assert!(!matches!(view.state, BatchState::Failed | BatchState::Canceled), "{view:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    (began.elapsed() - pages, pages)
}

async fn read_pages(desk: &Desk, review: &ReviewView) {
    assert_eq!(review.stage, ReviewStage::Review, "{review:?}");
    for page in 0..PAGES {
        let from = page * 7_919 % (review.counts.rows - 100);
        let request = RowsRequest { id: review.id.clone(), rows: RowsQuery::default(), from, count: 100 };
        assert_eq!(desk.review_rows(request).await.expect("rows").rows.len(), 100);
    }
}
