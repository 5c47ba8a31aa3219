//! A server that answers like the real one, or as a test tells it to, and remembers what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use fsyncmark::hex;
use fsyncmark::plan::workload::SUITES;
use fsyncmark::report::payload_assembly;
use fsyncmark::wire::envelope::{self, Envelope};
use serde_json::{Value, json};

pub const SEED: [u8; 32] = [42; 32];
pub const CHALLENGE_ID: &str = "c_Zm9vYmFyYmF6cXV4MDEyMw";

/// One request, its envelope's signature checked.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: String,
    pub path: String,
    body: Body,
}

/// What a request carried.
#[derive(Debug, Clone)]
enum Body {
    Nothing,
    Json(Vec<u8>),
    Signed(Envelope),
}

impl Request {
    /// `keys`, `challenges` or `runs`.
    pub fn kind(&self) -> String {
        self.path.trim_start_matches("/api/v1/").split('/').next().unwrap().to_owned()
    }

    /// The signed bytes, or JSON that nobody signed.
    pub fn body(&self) -> Vec<u8> {
        match &self.body {
            Body::Nothing => Vec::new(),
            Body::Json(json) => json.clone(),
            Body::Signed(envelope) => envelope.body().unwrap(),
        }
    }

    /// The ids of the keys that signed it.
    pub fn signers(&self) -> Vec<String> {
        match &self.body {
            Body::Signed(envelope) => envelope.signatures.iter().map(|each| each.keyid.clone()).collect(),
            Body::Nothing | Body::Json(_) => Vec::new(),
        }
    }
}

/// What to answer instead of the usual.
#[derive(Debug, Clone)]
pub struct Answer {
    status: u16,
    headers: String,
    body: String,
}

impl Answer {
    pub fn problem(status: u16, slug: &str) -> Self {
        let body = json!({"type": format!("https://example.org/problems/{slug}"), "title": "No", "status": status,
            "detail": "because of a test", "instance": "/", "errors": [{"pointer": "/env", "detail": "is odd"}]});
        Self {
            status,
            headers: "Content-Type: application/problem+json\r\n".to_owned(),
            body: body.to_string(),
        }
    }

    /// A problem document of another API.
    pub fn foreign_problem(status: u16) -> Self {
        let body =
            json!({"type": "about:blank", "title": "No", "status": status, "detail": "because of a test"});
        Self { body: body.to_string(), ..Self::problem(status, "") }
    }

    pub fn busy(retry_after_s: u32) -> Self {
        Self::problem(503, "busy").with_retry_after(retry_after_s)
    }

    /// Somebody has sent too much.
    pub fn throttled(retry_after_s: u32) -> Self {
        Self::problem(429, "throttled").with_retry_after(retry_after_s)
    }

    fn with_retry_after(mut self, seconds: u32) -> Self {
        self.headers.insert_str(0, &format!("Retry-After: {seconds}\r\n"));
        self
    }

    pub fn html(status: u16) -> Self {
        let headers = "Content-Type: text/html\r\nLocation: /elsewhere\r\n".to_owned();
        Self { status, headers, body: "<h1>Hello</h1>".to_owned() }
    }

    pub fn json(status: u16, body: &Value) -> Self {
        Self { status, headers: "Content-Type: application/json\r\n".to_owned(), body: body.to_string() }
    }
}

/// Listens on a port of its own until it is dropped.
pub struct Server {
    address: std::net::SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
    reads: Arc<Mutex<Vec<Answer>>>,
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Gives `answers` to the first requests, the usual ones afterwards.
    pub fn start(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (requests, ended) = (Arc::<Mutex<Vec<Request>>>::default(), Arc::<AtomicBool>::default());
        let reads = Arc::<Mutex<Vec<Answer>>>::default();
        let (seen, end, to_reads) = (Arc::clone(&requests), Arc::clone(&ended), Arc::clone(&reads));
        let thread = std::thread::spawn(move || {
            let mut answers = answers.into_iter();
            for stream in listener.incoming() {
                if end.load(SeqCst) {
                    return;
                }
                serve(&stream.unwrap(), &seen, &mut answers, &to_reads);
            }
        });
        Self { address, requests, reads, ended, thread: Some(thread) }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Gives these answers to the next requests that only read, in turn.
    #[must_use]
    pub fn reading(self, mut answers: Vec<Answer>) -> Self {
        answers.reverse();
        *self.reads.lock().unwrap() = answers;
        self
    }

    /// What it was sent; requests that only read are left out.
    pub fn requests(&self) -> Vec<Request> {
        self.all_requests().into_iter().filter(|request| request.method != "GET").collect()
    }

    pub fn all_requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.store(true, SeqCst);
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server liked all that it was sent");
        }
    }
}

