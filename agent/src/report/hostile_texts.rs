//! Results whose texts somebody else wrote, for tests of what people see of them.

use serde_json::Value;

use crate::wire::payload::Run;

/// Texts that are markup, or orders to a terminal.
pub(crate) const TEXTS: [&str; 7] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onload='x",
    "</style></title>",
    "\u{202e}\u{0}\u{1b}[1m",
    "nvme\u{1b}]0;title\u{7}\u{1b}[2J",
    "tsc\r\n\u{9b}31m\u{8}\u{2066}",
];

/// The result with each of its texts replaced, but for those whose member is spared, and for members whose
/// words the format lists: no reader takes another one there.
pub(crate) fn poisoned(run: &Run, text: &str, spared: &[&str]) -> Run {
    let mut value = serde_json::to_value(run).unwrap();
    replace_texts(&mut value, text, spared);
    serde_json::from_value(value).unwrap()
}

fn replace_texts(value: &mut Value, text: &str, spared: &[&str]) {
    match value {
        Value::String(old) => text.clone_into(old),
        Value::Array(items) => items.iter_mut().for_each(|item| replace_texts(item, text, spared)),
        Value::Object(members) => members
            .iter_mut()
            .filter(|(name, _)| !["kind", "ended_by", "purpose"].contains(&name.as_str()))
            .filter(|(name, _)| !spared.contains(&name.as_str()))
            .for_each(|(_, member)| replace_texts(member, text, spared)),
        _ => {}
    }
}

/// Whether a terminal or a browser takes this character as an order: to move, to colour, to turn the text
/// around.
pub(crate) fn commands(character: char) -> bool {
    let turns =
        matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (character.is_control() && character != '\n')
}
