//! Tables and texts in Markdown. Texts from outside are escaped, so that none of them becomes a link, a
//! column or a tag.

/// A text that is shown as it is.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(
            letter,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '#' | '!' | '&' | '@' | ':'
        ) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// A table; all columns but the first and the last are figures, on the right. Cells are escaped already.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let last = head.len().saturating_sub(1);
    let rule = (0..head.len()).map(|at| if at == 0 || at == last { "---" } else { "---:" }.to_owned());
    let head: Vec<String> = head.iter().map(|&cell| cell.to_owned()).collect();
    let top = [line(&head), line(&rule.collect::<Vec<_>>())];
    top.into_iter().chain(rows.iter().map(|row| line(row))).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_from_outside_is_neither_a_link_nor_a_column_nor_a_tag() {
        assert_eq!(escape("[x](http://a)|<img> *b* @me"), "\\[x\\](http\\://a)\\|\\<img\\> \\*b\\* \\@me");
    }

    #[test]
    fn figures_stand_on_the_right() {
        let rows = vec![vec!["p50".to_owned(), "1 µs".to_owned(), "equal".to_owned()]];
        let expected = "|  | A |  |\n| --- | ---: | --- |\n| p50 | 1 µs | equal |";
        assert_eq!(table(&["", "A", ""], &rows), expected);
    }
}
