//! What the firmware says about the machine: its maker and its product name. In a cloud the maker is the
//! cloud.

use crate::probe::tree::Tree;
use crate::text::printable_or_none;

/// Longest maker or product text.
const TEXT_LENGTH_MAX: usize = 128;

/// Maker and product as the firmware states them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Maker {
    /// DMI `sys_vendor`.
    pub vendor: Option<String>,
    /// DMI `product_name`.
    pub product: Option<String>,
}

/// Reads maker and product; placeholders that the maker did not fill in become `None`.
pub fn maker(tree: &Tree) -> Maker {
    const PLACEHOLDERS: &[&str] = &[
        "to be filled by o.e.m.",
        "system manufacturer",
        "system product name",
        "default string",
        "not specified",
        "not applicable",
        "none",
    ];
    let read = |name: &str| {
        tree.text(&format!("/sys/class/dmi/id/{name}"))
            .and_then(|text| printable_or_none(&text, TEXT_LENGTH_MAX))
            .filter(|text| !PLACEHOLDERS.contains(&text.to_ascii_lowercase().as_str()))
    };
    Maker { vendor: read("sys_vendor"), product: read("product_name") }
}
