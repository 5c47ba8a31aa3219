//! Real services on this machine: those that answer, and those that do not, or not as they should.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::asking::ask_at;
use super::proof::fetch_at;
use super::services::Service;
use super::*;
use crate::wire::payload::CloudMetadata;

/// Far more than a server on this machine needs, however busy the machine is.
const GENEROUS: Duration = Duration::from_secs(20);

/// A service on a port of its own, which sees the path of each request and answers as a test wants.
struct Fake {
    address: SocketAddr,
    requests: Receiver<String>,
    /// Dropped when the test is over: what waits on the other end goes on.
    over: Sender<()>,
    thread: JoinHandle<()>,
}

impl Fake {
    fn start(mut answer: impl FnMut(&str, &mut TcpStream, &Receiver<()>) + Send + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let ((sender, requests), (over, ended)) = (channel(), channel());
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let head = head(&stream);
                let Some(path) = head.split(' ').nth(1) else { return };
                let _ = sender.send(head.clone());
                answer(path, &mut stream, &ended);
            }
        });
        Self { address, requests, over, thread }
    }

    /// Answers these bytes to whatever is asked.
    fn says(answer: impl Into<Vec<u8>>) -> Self {
        let answer = answer.into();
        Self::start(move |_, stream, _| drop(stream.write_all(&answer)))
    }

    /// Asks it for a proof, ends it, and returns what it was asked.
    fn prove(self, provider: &str, audience: &str) -> (Result<IdentityDocument, MetadataError>, Vec<String>) {
        let answer = fetch_at(provider, self.address, audience, GENEROUS);
        drop(self.over);
        drop(TcpStream::connect(self.address));
        self.thread.join().unwrap();
        (answer, self.requests.try_iter().collect())
    }

    /// Asks it, ends it, and returns what it was asked.
    fn ask(self, provider: &str, budget: Duration) -> (Result<CloudMetadata, MetadataError>, Vec<String>) {
        let answer = ask_at(Service::for_provider(Some(provider)).unwrap(), self.address, budget);
        drop(self.over);
        // A connection without a request is the end.
        drop(TcpStream::connect(self.address));
        self.thread.join().unwrap();
        (answer, self.requests.try_iter().collect())
    }
}

