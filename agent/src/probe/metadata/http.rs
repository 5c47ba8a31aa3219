//! Just enough HTTP/1.1 to read one short answer (RFC 9112): a pure function of the bytes that have come.

use super::error::MetadataError;

/// The longest answer that is read, head included: OpenStack's document holds the owner's keys and up to 128
/// entries of 255 characters of their own, everything else is a line.
pub const ANSWER_BYTES_MAX: usize = 64 << 10;
const OK: u16 = 200;

/// How the length of a body is known.
enum Framing {
    Length(usize),
    Chunked,
    UntilClose,
}

/// The body of an answer; `None` while more has to come. `ended` says that no more will come.
pub fn body(bytes: &[u8], ended: bool) -> Result<Option<String>, MetadataError> {
    let Some(head_bytes) = find(bytes, b"\r\n\r\n") else { return more(bytes, ended) };
    let head = std::str::from_utf8(&bytes[..head_bytes]).map_err(|_| MetadataError::NotUnderstood)?;
    let rest = &bytes[head_bytes + 4..];
    let body = match framing(head)? {
        Framing::Length(length) if length > ANSWER_BYTES_MAX => return Err(MetadataError::NotUnderstood),
        Framing::Length(length) => rest.get(..length).map(<[u8]>::to_vec),
        Framing::Chunked => join_chunks(rest)?,
        Framing::UntilClose => ended.then(|| rest.to_vec()),
    };
    match body {
        Some(body) => String::from_utf8(body).map(Some).map_err(|_| MetadataError::NotUnderstood),
        None => more(bytes, ended),
    }
}

/// The result for an answer that is not whole yet: an error once no more will come.
fn more(bytes: &[u8], ended: bool) -> Result<Option<String>, MetadataError> {
    if ended || bytes.len() > ANSWER_BYTES_MAX { Err(MetadataError::NotUnderstood) } else { Ok(None) }
}

/// Reads status line and fields. What could be read in two ways is refused (RFC 9112, 6.3).
fn framing(head: &str) -> Result<Framing, MetadataError> {
    let mut lines = head.split("\r\n");
    match status(lines.next().unwrap_or_default()).ok_or(MetadataError::NotUnderstood)? {
        OK => {}
        other => return Err(MetadataError::Status(other)),
    }
    let mut framing = Framing::UntilClose;
    for line in lines {
        let (name, value) = line.split_once(':').ok_or(MetadataError::NotUnderstood)?;
        let of_field = match name.to_ascii_lowercase().as_str() {
            "content-length" => Framing::Length(decimal(value.trim()).ok_or(MetadataError::NotUnderstood)?),
            "transfer-encoding" if value.trim().eq_ignore_ascii_case("chunked") => Framing::Chunked,
            "transfer-encoding" => return Err(MetadataError::NotUnderstood),
            _ => continue,
        };
        if !matches!(framing, Framing::UntilClose) {
            return Err(MetadataError::NotUnderstood);
        }
        framing = of_field;
    }
    Ok(framing)
}

/// `HTTP/1.1 200 OK`
fn status(line: &str) -> Option<u16> {
    let rest = line.strip_prefix("HTTP/1.1 ").or_else(|| line.strip_prefix("HTTP/1.0 "))?;
    let (code, reason) = rest.split_at_checked(3)?;
    let is_end = reason.is_empty() || reason.starts_with(' ');
    decimal(code).filter(|_| is_end).and_then(|code| u16::try_from(code).ok())
}

/// Digits and nothing else: `parse` would take a sign too.
fn decimal(text: &str) -> Option<usize> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// The chunks of a body put together; nothing while more has to come. Trailers are not looked at.
fn join_chunks(mut rest: &[u8]) -> Result<Option<Vec<u8>>, MetadataError> {
    /// Digits of the length of a chunk, and what may follow them on the line.
    const LINE_BYTES_MAX: usize = 256;
    let mut body = Vec::new();
    loop {
        let Some(line_bytes) = find(rest, b"\r\n") else {
            return if rest.len() > LINE_BYTES_MAX { Err(MetadataError::NotUnderstood) } else { Ok(None) };
        };
        let line = std::str::from_utf8(&rest[..line_bytes]).map_err(|_| MetadataError::NotUnderstood)?;
        let digits = line.split(';').next().unwrap_or_default().trim_end();
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let length = usize::from_str_radix(digits, 16).ok().filter(|_| is_hex);
        let length =
            length.filter(|&length| length <= ANSWER_BYTES_MAX).ok_or(MetadataError::NotUnderstood)?;
        if length == 0 {
            return Ok(Some(body));
        }
        let begin = line_bytes + 2;
        let Some(chunk) = rest.get(begin..begin + length) else { return Ok(None) };
        match rest.get(begin + length..begin + length + 2) {
            Some(b"\r\n") => {}
            Some(_) => return Err(MetadataError::NotUnderstood),
            None => return Ok(None),
        }
        body.extend_from_slice(chunk);
        rest = &rest[begin + length + 2..];
    }
}

