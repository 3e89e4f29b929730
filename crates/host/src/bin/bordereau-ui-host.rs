//! The desk over HTTP on loopback, for browser tests and for designing the UI in a browser.
//!
//! `bordereau-ui-host --ui ui/dist --data DIR [--listen 127.0.0.1:0] [--token TOKEN]` prints one
//! JSON line when ready, `{"url","token"}`, and ends on Ctrl-C or SIGTERM.
//! The page is opened as `URL#token=TOKEN`. Saved files land in `DIR/saved`.
//!
//! With `--office` there is a second profile, Office. It uses the practice service as if it were another provider's,
//! without lookups; the line then has `"office": {"profile","base_url","ca_pem","api_key"}`, and a lost answer is
//! looked up only for a moment. With `--pipes` pipes are read like files, so that a test can hold up the reading.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use bordereau_desk::api::{Profile, SetApiKey};
use bordereau_desk::{
    Desk, DeskConfig, MemorySecrets, OutboxPace, Ports, PracticePort, SystemClock, WATCH_EVERY, policy_path,
    read_policy,
};
use bordereau_host::{
    AccessToken, DataFolder, HttpHost, InProcessPractice, NoBrowser, SavedFolder, protect_process,
    serve_http, wait_for_shutdown,
};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

const USAGE: &str = "usage: bordereau-ui-host [--ui DIR] [--data DIR] [--listen 127.0.0.1:PORT] [--token TOKEN] [--office] [--pipes]";

struct HostOptions {
    ui: Option<PathBuf>,
    data: Option<PathBuf>,
    listen: String,
    token: Option<String>,
    office: bool,
    pipes: bool,
}

fn main() -> ExitCode {
    protect_process();
    if let Some(code) = bordereau_desk::reading_process::run_if_requested() {
        return code;
    }
    let asked = std::env::var("RUST_LOG").ok().filter(|levels| !levels.trim().is_empty());
    let asked = asked.and_then(|levels| levels.parse::<Targets>().ok());
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let filter = asked.unwrap_or_else(|| Targets::new().with_default(LevelFilter::ERROR));
    tracing_subscriber::registry().with(lines.with_filter(filter)).init();
    if let Err(fault) = bordereau_host::check_computer() {
        return exit_with(5, &fault);
    }
    let options = match parse_options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(sentence) => return exit_with(2, &format!("{sentence}\n{USAGE}")),
    };
    match run_host(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => exit_with(5, &sentence),
    }
}

fn exit_with(code: u8, sentence: &str) -> ExitCode {
    eprintln!("bordereau-ui-host: {sentence}");
    ExitCode::from(code)
}

fn parse_options(mut arguments: impl Iterator<Item = String>) -> Result<HostOptions, String> {
    let mut options = HostOptions {
        ui: None,
        data: None,
        listen: "127.0.0.1:0".into(),
        token: None,
        office: false,
        pipes: false,
    };
    while let Some(name) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{name} needs a value"));
        match name.as_str() {
            "--ui" => options.ui = Some(value()?.into()),
            "--data" => options.data = Some(value()?.into()),
            "--listen" => options.listen = value()?,
            "--token" => options.token = Some(value()?),
            "--office" => options.office = true,
            "--pipes" => options.pipes = true,
            _ => return Err(format!("unknown option {name}")),
        }
    }
    Ok(options)
}

fn run_host(options: HostOptions) -> Result<(), String> {
    let data = DataFolder::find(options.data).map_err(|e| e.to_string())?;
    data.create_folder().map_err(|e| e.to_string())?;
    let practice = Arc::new(InProcessPractice::new(Some(data.join("practice"))));
    let ports = Ports {
        clock: Arc::new(SystemClock),
        secrets: Arc::new(MemorySecrets::new()),
        practice: practice.clone(),
        dialogs: Arc::new(SavedFolder::new(data.join("saved"))),
        browser: Arc::new(NoBrowser),
        policy: Arc::new(read_policy(&policy_path())),
        sign_in: None,
    };
    let desk = Desk::open_for_window(DeskConfig { data_dir: data.path().to_owned(), ports })
        .map_err(|e| e.message)?;
    let listener = bind_loopback(&options.listen)?;
    let address = listener.local_addr().map_err(|e| e.to_string())?;
    let token = options.token.as_deref().map_or_else(AccessToken::new_random, AccessToken::from_text);
    let mut ready = serde_json::json!({ "url": format!("http://{address}"), "token": token.reveal() });
    let receiving = desk.clone();
    let host = HttpHost::new(desk, options.ui, token).keeping_drops_in(data.join("dropped"));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    if options.pipes {
        receiving.accept_pipes();
    }
    if options.office {
        ready["office"] = runtime.block_on(add_office_profile(&receiving, practice.as_ref(), &data))?;
    }
    println!("{ready}");
    let served = async {
        // Without its office the desk is for the settings alone.
        let works = receiving.office_trouble().is_none();
        let _events = works.then(|| receiving.begin_events());
        if works {
            receiving.begin_auto_refresh();
            receiving.begin_watch(WATCH_EVERY);
        }
        serve_http(host, listener, wait_for_shutdown()).await
    };
    runtime.block_on(served).map_err(|e| e.to_string())?;
    practice.stop();
    Ok(())
}

/// The practice service as another provider's: what was sent there can't be looked up.
async fn add_office_profile(
    desk: &Desk,
    practice: &InProcessPractice,
    data: &DataFolder,
) -> Result<serde_json::Value, String> {
    let endpoint = practice.endpoint().await?;
    let ca_file = data.join("office.pem");
    std::fs::write(&ca_file, &endpoint.ca_pem).map_err(|e| e.to_string())?;
    let nowhere = || "/nothing/here".to_owned();
    let profile = Profile {
        name: "Office".into(),
        base_url: endpoint.base_url.clone(),
        ca_file: desk.drop_files(vec![ca_file]).remove(0).handle,
        results_path: nowhere(),
        status_path: nowhere(),
        search_path: nowhere(),
        ..Profile::default()
    };
    let id = desk.profile_save(profile).await.map_err(|e| e.message)?.profile.id;
    let key = SetApiKey { id: id.clone(), key: endpoint.api_key.clone() };
    desk.profile_set_key(key).await.map_err(|e| e.message)?;
    desk.set_outbox_pace(OutboxPace {
        recheck_pause: Duration::from_millis(50),
        lookup_window: Duration::from_millis(200),
        ..OutboxPace::default()
    });
    Ok(serde_json::json!({
        "profile": id,
        "base_url": endpoint.base_url,
        "ca_pem": endpoint.ca_pem,
        "api_key": endpoint.api_key,
    }))
}

fn bind_loopback(address: &str) -> Result<TcpListener, String> {
    let listener = TcpListener::bind(address).map_err(|e| format!("cannot listen on {address}: {e}"))?;
    let local = listener.local_addr().map_err(|e| e.to_string())?;
    if local.ip().is_loopback() { Ok(listener) } else { Err(format!("{address} is not a loopback address")) }
}
