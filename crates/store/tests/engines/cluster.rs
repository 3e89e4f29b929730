//! A PostgreSQL of a test's own: a cluster in a temporary folder, on a socket there, gone with the test.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where the packages of the systems put the programs.
const PROGRAMS: [&str; 3] = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"];

pub struct Cluster {
    folder: tempfile::TempDir,
    programs: PathBuf,
}

impl Cluster {
    /// None where there is no PostgreSQL.
    pub fn start() -> Option<Cluster> {
        let Some(programs) = find_programs() else {
            eprintln!("PostgreSQL is not installed: only SQLite was tested");
            return None;
        };
        let cluster = Cluster::new(programs);
        let data = cluster.data();
        check(
            cluster
                .server("initdb")
                .args(["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "-D"])
                .arg(&data)
                .output()
                .unwrap(),
        );
        cluster.start_again();
        Some(cluster)
    }

    fn new(programs: PathBuf) -> Cluster {
        let folder = tempfile::tempdir().unwrap();
        if is_root() {
            // The server refuses to run as root.
            check(Command::new("chown").arg("nobody").arg(folder.path()).output().unwrap());
        }
        Cluster { folder, programs }
    }

    /// Starts the server once more.
    pub fn start_again(&self) {
        self.start_server(&format!("-k {} -h '' -F -c max_connections=40", self.folder.path().display()));
    }

    /// Starts it once more for so many connections, and has it sync what it commits, as an office's does.
    #[allow(dead_code, reason = "not every test that includes this file needs it")]
    pub fn restart_synced(&self, connections: u32) {
        self.crash();
        self.start_server(&format!(
            "-k {} -h '' -c max_connections={connections}",
            self.folder.path().display()
        ));
    }

    /// Ends the server as a loss of power does: nothing is finished.
    pub fn crash(&self) {
        let _ = self.server("pg_ctl").args(["-m", "immediate", "-w", "stop", "-D"]).arg(self.data()).output();
    }

    /// A standby, which has everything before it counts as committed.
    #[allow(dead_code, reason = "not every test that includes this file needs it")]
    pub fn add_standby(&self) -> Cluster {
        let standby = Cluster::new(self.programs.clone());
        let mut copy = self.server("pg_basebackup");
        copy.args(["-U", "postgres", "-R", "-X", "stream", "-c", "fast", "--no-sync", "-h"]);
        check(copy.arg(self.folder.path()).arg("-D").arg(standby.data()).output().unwrap());
        standby.start_again();
        self.run("ALTER SYSTEM SET synchronous_standby_names = '*'");
        self.run("SELECT pg_reload_conf()");
        standby
    }

    /// Takes over from one that is gone.
    #[allow(dead_code, reason = "not every test that includes this file needs it")]
    pub fn promote(&self) {
        check(self.server("pg_ctl").args(["-w", "promote", "-D"]).arg(self.data()).output().unwrap());
    }

    fn start_server(&self, options: &str) {
        let mut start = self.server("pg_ctl");
        start.args(["-w", "start", "-o", options, "-D"]).arg(self.data());
        start.arg("-l").arg(self.folder.path().join("log"));
        check(start.output().unwrap());
    }

    /// Where its socket is.
    pub fn socket(&self) -> String {
        self.folder.path().to_string_lossy().into_owned()
    }

    /// Has it listen on this port of this computer, over TLS alone, with this certificate and key: `ben` signs in with a
    /// certificate of the authority, everyone else with a password.
    #[allow(dead_code, reason = "not every test that includes this file needs it")]
    pub fn listen_with_tls(&self, port: u16, authority: &str, certificate: &str, key: &str) {
        let data = self.data();
        for (name, text) in [
            ("server.crt", certificate),
            ("server.key", key),
            ("root.crt", authority),
            (
                "pg_hba.conf",
                "local all all trust\nhostssl all ben 127.0.0.1/32 cert\nhostssl all all 127.0.0.1/32 scram-sha-256\n",
            ),
        ] {
            let path = data.join(name);
            std::fs::write(&path, text).unwrap();
            if is_root() {
                check(Command::new("chown").arg("nobody").arg(&path).output().unwrap());
            }
            check(Command::new("chmod").arg("600").arg(&path).output().unwrap());
        }
        let options = format!(
            "-k {} -h 127.0.0.1 -p {port} -F -c ssl=on -c ssl_ca_file=root.crt -c unix_socket_permissions=0777",
            self.folder.path().display()
        );
        check(self.server("pg_ctl").args(["-m", "fast", "-w", "stop", "-D"]).arg(&data).output().unwrap());
        self.start_server(&options);
    }

    /// Runs a statement as the owner.
    pub fn run(&self, sql: &str) {
        check(self.ask("postgres", sql));
    }

    /// Whether a person may run a statement.
    pub fn may(&self, person: &str, sql: &str) -> bool {
        self.ask(person, sql).status.success()
    }

    /// What a statement answers, without names of columns.
    pub fn told(&self, person: &str, sql: &str) -> String {
        let answer = self.ask(person, sql);
        let text = String::from_utf8(answer.stdout).unwrap();
        text.lines().last().unwrap_or_default().trim().to_owned()
    }

    fn ask(&self, person: &str, sql: &str) -> Output {
        let mut ask = Command::new(self.programs.join("psql"));
        ask.arg("-h").arg(self.folder.path()).args([
            "-U",
            person,
            "-d",
            "postgres",
            "-v",
            "ON_ERROR_STOP=1",
            "-qAt",
            "-c",
            sql,
        ]);
        ask.output().unwrap()
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn server(&self, program: &str) -> Command {
        let path = self.programs.join(program);
        if !is_root() {
            return Command::new(path);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]).arg(path);
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.crash();
    }
}

fn find_programs() -> Option<PathBuf> {
    let named = std::env::var_os("BORDEREAU_POSTGRES").map(PathBuf::from);
    let versions =
        PROGRAMS.iter().flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
    let installed =
        versions.map(|version| version.path().join("bin")).filter(|bin| bin.join("initdb").is_file());
    named.or_else(|| installed.max())
}

fn is_root() -> bool {
    cfg!(target_os = "linux") && Path::new("/proc/self").metadata().is_ok_and(|it| owner(&it) == 0)
}

#[cfg(unix)]
fn owner(of: &std::fs::Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::uid(of)
}

#[cfg(not(unix))]
fn owner(_of: &std::fs::Metadata) -> u32 {
    1
}

fn check(output: Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
