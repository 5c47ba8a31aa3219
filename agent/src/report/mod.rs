//! What is made of the figures: `payload_assembly` makes the payload that is signed, from facts and figures;
//! people see it in the `terminal`, tables first, and on the page of `html`.

pub mod html;
pub mod payload_assembly;
pub mod terminal;

#[cfg(test)]
pub(crate) mod hostile_texts;
