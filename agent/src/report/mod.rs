//! What is made of the figures: the payload that is signed, and what people see of it.

pub mod assembly;
pub mod groups;
pub mod html;
pub mod sentences;
pub mod terminal;
