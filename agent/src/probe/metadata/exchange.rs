//! One request and its answer over a socket, within a deadline whatever the other side does.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::error::MetadataError;
use super::http;

/// Most answers are one read of a few hundred bytes.
const READ_BYTES: usize = 4096;

/// Sends a request to an address, which is no name, and past every proxy. No redirect is followed.
pub fn get(address: SocketAddr, request: &str, deadline: Instant) -> Result<String, MetadataError> {
    let mut stream =
        TcpStream::connect_timeout(&address, time_left(deadline)?).map_err(|error| why(&error))?;
    stream.set_write_timeout(Some(time_left(deadline)?)).map_err(|error| why(&error))?;
    stream.write_all(request.as_bytes()).map_err(|error| why(&error))?;
    let mut answer = Vec::new();
    let mut part = [0; READ_BYTES];
    loop {
        stream.set_read_timeout(Some(time_left(deadline)?)).map_err(|error| why(&error))?;
        let count = match stream.read(&mut part) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            read => read.map_err(|error| why(&error))?,
        };
        answer.extend_from_slice(&part[..count]);
        if let Some(body) = http::body(&answer, count == 0)? {
            return Ok(body);
        }
    }
}

/// The time that is left until the deadline; never zero, which would mean no timeout.
fn time_left(deadline: Instant) -> Result<Duration, MetadataError> {
    let time_left = deadline.saturating_duration_since(Instant::now());
    if time_left.is_zero() { Err(MetadataError::Late) } else { Ok(time_left) }
}

fn why(error: &io::Error) -> MetadataError {
    match error.kind() {
        ErrorKind::TimedOut | ErrorKind::WouldBlock => MetadataError::Late,
        _ => MetadataError::Unreachable,
    }
}