/// All lines of a request; empty where the other side closed.
fn head(stream: &TcpStream) -> String {
    let lines = BufReader::new(stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

fn ok(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

fn metadata(provider: &str, instance_type: Option<&str>, region: Option<&str>) -> CloudMetadata {
    CloudMetadata {
        provider: provider.to_owned(),
        instance_type: instance_type.map(str::to_owned),
        region: region.map(str::to_owned),
    }
}

#[test]
fn a_service_that_answers_is_understood_and_asked_nothing_else() {
    let fake = Fake::start(|path, stream, _| {
        let body = match path {
            "/computeMetadata/v1/instance/zone" => "projects/7216/zones/europe-west1-b",
            "/computeMetadata/v1/instance/machine-type" => "projects/7216/machineTypes/c4-standard-8",
            _ => panic!("nobody asks for {path}"),
        };
        stream.write_all(ok(body).as_bytes()).unwrap();
    });
    let (answer, requests) = fake.ask("gcp", GENEROUS);
    assert_eq!(answer, Ok(metadata("gcp", Some("c4-standard-8"), Some("europe-west1"))));
    assert_eq!(requests.len(), 2);
    for head in requests {
        assert!(head.contains("\nMetadata-Flavor: Google"), "{head}");
        assert!(head.contains("\nHost: 169.254.169.254") && head.ends_with("Connection: close"), "{head}");
    }
}

#[test]
fn a_service_that_keeps_the_connection_open_is_not_waited_for() {
    let fake = Fake::start(|_, stream, over| {
        stream.write_all(ok("nyc3").as_bytes()).unwrap();
        let _ = over.recv();
    });
    let begun = Instant::now();
    assert_eq!(fake.ask("digitalocean", GENEROUS).0, Ok(metadata("digitalocean", None, Some("nyc3"))));
    assert!(begun.elapsed() < GENEROUS / 2);
}

#[test]
fn when_the_second_answer_fails_the_first_counts() {
    let fake = Fake::start(|path, stream, _| {
        let answer =
            if path.ends_with("region") { ok("eu-west-3") } else { "HTTP/1.1 404 No\r\n\r\n".into() };
        stream.write_all(answer.as_bytes()).unwrap();
    });
    assert_eq!(fake.ask("aws", GENEROUS).0, Ok(metadata("aws", None, Some("eu-west-3"))));
}

#[test]
fn a_service_that_wants_a_token_is_asked_once_and_no_token_is_fetched() {
    let (answer, requests) =
        Fake::says("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n").ask("aws", GENEROUS);
    assert_eq!(answer, Err(MetadataError::Status(401)));
    assert_eq!(requests.len(), 1);
    assert!(requests[0].starts_with("GET ") && !requests[0].contains("token"), "{requests:?}");
}

#[test]
fn a_redirect_is_not_followed() {
    let elsewhere = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    elsewhere.set_nonblocking(true).unwrap();
    let location = format!("http://{}/", elsewhere.local_addr().unwrap());
    let answer = format!("HTTP/1.1 301 Moved\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n");
    assert_eq!(Fake::says(answer).ask("digitalocean", GENEROUS).0, Err(MetadataError::Status(301)));
    assert_eq!(elsewhere.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
}

#[test]
fn what_another_program_answers_is_not_understood() {
    for answer in [
        &b""[..],
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n<html>Welcome to the router</html>",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        b"\x16\x03\x01\x02\x00\xff\xfe\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08",
    ] {
        for provider in ["vultr", "openstack", "scaleway"] {
            let (answer, _) = Fake::says(answer).ask(provider, GENEROUS);
            assert_eq!(answer, Err(MetadataError::NotUnderstood), "{provider}: {answer:?}");
        }
    }
}

#[test]
fn an_endless_answer_is_given_up() {
    let fake = Fake::start(|_, stream, _| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
        while stream.write_all(&[b'x'; 4096]).is_ok() {}
    });
    let begun = Instant::now();
    assert_eq!(fake.ask("digitalocean", GENEROUS).0, Err(MetadataError::NotUnderstood));
    assert!(begun.elapsed() < GENEROUS / 2, "by its size, not by the time");
}

#[track_caller]
fn assert_given_up_in_time(fake: Fake, provider: &str, expected: &Result<CloudMetadata, MetadataError>) {
    let service = Service::for_provider(Some(provider)).unwrap();
    let begun = Instant::now();
    let answer = ask_at(service, fake.address, BUDGET);
    let elapsed = begun.elapsed();
    assert_eq!(answer, *expected);
    assert!(elapsed >= BUDGET, "{elapsed:?}");
    assert!(elapsed < BUDGET + Duration::from_secs(2), "{elapsed:?} on a machine that may be busy");
    drop(fake.over);
    drop(TcpStream::connect(fake.address));
    fake.thread.join().unwrap();
}

#[test]
fn a_service_that_never_answers_costs_the_budget_and_no_more() {
    let fake = Fake::start(|_, _, over| assert!(over.recv().is_err()));
    assert_given_up_in_time(fake, "aws", &Err(MetadataError::Late));
}

#[test]
fn a_slow_service_costs_the_budget_and_no_more_however_often_it_says_something() {
    let fake = Fake::start(|_, stream, over| {
        for byte in ok(&"x".repeat(1000)).bytes() {
            let pause = over.recv_timeout(Duration::from_millis(20));
            if pause == Err(RecvTimeoutError::Disconnected) || stream.write_all(&[byte]).is_err() {
                return;
            }
        }
    });
    assert_given_up_in_time(fake, "digitalocean", &Err(MetadataError::Late));
}

#[test]
fn the_budget_is_one_for_all_questions() {
    let fake = Fake::start(|path, stream, over| {
        if path.ends_with("region") {
            stream.write_all(ok("eu-west-3").as_bytes()).unwrap();
        } else {
            assert!(over.recv().is_err());
        }
    });
    assert_given_up_in_time(fake, "aws", &Ok(metadata("aws", None, Some("eu-west-3"))));
}

#[test]
fn where_nobody_listens_there_is_no_answer() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let service = Service::for_provider(None).unwrap();
    assert_eq!(ask_at(service, address, GENEROUS), Err(MetadataError::Unreachable));
    assert_eq!(ask_at(service, address, Duration::ZERO), Err(MetadataError::Late));
}

#[test]
fn people_read_what_was_said_or_why_nothing_was() {
    use crate::wire::payload::SHOWN_LENGTH_MAX;
    let answer = metadata("aws", Some("m7g.medium"), Some("eu-central-1"));
    assert_eq!(answer.to_string(), "aws / m7g.medium / eu-central-1");
    let hostile = metadata("a\u{1b}[31m", None, Some(&"x".repeat(100)));
    assert_eq!(hostile.to_string(), format!("a [31m / {}", "x".repeat(SHOWN_LENGTH_MAX)));
    assert_eq!(
        describe_answer(Some("aws"), &Ok(answer)),
        "The metadata service at 169.254.169.254 says: aws / m7g.medium / eu-central-1."
    );
    assert_eq!(
        describe_answer(Some("scaleway"), &Err(MetadataError::Late)),
        "The metadata service at 169.254.42.42 says nothing: no answer in time."
    );
    assert!(
        describe_answer(Some("aws"), &Err(MetadataError::Status(401)))
            .ends_with("wants a token, and none is fetched.")
    );
    let nobody = Err(MetadataError::NoService("linode".to_owned()));
    assert_eq!(
        describe_answer(Some("linode"), &nobody),
        "No metadata service was asked: none of linode is known to answer without a token."
    );
    assert!(describe_question(None).starts_with("Asks the metadata service at 169.254.169.254 for"));
    assert!(describe_question(Some("linode")).starts_with("No metadata service is asked: none of linode"));
}

const AUDIENCE: &str = "c_Zm9vYmFyYmF6cXV4MDEyMw";

/// Answers each path with its text, and everything else with 404.
fn service(answers: &'static [(&'static str, &'static str)]) -> Fake {
    Fake::start(move |path, stream, _| {
        let found = answers.iter().find(|(known, _)| *known == path);
        let answer = found.map_or("HTTP/1.1 404 No\r\n\r\n".to_owned(), |(_, body)| ok(body));
        stream.write_all(answer.as_bytes()).unwrap();
    })
}

#[test]
fn amazon_gives_its_document_for_a_token_of_a_minute() {
    let (document, requests) = service(&[
        ("/latest/api/token", "AQAEAL=="),
        ("/latest/dynamic/instance-identity/document", "{\n  \"instanceType\" : \"m7g.medium\"\n}"),
        ("/latest/dynamic/instance-identity/signature", "AbC+\nd/e=\n"),
    ])
    .prove("aws", AUDIENCE);
    let expected = IdentityDocument {
        provider: "aws",
        document: "{\n  \"instanceType\" : \"m7g.medium\"\n}".to_owned(),
        signature: "AbC+d/e=".to_owned(),
    };
    assert_eq!(document, Ok(expected), "the document to the byte, as it is signed");
    assert!(requests[0].starts_with("PUT /latest/api/token HTTP/1.1"), "{requests:?}");
    assert!(requests[0].contains("X-aws-ec2-metadata-token-ttl-seconds: 60"), "{requests:?}");
    assert!(requests[1..].iter().all(|head| head.contains("\nX-aws-ec2-metadata-token: AQAEAL==")));
    assert!(requests.iter().all(|head| !head.contains(AUDIENCE)), "it cannot be bound to anything");
}

#[test]
fn google_and_alibaba_bind_theirs_to_the_challenge() {
    let (document, requests) = service(&[(
        "/computeMetadata/v1/instance/service-accounts/default/identity?audience=c_Zm9vYmFyYmF6cXV4MDEyMw&format=full",
        "eyJh.eyJi.c-_\n",
    )])
    .prove("gcp", AUDIENCE);
    let token =
        IdentityDocument { provider: "gcp", document: "eyJh.eyJi.c-_".to_owned(), signature: String::new() };
    assert_eq!(document, Ok(token));
    assert!(requests[0].contains("\nMetadata-Flavor: Google"), "{requests:?}");
    let (document, requests) = service(&[
        ("/latest/dynamic/instance-identity/document", "{\"zone-id\":\"cn-hangzhou-i\"}"),
        ("/latest/dynamic/instance-identity/pkcs7?audience=c_Zm9vYmFyYmF6cXV4MDEyMw", "MIIB\nAg==\n"),
    ])
    .prove("alibaba", AUDIENCE);
    let signed = IdentityDocument {
        provider: "alibaba",
        document: "{\"zone-id\":\"cn-hangzhou-i\"}".to_owned(),
        signature: "MIIBAg==".to_owned(),
    };
    assert_eq!(document, Ok(signed));
    assert!(requests[0].contains("\nHost: 100.100.100.200"), "{requests:?}");
}

#[test]
fn what_a_service_says_becomes_no_header_and_no_address() {
    let token = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nAQA\r\nX-Y: zz";
    let (answer, requests) = Fake::says(token).prove("aws", AUDIENCE);
    assert_eq!((answer, requests.len()), (Err(MetadataError::NotUnderstood), 1));
    for audience in ["", "a b", "a&b=c", "a/../b", "a\r\nb", "ä"] {
        let (answer, requests) = service(&[]).prove("gcp", audience);
        assert_eq!((answer, requests.len()), (Err(MetadataError::NotUnderstood), 0), "{audience:?}");
    }
    for body in ["<html>", "a.b", "a.b.c.d", "a..c", ""] {
        assert_eq!(
            Fake::says(ok(body)).prove("gcp", AUDIENCE).0,
            Err(MetadataError::NotUnderstood),
            "{body}"
        );
    }
    let signature = service(&[
        ("/latest/dynamic/instance-identity/document", "{}"),
        ("/latest/dynamic/instance-identity/pkcs7?audience=c_Zm9vYmFyYmF6cXV4MDEyMw", "<no base64>"),
    ]);
    assert_eq!(signature.prove("alibaba", AUDIENCE).0, Err(MetadataError::NotUnderstood));
}

#[test]
fn who_signs_nothing_is_not_asked() {
    for provider in ["azure", "hetzner", "openstack"] {
        let (answer, requests) = service(&[]).prove(provider, AUDIENCE);
        assert_eq!(answer, Err(MetadataError::SignsNothing(provider.to_owned())));
        assert!(requests.is_empty());
    }
    assert!(describe_proof(None).contains("nothing is known that this machine's provider signs"));
    let said = describe_proof(Some("aws"));
    assert!(said.contains("169.254.169.254") && said.contains("account") && said.contains("apart"), "{said}");
}
