//! The way of one process to the database of its office. Behind it is a real PostgreSQL; on it a connection is cut at the
//! n-th request or commit, before the server has it or before its answer is back, and a request is refused as a server
//! refuses one that took too long or stood in the way of another.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Longer than any message of a simulation.
const MESSAGE_BYTES_MAX: usize = 64 * 1024 * 1024;
/// What begins a connection has no kind before its length.
const LENGTH_BYTES: usize = 4;

/// What happens to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFault {
    /// The connection is cut, and the server does not get it: nothing of its transaction stays.
    CutBefore,
    /// The server does it, then the connection is cut: nobody knows that it was done.
    CutAfter,
    /// The server refuses it with this state, and its transaction with it.
    Refused(&'static str),
    /// The process is killed: nothing more of it reaches the server.
    Killed,
}

/// Which request is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultPlan {
    /// Requests before it.
    pub after: u32,
    /// Only commits are counted.
    pub is_commit: bool,
    pub fault: LineFault,
}

struct LineState {
    database: String,
    /// Whether anything comes through.
    is_up: bool,
    /// Whether its process was killed by a [`FaultPlan`].
    is_killed: bool,
    is_closed: bool,
    plan: Option<FaultPlan>,
    open: Vec<(TcpStream, UnixStream)>,
}

/// The way of one process.
#[derive(Clone)]
pub struct OfficeLine {
    pub port: u16,
    server: PathBuf,
    state: Arc<Mutex<LineState>>,
}

impl OfficeLine {
    /// To the server with this socket, whatever database is asked for to this one.
    pub fn open(server: &Path, database: &str) -> OfficeLine {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let state = LineState {
            database: database.to_owned(),
            is_up: true,
            is_killed: false,
            is_closed: false,
            plan: None,
            open: Vec::new(),
        };
        let line = OfficeLine {
            port: listener.local_addr().unwrap().port(),
            server: server.to_owned(),
            state: Arc::new(Mutex::new(state)),
        };
        let way = line.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if way.state.lock().unwrap().is_closed {
                    return;
                }
                let way = way.clone();
                // How a connection ends is seen at its other end.
                std::thread::spawn(move || way.carry(client));
            }
        });
        line
    }

    /// Nothing comes through any more, for good.
    pub fn close(&self) {
        self.cut();
        self.state.lock().unwrap().is_closed = true;
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
    }

    /// All connections are cut now, wherever they are.
    pub fn cut(&self) {
        for (client, server) in self.state.lock().unwrap().open.drain(..) {
            let _ = (client.shutdown(Shutdown::Both), server.shutdown(Shutdown::Both));
        }
    }

    /// Cut, and nothing comes through before [`OfficeLine::restore`].
    pub fn interrupt(&self) {
        self.state.lock().unwrap().is_up = false;
        self.cut();
    }

    /// It is as good as new, to this database.
    pub fn restore(&self, database: &str) {
        let mut state = self.state.lock().unwrap();
        database.clone_into(&mut state.database);
        (state.is_up, state.is_killed, state.plan) = (true, false, None);
    }

    pub fn plan(&self, plan: FaultPlan) {
        self.state.lock().unwrap().plan = Some(plan);
    }

    pub fn is_killed(&self) -> bool {
        self.state.lock().unwrap().is_killed
    }

    fn carry(&self, mut client: TcpStream) -> io::Result<()> {
        client.set_nodelay(true)?;
        let start = read_start(&mut client)?;
        let mut server = UnixStream::connect(&self.server)?;
        {
            let mut state = self.state.lock().unwrap();
            if !state.is_up || state.is_killed {
                return Ok(());
            }
            server.write_all(&redirect_start(&start, &state.database))?;
            state.open.push((client.try_clone()?, server.try_clone()?));
        }
        let ends_answered = Arc::new(AtomicBool::new(false));
        let (mut from, mut to, ends) = (server.try_clone()?, client.try_clone()?, ends_answered.clone());
        let answers = std::thread::spawn(move || {
            let _ = carry_answers(&mut from, &mut to, &ends);
            // Whoever waits for the next request sees that the server is gone.
            to.shutdown(Shutdown::Both)
        });
        let carried = self.carry_requests(&mut client, &mut server, &ends_answered);
        if !ends_answered.load(Ordering::SeqCst) {
            let _ = server.shutdown(Shutdown::Both);
        }
        let _ = answers.join();
        let _ = server.shutdown(Shutdown::Both);
        carried
    }

    fn carry_requests(
        &self,
        client: &mut TcpStream,
        server: &mut UnixStream,
        ends_answered: &AtomicBool,
    ) -> io::Result<()> {
        loop {
            let request = read_request(client)?;
            match self.next_fault(&request) {
                None => server.write_all(&request)?,
                Some(LineFault::Refused(state)) => server.write_all(&refused_request(state))?,
                Some(LineFault::CutBefore | LineFault::Killed) => return Ok(()),
                Some(LineFault::CutAfter) => {
                    ends_answered.store(true, Ordering::SeqCst);
                    return server.write_all(&request);
                }
            }
        }
    }

    fn next_fault(&self, request: &[u8]) -> Option<LineFault> {
        let mut state = self.state.lock().unwrap();
        let plan = state.plan.as_mut()?;
        // A server never refuses to undo.
        if is_statement(request, "ROLLBACK") || (plan.is_commit && !is_statement(request, "COMMIT")) {
            return None;
        }
        if plan.after > 0 {
            plan.after -= 1;
            return None;
        }
        let fault = plan.fault;
        state.plan = None;
        state.is_killed = fault == LineFault::Killed;
        Some(fault)
    }
}

