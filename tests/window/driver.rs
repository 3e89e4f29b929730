//! tauri-driver in a desktop session of its own, and the window it opens.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::ClientBuilder;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;
use xtask::children;
use xtask::desktop_session::{PrivateHome, VirtualScreen, end_group};

use crate::person::Person;

/// The program of this build; another one, such as that of a release, where `BORDEREAU_DESKTOP` names it.
fn program() -> String {
    std::env::var("BORDEREAU_DESKTOP").unwrap_or_else(|_| env!("CARGO_BIN_EXE_bordereau-desktop").into())
}

/// A person's desk: screen, home, and the driver that opens the window on it.
pub struct Desktop {
    driver: Child,
    port: u16,
    home: PrivateHome,
    pub screen: VirtualScreen,
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("its address").port()
}

impl Desktop {
    /// Starts everything but the window.
    pub async fn start() -> Desktop {
        Desktop::start_on((1440, 960), &[]).await
    }

    /// The same for a window that draws as at a person's desk, with the guards against blank windows. WebDriver can
    /// take no picture of it.
    pub async fn start_as_shipped() -> Desktop {
        Desktop::start_on((1440, 960), &[("BORDEREAU_NO_GRAPHICS_GUARD", "0")]).await
    }

    /// The same on a screen of this size, which the window does not exceed, and with variables of one's own.
    pub async fn start_on((width, height): (u32, u32), environment: &[(&str, &str)]) -> Desktop {
        let screen = VirtualScreen::start(width, height).expect("Xvfb starts");
        let home = PrivateHome::new().expect("a home of its own");
        let (port, native) = (free_port(), free_port());
        let driver = home
            .command_on(&screen, tauri_driver())
            .args(["--port", &port.to_string(), "--native-port", &native.to_string()])
            .args(["--native-driver", "/usr/bin/WebKitWebDriver"])
            .envs(environment.iter().copied())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-run-session starts tauri-driver");
        let desktop = Desktop { driver, port, home, screen };
        // tauri-driver listens before WebKitWebDriver does; a session asked for in between dies.
        let started = Instant::now();
        while [native, port].iter().any(|port| TcpStream::connect(("127.0.0.1", *port)).is_err()) {
            assert!(started.elapsed() < Duration::from_secs(20), "tauri-driver did not start");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        desktop
    }

    /// Where the application keeps its state.
    pub fn data_dir(&self) -> PathBuf {
        self.home.data_dir()
    }

    /// Opens the window, goes to the quote, and waits until its form can be used.
    pub async fn open(&self) -> Person {
        let person = self.open_as_set().await;
        person.presses_control('1').await;
        person.waits_for_text("Calculate taxes").await;
        // Being shown gives the page the focus once more, which selects what a field holds.
        tokio::time::sleep(Duration::from_millis(500)).await;
        person
    }

    /// Opens the window at the view that the settings name.
    pub async fn open_as_set(&self) -> Person {
        let capabilities = json!({ "tauri:options": { "application": program(), "args": [] } });
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities.as_object().expect("capabilities are an object").clone())
            .connect(&format!("http://127.0.0.1:{}", self.port))
            .await
            .expect("a WebDriver session");
        let person = Person::new(client);
        person.waits_for_text("or run a command").await;
        self.waits_for_one_window().await;
        person.waits_until("return document.hasFocus();", "the focus on the page").await;
        person
    }

    /// Starts the program once more in the same session, as from the menu of a desktop or with "Open with".
    pub fn second_start(&self, arguments: &[&str]) -> Child {
        let first = self.application().expect("the window's process");
        let environment =
            std::fs::read(format!("/proc/{first}/environ")).expect("the environment of the process");
        let mut command = Command::new(program());
        command.args(arguments).env_clear();
        for variable in environment.split(|byte| *byte == 0) {
            let text = String::from_utf8_lossy(variable);
            if let Some((name, value)) = text.split_once('=') {
                command.env(name, value);
            }
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("the program starts again")
    }

    /// A variable of the environment that the window has.
    pub fn environment_of_window(&self, name: &str) -> String {
        let window = self.application().expect("the window's process");
        let all = std::fs::read(format!("/proc/{window}/environ")).expect("the environment of the process");
        let prefix = format!("{name}=");
        let found = all.split(|byte| *byte == 0).find_map(|each| each.strip_prefix(prefix.as_bytes()));
        String::from_utf8_lossy(found.unwrap_or_default()).into_owned()
    }

    /// The window is created hidden and shown once its page is painted.
    pub async fn waits_for_one_window(&self) {
        let started = Instant::now();
        while self.windows() != 1 {
            assert!(started.elapsed() < Duration::from_secs(10), "{} windows are shown", self.windows());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// This program's windows on the screen, by X11's count.
    pub fn windows(&self) -> usize {
        let output = Command::new("xdotool")
            .args(["search", "--onlyvisible", "--name", "Bordereau"])
            .env("DISPLAY", self.screen.display())
            .output()
            .expect("xdotool runs");
        String::from_utf8_lossy(&output.stdout).lines().count()
    }

    /// Where on the screen the middle of the window is.
    pub fn middle_of_window(&self) -> (i32, i32) {
        let [x, y, width, height] = self.geometry();
        (x + width / 2, y + height / 2)
    }

    /// The window on the screen: left, top, width, height.
    pub fn geometry(&self) -> [i32; 4] {
        let output = Command::new("xdotool")
            .args(["search", "--onlyvisible", "--name", "Bordereau", "getwindowgeometry", "--shell"])
            .env("DISPLAY", self.screen.display())
            .output()
            .expect("xdotool runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        ["X", "Y", "WIDTH", "HEIGHT"].map(|name| {
            let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
            value.and_then(|value| value.parse::<i32>().ok()).expect("the window's geometry")
        })
    }

    fn application(&self) -> Option<u32> {
        let program = std::fs::canonicalize(program()).ok()?;
        let is_ours = |process: &u32| {
            std::fs::read_link(format!("/proc/{process}/exe")).is_ok_and(|exe| exe == program)
        };
        children::descendants_of(self.driver.id()).into_iter().find(is_ours)
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        end_group(&mut self.driver);
    }
}

/// From the path, else from where `cargo install` puts it.
fn tauri_driver() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    std::env::split_paths(&path)
        .chain(home.map(|home| home.join("bin")))
        .map(|folder| folder.join("tauri-driver"))
        .find(|file| file.is_file())
        .expect("tauri-driver is installed: cargo xtask install")
}
