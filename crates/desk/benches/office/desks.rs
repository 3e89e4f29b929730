//! Forty people at work: each changes a draft, searches, and sees what another one changes.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bordereau_desk::Desk;
use bordereau_desk::api::*;
use tokio::time::sleep_until;

use crate::generated_records::{ASKED, BROAD, record};
use crate::{
    BenchOffice, INSURED, milliseconds, open_folder, percentile, print_figure, read_number, start_draft,
};

const DESKS: usize = 40;
const ROWS: usize = 1_000_000;
const SECONDS: usize = 60;
const DRAFT_ROWS: usize = 100;
/// Between two changes of one person.
const PAUSE: Duration = Duration::from_secs(4);
/// As the window has it, between what it showed and the next question.
const SHOWN_FOR: Duration = Duration::from_millis(50);
/// Changes of one desk while no other one works.
const ALONE: usize = 100;

/// What was measured by everyone.
#[derive(Default)]
struct OfficeTimes {
    edits: Vec<Duration>,
    searches: Vec<Duration>,
    /// From the beginning of a change to the moment at which the other desk shows it.
    seen: Vec<Duration>,
    /// Changes that were made once more, since the other desk had changed the draft.
    repeated: usize,
}

/// A draft of two desks, with the change of each that the other one doesn't show yet.
struct SharedDraft {
    id: String,
    unseen: [Mutex<Option<(String, Instant)>>; 2],
}

/// A person with their seat at a draft.
#[derive(Clone)]
struct Seat {
    desk: Desk,
    number: usize,
    draft: Arc<SharedDraft>,
    times: Arc<Mutex<OfficeTimes>>,
}

pub async fn measure_desks(office: &mut BenchOffice, owner: &Desk) {
    let (count, rows) = (read_number("DESKS", DESKS).max(2) / 2 * 2, read_number("ROWS", ROWS));
    let times: Arc<Mutex<OfficeTimes>> = Arc::default();
    let index = store_records(office, owner, rows).await;
    let mut seats: Vec<Seat> = Vec::new();
    for number in 0..count {
        let name = format!("clerk{number}");
        let desk = office.open_desk(&name, "clerk").await;
        share_index(&index, &office.folder.path().join(&name).join("transactions"));
        let draft = match number % 2 {
            0 => {
                let id = start_draft(&desk, office.folder.path(), number * DRAFT_ROWS, DRAFT_ROWS).await;
                Arc::new(SharedDraft { id, unseen: Default::default() })
            }
            _ => seats[number - 1].draft.clone(),
        };
        seats.push(Seat { desk, number, draft, times: times.clone() });
    }
    println!("{count} desks are open");
    let begin = Instant::now();
    let end = begin + Duration::from_secs(read_number("SECONDS", SECONDS) as u64);
    let mut running = tokio::task::JoinSet::new();
    for seat in &seats {
        let pause =
            PAUSE * u32::try_from(seat.number).unwrap_or_default() / u32::try_from(count).unwrap_or(1);
        running.spawn(seat.clone().work(begin + pause, end));
        running.spawn(seat.clone().follow(end));
    }
    running.join_all().await;
    {
        let times = times.lock().expect("no one panicked");
        let within = |what: &str, times: &[Duration], target: u64| {
            let p95 = percentile(times, 95);
            let measured = format!(
                "p95 {}, median {} of {}",
                milliseconds(p95),
                milliseconds(percentile(times, 50)),
                times.len()
            );
            let is_reached = !times.is_empty() && p95 <= Duration::from_millis(target);
            print_figure(what, &measured, &format!("at most {target} ms"), is_reached);
        };
        println!("{} changes were made once more, onto the other desk's", times.repeated);
        within(&format!("edit of a shared draft, {count} desks at work"), &times.edits, 50);
        within(&format!("search over {rows} transactions, {count} desks at work"), &times.searches, 100);
        within(&format!("change of one desk shown by another, {count} desks at work"), &times.seen, 300);
    }
    compare_alone(office, &seats[0]).await;
}

/// All transactions in the index of one desk; where it is.
async fn store_records(office: &BenchOffice, owner: &Desk, rows: usize) -> std::path::PathBuf {
    let began = Instant::now();
    for part in (1..=rows).collect::<Vec<_>>().chunks(20_000) {
        let records = part.iter().map(|n| record(*n)).collect();
        owner.store_records(records).await.expect("records are stored");
    }
    println!("{rows} records stored: {} s", began.elapsed().as_secs());
    office.folder.path().join("owner/transactions").join(format!("{}.sqlite", office.profile))
}