/// Until the end of the answer with which the connection ends.
fn carry_answers(server: &mut UnixStream, client: &mut TcpStream, ends: &AtomicBool) -> io::Result<()> {
    let mut message = Vec::new();
    loop {
        message.clear();
        let kind = read_message(server, &mut message)?;
        match (ends.load(Ordering::SeqCst), kind) {
            (false, _) => client.write_all(&message)?,
            (true, b'Z') => return Ok(()),
            (true, _) => {}
        }
    }
}

fn read_length(from: &mut impl Read, message: &mut Vec<u8>) -> io::Result<()> {
    let mut length = [0; LENGTH_BYTES];
    from.read_exact(&mut length)?;
    message.extend(length);
    let rest = (u32::from_be_bytes(length) as usize).saturating_sub(LENGTH_BYTES);
    if rest > MESSAGE_BYTES_MAX {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let at = message.len();
    message.resize(at + rest, 0);
    from.read_exact(&mut message[at..])
}

/// Adds a message; its kind.
fn read_message(from: &mut impl Read, message: &mut Vec<u8>) -> io::Result<u8> {
    let mut kind = [0];
    from.read_exact(&mut kind)?;
    message.extend(kind);
    read_length(from, message)?;
    Ok(kind[0])
}

/// What is answered as a whole: a statement, or messages up to the one that asks for their answer.
fn read_request(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut request = Vec::new();
    while !matches!(read_message(from, &mut request)?, b'Q' | b'S' | b'X') {}
    Ok(request)
}

fn is_statement(request: &[u8], text: &str) -> bool {
    request.first() == Some(&b'Q') && request.get(5..request.len() - 1) == Some(text.as_bytes())
}

/// What the server answers with this state.
fn refused_request(state: &str) -> Vec<u8> {
    let text =
        format!("DO $$ BEGIN RAISE EXCEPTION 'a simulated refusal' USING ERRCODE = '{state}'; END $$\0");
    let length = u32::try_from(text.len() + LENGTH_BYTES).unwrap();
    [b"Q".as_slice(), &length.to_be_bytes(), text.as_bytes()].concat()
}

fn read_start(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    read_length(from, &mut start)?;
    Ok(start)
}

/// The same start for another database, which does not wait in earnest for another writer.
fn redirect_start(start: &[u8], database: &str) -> Vec<u8> {
    let (version, words) = start[LENGTH_BYTES..].split_at(LENGTH_BYTES);
    let words: Vec<&str> = words.split(|byte| *byte == 0).map(|word| str::from_utf8(word).unwrap()).collect();
    let mut body = version.to_vec();
    for pair in words.chunks(2).take_while(|pair| !pair[0].is_empty()) {
        let value = match pair[0] {
            "database" => database.to_owned(),
            "options" => pair[1].replace("lock_timeout=30000", "lock_timeout=20"),
            _ => pair[1].to_owned(),
        };
        body.extend(format!("{}\0{value}\0", pair[0]).into_bytes());
    }
    body.push(0);
    let length = u32::try_from(body.len() + LENGTH_BYTES).unwrap();
    [&length.to_be_bytes(), body.as_slice()].concat()
}
