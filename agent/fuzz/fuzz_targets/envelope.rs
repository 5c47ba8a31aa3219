//! Signed envelopes: whatever is read is one or is refused, and nobody's key fits what it did not sign.
#![no_main]

use fsyncmark::wire::envelope::{Envelope, self};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(envelope) = Envelope::parse(bytes) else { return };
    assert_eq!(Envelope::parse(&envelope.to_bytes()).as_ref(), Ok(&envelope));
    let body = envelope.body();
    for signature in &envelope.signatures {
        let key = signature.public_key.as_deref().map(envelope::public_key);
        if let Some(Ok(key)) = key
            && let Ok(opened) = envelope.open(&key)
        {
            assert_eq!(body.as_ref(), Ok(&opened));
        }
    }
});
