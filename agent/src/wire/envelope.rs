//! The signed envelope: DSSE with pure Ed25519 over the exact bytes of the payload.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::{Error, ErrorKind, Result};
use crate::hex;
use crate::text::printable_error;

/// `Content-Type` of an envelope.
pub const CONTENT_TYPE: &str = "application/vnd.fsyncmark.dsse.v1+json";
/// The largest envelope that a server accepts.
pub const ENVELOPE_BYTES_MAX: usize = 6 << 20;
/// The largest payload that a server accepts.
pub const PAYLOAD_BYTES_MAX: usize = 4 << 20;
/// Signatures that an envelope may have: one, and a second while a key is replaced.
const SIGNATURES_MAX: usize = 2;

/// An envelope as JSON. Unknown members are ignored, as DSSE demands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope {
    /// What the payload is.
    #[serde(rename = "payloadType")]
    pub payload_type: String,
    /// The payload's bytes in base64.
    pub payload: String,
    /// One signature, or two.
    pub signatures: Vec<EnvelopeSignature>,
}

/// One signature of an envelope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvelopeSignature {
    /// SHA-256 of the public key. It is a hint which key to check with, and proves nothing by itself.
    pub keyid: String,
    /// The 64 bytes of the signature in base64.
    pub sig: String,
    /// The public key in base64. DSSE does not know it and ignores it; with it the file can be checked
    /// without asking anybody, since the key must match its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public_key: Option<String>,
}

/// The bytes that are signed: DSSE's pre-authentication encoding.
pub fn pre_authentication_encoding(payload_type: &str, body: &[u8]) -> Vec<u8> {
    let mut encoded = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), body.len()).into_bytes();
    encoded.extend_from_slice(body);
    encoded
}

/// The id of a public key: SHA-256 of its 32 bytes.
pub fn key_id(key: &VerifyingKey) -> String {
    hex::encode(&Sha256::digest(key.as_bytes()))
}

/// The id of a key as people compare it: its first and its last six digits, `56475a·a75463`.
pub fn short_key_id(keyid: &str) -> String {
    const SHOWN: usize = 6;
    let ends = keyid.get(..SHOWN).zip(keyid.len().checked_sub(SHOWN).and_then(|at| keyid.get(at..)));
    ends.map_or_else(|| keyid.to_owned(), |(first, last)| format!("{first}·{last}"))
}

/// Signs `body`.
pub fn seal(payload_type: &str, body: &[u8], key: &SigningKey) -> Envelope {
    seal_by(payload_type, body, &[key])
}

/// Signs `body` by each of these keys.
pub fn seal_by(payload_type: &str, body: &[u8], keys: &[&SigningKey]) -> Envelope {
    let message = pre_authentication_encoding(payload_type, body);
    let signature = |key: &&SigningKey| EnvelopeSignature {
        keyid: key_id(&key.verifying_key()),
        sig: STANDARD.encode(key.sign(&message).to_bytes()),
        public_key: Some(public_key_base64(&key.verifying_key())),
    };
    Envelope {
        payload_type: payload_type.to_owned(),
        payload: STANDARD.encode(body),
        signatures: keys.iter().map(signature).collect(),
    }
}

