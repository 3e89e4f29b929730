//! A desktop of one's own without a display: a virtual screen, a private session bus, a private home.
//!
//! The real-window tests, the screenshots and the window's measurements run in it; nothing of the
//! person's own desktop, settings or keychain is touched.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant, SystemTime};

use crate::{children, repository};

/// A screen that no one sees (Xvfb), ended on drop.
pub struct VirtualScreen {
    server: Child,
    display: String,
    folder: PrivateFolder,
}

impl VirtualScreen {
    /// Starts a screen of `width` by `height` pixels.
    ///
    /// # Errors
    /// When Xvfb is missing or does not name its display.
    pub fn start(width: u32, height: u32) -> io::Result<VirtualScreen> {
        let folder = PrivateFolder::new("screen")?;
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-noreset", "-screen", "0"])
            .arg(format!("{width}x{height}x24"))
            // The picture lies in a file, so that the first paint can be watched from outside.
            .arg("-fbdir")
            .arg(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut number = String::new();
        if let Some(output) = server.stdout.take() {
            BufReader::new(output).read_line(&mut number)?;
        }
        if number.trim().is_empty() {
            children::end_tree(&mut server);
            return Err(io::Error::other("Xvfb did not name its display"));
        }
        Ok(VirtualScreen { server, display: format!(":{}", number.trim()), folder })
    }

    /// Such as `:99`.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// How many different colors the screen shows, counted up to `limit`. An empty screen has one, an
    /// empty window two, text gives many.
    pub fn count_colors(&self, limit: usize) -> usize {
        let picture = std::fs::read(self.folder.path().join("Xvfb_screen0")).unwrap_or_default();
        colors_of_xwd(&picture, limit)
    }

    /// A part of it to be watched.
    pub fn watch_area(&self, area: ScreenArea) -> ScreenWatch {
        ScreenWatch { picture: self.folder.path().join("Xvfb_screen0"), area }
    }
}

/// A part of the screen, in pixels.
#[derive(Clone, Copy, Debug)]
pub struct ScreenArea {
    /// From the left edge.
    pub x: i32,
    /// From the upper edge.
    pub y: i32,
    /// To the right.
    pub width: i32,
    /// Downwards.
    pub height: i32,
}

/// A part of a screen that is looked at again and again.
pub struct ScreenWatch {
    picture: PathBuf,
    area: ScreenArea,
}

impl ScreenWatch {
    /// How often it is looked at.
    const LOOK: Duration = Duration::from_millis(1);

    /// What the part shows once nothing has changed for this long.
    pub fn wait_until_still(&self, rest: Duration) -> Vec<u8> {
        let (mut last, mut since) = (self.read_pixels(), Instant::now());
        while since.elapsed() < rest {
            std::thread::sleep(Self::LOOK);
            let now = self.read_pixels();
            if now != last {
                (last, since) = (now, Instant::now());
            }
        }
        last
    }

    /// The moment at which the part shows something else; `None` if it does not within the limit.
    pub fn changes_from(&self, before: &[u8], limit: Duration) -> Option<SystemTime> {
        let begun = Instant::now();
        while begun.elapsed() < limit {
            if self.read_pixels() != before {
                return Some(SystemTime::now());
            }
            std::thread::sleep(Self::LOOK);
        }
        None
    }