fn find(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    bytes.windows(pattern.len()).position(|window| window == pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Option<String> {
        body(text.as_bytes(), true).ok().flatten()
    }

    fn fault(text: &str) -> MetadataError {
        body(text.as_bytes(), true).unwrap_err()
    }

    /// What Google's, Microsoft's and Amazon's services send, and one that closes and says no length.
    const ANSWERS: [(&str, &str); 4] = [
        (
            "HTTP/1.1 200 OK\r\nMetadata-Flavor: Google\r\nContent-Type: application/text\r\nETag: 7c1d\r\n\
             Date: Sun, 22 Nov 2026 00:00:00 GMT\r\nServer: Metadata Server for VM\r\nContent-Length: 40\r\n\
             X-XSS-Protection: 0\r\nX-Frame-Options: SAMEORIGIN\r\n\r\nprojects/7216/machineTypes/n2-standard-4",
            "projects/7216/machineTypes/n2-standard-4",
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nServer: IMDS/150.870.65.1854\r\n\
             Transfer-Encoding: chunked\r\n\r\n9\r\nStandard_\r\n6;x=1\r\nD2s_v3\r\n0\r\n\r\n",
            "Standard_D2s_v3",
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nAccept-Ranges: none\r\ncontent-length:10\r\n\
             Connection: close\r\nServer: EC2ws\r\n\r\nm7g.medium",
            "m7g.medium",
        ),
        ("HTTP/1.0 200\r\n\r\nnyc3", "nyc3"),
    ];

    #[test]
    fn the_answers_of_the_services_are_read() {
        for (answer, expected) in ANSWERS {
            assert_eq!(whole(answer).as_deref(), Some(expected), "{answer}");
        }
    }

    #[test]
    fn a_part_of_an_answer_waits_for_the_rest() {
        for (answer, expected) in ANSWERS {
            let is_open = answer.starts_with("HTTP/1.0");
            for end in 0..answer.len() {
                let part = &answer.as_bytes()[..end];
                match body(part, false) {
                    Ok(None) => assert!(body(part, true).is_err() || is_open, "{end} of {answer}"),
                    // The end of the last chunk is enough: what follows it says nothing.
                    Ok(Some(found)) => assert!(found == expected && answer.contains("chunked"), "{end}"),
                    Err(error) => panic!("{end} of {answer}: {error}"),
                }
            }
        }
    }

    #[test]
    fn another_status_is_told_and_nobody_is_followed_elsewhere() {
        for (line, status) in [
            ("HTTP/1.1 401 Unauthorized", 401),
            ("HTTP/1.1 404 Not Found", 404),
            ("HTTP/1.1 301 Moved Permanently\r\nLocation: http://192.0.2.1/", 301),
            ("HTTP/1.1 204 No Content", 204),
            ("HTTP/1.0 500", 500),
        ] {
            assert_eq!(fault(&format!("{line}\r\n\r\nwhatever")), MetadataError::Status(status), "{line}");
        }
    }

    #[test]
    fn what_is_no_answer_or_could_be_read_in_two_ways_is_refused() {
        for wrong in [
            "",
            "m7g.medium",
            "HTTP/2 200 OK\r\n\r\nx",
            "HTTP/1.1 2000 OK\r\n\r\nx",
            "HTTP/1.1 +20 OK\r\n\r\nx",
            "HTTP/1.1 200 OK\r\nno field\r\n\r\nx",
            "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\nx",
            "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\nx",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nx",
            "HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\nx",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxyz0\r\n\r\n",
        ] {
            assert_eq!(fault(wrong), MetadataError::NotUnderstood, "{wrong:?}");
        }
        assert_eq!(
            body(b"HTTP/1.1 200 OK\r\nServer: \xff\r\n\r\nx", true),
            Err(MetadataError::NotUnderstood)
        );
        assert_eq!(body(b"HTTP/1.1 200 OK\r\n\r\n\xff", true), Err(MetadataError::NotUnderstood));
    }

    #[test]
    fn an_answer_that_never_ends_is_given_up() {
        let endless = "HTTP/1.1 200 OK\r\nX: ".to_owned() + &"x".repeat(ANSWER_BYTES_MAX);
        let open = "HTTP/1.1 200 OK\r\n\r\n".to_owned() + &"x".repeat(ANSWER_BYTES_MAX);
        let line = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_owned() + &"0".repeat(300);
        for text in [endless, open, line] {
            assert_eq!(body(text.as_bytes(), false), Err(MetadataError::NotUnderstood));
        }
    }

    #[test]
    fn no_change_of_a_byte_makes_a_panic() {
        for (answer, _) in ANSWERS {
            for place in 0..answer.len() {
                for byte in [0, b'\r', b'\n', b' ', b'0', b'f', b':', 0xff] {
                    let mut bytes = answer.as_bytes().to_vec();
                    bytes[place] = byte;
                    let _ = (body(&bytes, true), body(&bytes, false));
                }
            }
        }
    }
}