impl Envelope {
    /// Reads an envelope; does not check its signature.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let not = |why: &str| Error::new(ErrorKind::Data, format!("this is not a signed envelope: {why}"));
        if bytes.len() > ENVELOPE_BYTES_MAX {
            return Err(not("it is larger than 6 MiB"));
        }
        let envelope: Self = serde_json::from_slice(bytes).map_err(|error| not(&printable_error(&error)))?;
        if envelope.signatures.is_empty() || envelope.signatures.len() > SIGNATURES_MAX {
            return Err(not("it must have one signature, or two"));
        }
        Ok(envelope)
    }

    /// The envelope as JSON.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("an envelope has only texts")
    }

    /// The payload's bytes, unchecked.
    pub fn body(&self) -> Result<Vec<u8>> {
        let body = STANDARD
            .decode(&self.payload)
            .map_err(|error| Error::new(ErrorKind::Data, format!("the payload is not base64: {error}")))?;
        if body.len() > PAYLOAD_BYTES_MAX {
            return Err(Error::new(ErrorKind::Data, "the payload is larger than 4 MiB"));
        }
        Ok(body)
    }

    /// Checks the signature that names `key` and returns the bytes that it covers.
    pub fn open(&self, key: &VerifyingKey) -> Result<Vec<u8>> {
        let id = key_id(key);
        let wrong = |why: &str| Error::new(ErrorKind::Data, format!("the signature does not fit: {why}"));
        let signature = self
            .signatures
            .iter()
            .find(|signature| signature.keyid == id)
            .ok_or_else(|| wrong(&format!("none of them is by key {id}")))?;
        let bytes = STANDARD.decode(&signature.sig).map_err(|_| wrong("it is not base64"))?;
        let bytes: [u8; 64] = bytes.try_into().map_err(|_| wrong("it is not 64 bytes long"))?;
        let body = self.body()?;
        // Strict: a small-order key or a non-canonical signature could fit more than one message.
        key.verify_strict(
            &pre_authentication_encoding(&self.payload_type, &body),
            &Signature::from_bytes(&bytes),
        )
        .map_err(|_| wrong("these bytes were changed, or another key signed them"))?;
        Ok(body)
    }
}

/// A public key from the base64 of its 32 bytes.
pub fn public_key(base64: &str) -> Result<VerifyingKey> {
    let wrong = |why: &str| Error::new(ErrorKind::Data, format!("this is not an Ed25519 public key: {why}"));
    let bytes = STANDARD.decode(base64.trim()).map_err(|_| wrong("not base64"))?;
    let bytes: [u8; 32] = bytes.try_into().map_err(|_| wrong("not 32 bytes"))?;
    let key = VerifyingKey::from_bytes(&bytes).map_err(|_| wrong("not a point of the curve"))?;
    if key.is_weak() {
        return Err(wrong("its order is small, so that anybody could sign for it"));
    }
    Ok(key)
}

/// The base64 of a public key.
pub fn public_key_base64(key: &VerifyingKey) -> String {
    STANDARD.encode(key.as_bytes())
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::Verifier;

    use super::*;

    /// An envelope around `body` with a signature by any key.
    fn signed(body: &[u8], key: &VerifyingKey, signature: [u8; 64]) -> Envelope {
        let sig = STANDARD.encode(signature);
        let signatures = vec![EnvelopeSignature { keyid: key_id(key), sig, public_key: None }];
        Envelope { payload_type: "text".to_owned(), payload: STANDARD.encode(body), signatures }
    }

    #[test]
    fn one_signature_or_two_are_read_and_no_other_number() {
        let key = SigningKey::from_bytes(&[5; 32]).verifying_key();
        let one = signed(b"body", &key, [7; 64]);
        for count in 0..4 {
            let mut envelope = one.clone();
            envelope.signatures = vec![one.signatures[0].clone(); count];
            assert_eq!(Envelope::parse(&envelope.to_bytes()).is_ok(), (1..=2).contains(&count), "{count}");
        }
    }

    #[test]
    fn a_key_for_which_one_signature_fits_every_message_is_refused() {
        // The neutral point as the key and as R, and S = 0: the equation of Ed25519 holds whatever was
        // signed.
        let (mut neutral, mut signature) = ([0; 32], [0; 64]);
        (neutral[0], signature[0]) = (1, 1);
        let key = VerifyingKey::from_bytes(&neutral).unwrap();
        for body in [b"one".as_slice(), b"another"] {
            let message = pre_authentication_encoding("text", body);
            assert!(key.verify(&message, &Signature::from_bytes(&signature)).is_ok(), "it fits");
            let error = signed(body, &key, signature).open(&key).unwrap_err();
            assert!(error.what.contains("does not fit"), "{error}");
        }
        assert!(public_key(&public_key_base64(&key)).unwrap_err().what.contains("order is small"));
    }

    #[test]
    fn what_a_key_signed_opens_and_nothing_else_does() {
        let key = SigningKey::from_bytes(&[7; 32]);
        let mut envelope = seal("text", b"one", &key);
        assert_eq!(envelope.open(&key.verifying_key()).unwrap(), b"one");
        envelope.payload = STANDARD.encode(b"another");
        assert!(envelope.open(&key.verifying_key()).is_err());
    }
}