/// The same index for another desk: forty would not fit on the disk.
fn share_index(index: &Path, folder: &Path) {
    std::fs::create_dir_all(folder).expect("a folder");
    let to = folder.join(index.file_name().expect("a name"));
    #[cfg(unix)]
    std::os::unix::fs::symlink(index, to).expect("a link");
    #[cfg(not(unix))]
    std::fs::copy(index, to).map(drop).expect("room for a copy");
}

impl Seat {
    fn own(&self) -> usize {
        self.number % 2
    }

    async fn work(self, begin: Instant, end: Instant) {
        let mut next = begin;
        for round in 0.. {
            sleep_until(next.into()).await;
            if next >= end {
                return;
            }
            let text = format!("Insured {} in round {round}", self.number);
            let began = Instant::now();
            let earlier =
                self.draft.unseen[self.own()].lock().expect("no one panicked").replace((text.clone(), began));
            let repeated = edit(&self.desk, &self.draft.id, self.own(), &text).await;
            let took = began.elapsed();
            {
                let mut times = self.times.lock().expect("no one panicked");
                times.edits.push(took);
                times.repeated += repeated;
                times.seen.extend(earlier.map(|(_, began)| began.elapsed()));
            }
            sleep_until((next + PAUSE / 2).into()).await;
            self.search(round).await;
            next += PAUSE;
        }
    }

    /// What a person types, now this, now that.
    async fn search(&self, round: usize) {
        let all = ASKED.iter().chain(&BROAD);
        let (text, _) = all.cycle().nth(self.number + round).expect("they are repeated");
        let filter = TransactionsFilter { text: (*text).into(), ..TransactionsFilter::default() };
        let request = TransactionsSearch { filter, count: 100, ..TransactionsSearch::default() };
        let began = Instant::now();
        self.desk.transactions_search(request).await.expect("a search");
        let took = began.elapsed();
        self.times.lock().expect("no one panicked").searches.push(took);
    }

    /// As the window does: after each answer it reads again what it shows.
    async fn follow(self, end: Instant) {
        let (other, mut known) = (1 - self.own(), 0);
        while Instant::now() < end {
            let news =
                self.desk.office_news(OfficeNewsRequest { known, wait_ms: 1_000 }).await.expect("news");
            if news.changed.contains(&OfficeRoom::Drafts) {
                self.desk.review_list(Nothing {}).await.expect("drafts");
                let request = RowsRequest { id: self.draft.id.clone(), count: 50, ..RowsRequest::default() };
                let page = self.desk.review_rows(request).await.expect("rows");
                let shown = &page.rows[other].cells[INSURED];
                let mut unseen = self.draft.unseen[other].lock().expect("no one panicked");
                if let Some((_, began)) = unseen.take_if(|(text, _)| text == shown) {
                    self.times.lock().expect("no one panicked").seen.push(began.elapsed());
                }
            }
            known = news.turn.unwrap_or_default();
            tokio::time::sleep(SHOWN_FOR).await;
        }
    }
}

/// Changes the insured of the seat's row; how often it was made once more.
async fn edit(desk: &Desk, draft: &str, seat: usize, text: &str) -> usize {
    let row = u32::try_from(seat + 1).unwrap_or_default();
    let change = CellEdit { row, column: INSURED as u32, text: text.into() };
    let request =
        ReviewEdit { id: draft.into(), label: "Edit".into(), edits: vec![change], ..ReviewEdit::default() };
    for repeated in 0..100 {
        match desk.review_edit(request.clone()).await {
            Ok(_) => return repeated,
            // The other desk was first: a person makes the change again.
            Err(error) if error.code == ErrorCode::ChangedElsewhere => {}
            Err(error) => panic!("{error}"),
        }
    }
    panic!("a change finds no moment between those of the other desk")
}

/// One desk of the office while no other one works, beside a computer of its own.
async fn compare_alone(office: &BenchOffice, seat: &Seat) {
    let own = open_folder(&office.folder.path().join("alone"), &Arc::default());
    let draft = start_draft(&own, office.folder.path(), 900_000, DRAFT_ROWS).await;
    let (mut in_file, mut in_office) = (Vec::new(), Vec::new());
    for round in 0..ALONE {
        for (desk, draft, times) in
            [(&own, &draft, &mut in_file), (&seat.desk, &seat.draft.id, &mut in_office)]
        {
            let began = Instant::now();
            edit(desk, draft, 0, &format!("Insured alone {round}")).await;
            times.push(began.elapsed());
        }
    }
    let p95 = percentile(&in_file, 95);
    let measured = format!(
        "p95 {}, median {}; one desk of the office alone {}, {}",
        milliseconds(p95),
        milliseconds(percentile(&in_file, 50)),
        milliseconds(percentile(&in_office, 95)),
        milliseconds(percentile(&in_office, 50))
    );
    print_figure(
        "edit of a draft on a computer of its own",
        &measured,
        "at most 50 ms",
        p95 <= Duration::from_millis(50),
    );
}
