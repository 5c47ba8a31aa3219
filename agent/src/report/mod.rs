//! What is made of the figures: `payload_assembly` makes the payload that is signed, from facts and figures;
//! `shown_run` is what both forms for people are given, the `terminal`, tables first, and the page of `html`.
//! `markdown` makes tables of text, `output_file` writes what shall be in a file.

pub mod html;
pub mod markdown;
pub mod output_file;
pub mod payload_assembly;
pub mod shown_run;
pub mod terminal;

#[cfg(test)]
pub(crate) mod hostile_texts;