    /// Empty where the picture cannot be read.
    fn read_pixels(&self) -> Vec<u8> {
        pixels_of_xwd(&self.picture, self.area).unwrap_or_default()
    }
}

/// The lines of an area, one after the other; see [`colors_of_xwd`] for the form.
fn pixels_of_xwd(picture: &Path, area: ScreenArea) -> io::Result<Vec<u8>> {
    let mut file = File::open(picture)?;
    let mut head = [0u8; 80];
    file.read_exact(&mut head)?;
    let word = |index: usize| {
        let bytes = head.get(4 * index..4 * index + 4).and_then(|bytes| bytes.try_into().ok());
        u64::from(u32::from_be_bytes(bytes.unwrap_or_default()))
    };
    let (header, line, entries) = (word(0), word(12), word(19));
    let number = |value: i32| u64::try_from(value).unwrap_or(0);
    let width = usize::try_from(4 * area.width).unwrap_or(0);
    let mut pixels = vec![0u8; width * usize::try_from(area.height).unwrap_or(0)];
    for (row, into) in (number(area.y)..).zip(pixels.chunks_exact_mut(width.max(1))) {
        file.seek(SeekFrom::Start(header + 12 * entries + row * line + 4 * number(area.x)))?;
        file.read_exact(into)?;
    }
    Ok(pixels)
}

impl Drop for VirtualScreen {
    fn drop(&mut self) {
        self.server.kill().ok();
        self.server.wait().ok();
    }
}

/// The X window dump begins with big-endian words: the header's size first, the number of color
/// entries of 12 bytes as the twentieth; 32-bit pixels follow.
fn colors_of_xwd(picture: &[u8], limit: usize) -> usize {
    let word = |index: usize| {
        let bytes = picture.get(4 * index..4 * index + 4)?;
        Some(u32::from_be_bytes(bytes.try_into().ok()?) as usize)
    };
    let (Some(header), Some(entries)) = (word(0), word(19)) else { return 0 };
    let mut seen: Vec<&[u8]> = Vec::new();
    for pixel in picture.get(header + 12 * entries..).unwrap_or_default().chunks_exact(4) {
        if seen.last() != Some(&pixel) && !seen.contains(&pixel) {
            seen.push(pixel);
            if seen.len() >= limit {
                break;
            }
        }
    }
    seen.len()
}

/// A home folder with everything below it, removed on drop.
pub struct PrivateHome {
    folder: PrivateFolder,
}

impl PrivateHome {
    /// An empty one.
    pub fn new() -> io::Result<PrivateHome> {
        let folder = PrivateFolder::new("home")?;
        for name in ["run", "data", "config", "cache", "bordereau"] {
            make_private(&folder.path().join(name))?;
        }
        Ok(PrivateHome { folder })
    }

    /// Where the application keeps its state.
    pub fn data_dir(&self) -> PathBuf {
        self.folder.path().join("bordereau")
    }

    /// `program` on `screen`, with this home, on a session bus of its own that starts no other service,
    /// as the leader of a process group of its own (see [`end_group`]).
    pub fn command_on(&self, screen: &VirtualScreen, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new("dbus-run-session");
        let bus = repository::repository_path("tests/window/session-bus.conf");
        command.arg(format!("--config-file={}", bus.display())).arg("--").arg(program);
        let home = self.folder.path();
        command
            .current_dir(repository::repository_root())
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .env("DISPLAY", screen.display())
            .env("GDK_BACKEND", "x11")
            .env("HOME", home)
            .env("XDG_RUNTIME_DIR", home.join("run"))
            .env("XDG_DATA_HOME", home.join("data"))
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_CACHE_HOME", home.join("cache"))
            .env("BORDEREAU_DATA_DIR", self.data_dir())
            // The guards against blank windows hang WebDriver's screenshot.
            .env("BORDEREAU_NO_GRAPHICS_GUARD", "1")
            .env("NO_AT_BRIDGE", "1")
            .env("GTK_USE_PORTAL", "0")
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null());
        own_group(&mut command);
        command
    }
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

/// Ends a command made by [`PrivateHome::command_on`], with everything it started, also what moved to another parent.
pub fn end_group(leader: &mut Child) {
    let strays = children::descendants_of(leader.id());
    let group = format!("-{}", leader.id());
    for signal in ["-TERM", "-KILL"] {
        let mut kill = Command::new("kill");
        kill.arg(signal).arg("--").arg(&group).args(strays.iter().map(u32::to_string));
        kill.stderr(Stdio::null()).status().ok();
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    leader.kill().ok();
    leader.wait().ok();
}

/// A folder only this person may read, removed on drop. Its path is short: sockets lie in it.
struct PrivateFolder(PathBuf);

impl PrivateFolder {
    fn new(purpose: &str) -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("bordereau-{purpose}-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::remove_dir_all(&path).ok();
        make_private(&path)?;
        Ok(PrivateFolder(path))
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

fn make_private(path: &Path) -> io::Result<()> {
    std::fs::create_dir(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_counted_behind_header_and_color_table() {
        let mut picture = vec![0u8; 100 + 2 * 12];
        picture[3] = 100;
        picture[79] = 2;
        for color in [1u8, 1, 2, 1, 3, 3] {
            picture.extend([color, 0, 0, 0]);
        }
        assert_eq!(colors_of_xwd(&picture, 10), 3);
        assert_eq!(colors_of_xwd(&picture, 2), 2);
        assert_eq!(colors_of_xwd(b"short", 2), 0);
    }
}