fn serve(
    stream: &TcpStream,
    seen: &Mutex<Vec<Request>>,
    answers: &mut impl Iterator<Item = Answer>,
    reads: &Mutex<Vec<Answer>>,
) {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap() == 0 {
            return;
        }
        if line.trim().is_empty() {
            break;
        }
        head.push(line.trim().to_owned());
    }
    let field = |name: &str| {
        let fields = head.iter().filter_map(|line| line.split_once(": "));
        fields.filter(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    };
    let mut words = head[0].split(' ');
    let (method, path) = (words.next().unwrap().to_owned(), words.next().unwrap().to_owned());
    let body = if method == "GET" {
        Body::Nothing
    } else {
        let mut body = vec![0; field("content-length").unwrap().parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        match field("content-type").unwrap() {
            envelope::CONTENT_TYPE => Body::Signed(checked(&body)),
            kind => {
                assert_eq!((kind, path.as_str()), ("application/json", "/api/v1/key-logins"));
                Body::Json(body)
            }
        }
    };
    let request = Request { method, path, body };
    let answer = if request.method == "GET" { reads.lock().unwrap().pop() } else { answers.next() };
    let answer = answer.unwrap_or_else(|| usual(&request));
    seen.lock().unwrap().push(request);
    let Answer { status, headers, body } = answer;
    let length = body.len();
    let text = format!(
        "HTTP/1.1 {status} Said\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    let mut stream = stream;
    stream.write_all(text.as_bytes()).unwrap();
}

/// An envelope each of whose signatures holds.
fn checked(body: &[u8]) -> Envelope {
    let envelope = Envelope::parse(body).unwrap();
    for signature in &envelope.signatures {
        let key = envelope::public_key(signature.public_key.as_ref().unwrap()).unwrap();
        envelope.open(&key).expect("every envelope is signed");
    }
    envelope
}

fn usual(request: &Request) -> Answer {
    let body: Value = serde_json::from_slice(&request.body()).unwrap_or_default();
    match request.kind().as_str() {
        "key-logins" if request.path.ends_with("/poll") => {
            Answer::json(200, &json!({"state": "approved", "interval": 1}))
        }
        "key-logins" => Answer::json(
            201,
            &json!({"device_code": "SECRET-CODE", "user_code": "BCDF-GHJK", "expires_in": 600, "interval": 1,
                "verification_url": "https://example.org/account/link/"}),
        ),
        "runs" if request.method == "GET" => Answer::json(
            200,
            &json!({"run_id": request.path.rsplit('/').next(), "slug": "0199", "state": "done",
                "level": "witnessed", "in_standings": true, "labels": []}),
        ),
        "runs" if request.method == "POST" => Answer::json(200, &json!({})),
        "keys" => Answer::json(
            201,
            &json!({"keyid": "x", "state": "anonymous", "first_seen": "2026-01-01T00:00:00Z"}),
        ),
        "challenges" => Answer::json(
            201,
            &json!({"id": CHALLENGE_ID, "seed": hex::encode(&SEED), "suite_sha256": payload_assembly::suite_sha256(&SUITES[0]),
                "issued_at": "2026-01-01T00:00:00Z", "not_after": "2026-01-01T01:00:00Z",
                "ticket": body.get("ticket").map(|_| "accepted"), "ticket_plan": "home-test\u{1b}[2J"}),
        ),
        "runs" => {
            let id = body["run_id"].as_str().unwrap();
            Answer::json(
                201,
                &json!({"run_id": id, "state": "received", "level": "signed",
                "run_url": format!("/runs/{id}"), "status_url": request.path}),
            )
        }
        other => panic!("nobody asks for {other}"),
    }
}
