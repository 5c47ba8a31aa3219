//! The middle of some values.

/// The median: the middle value, or the mean of the two middle ones; `None` for no values.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut ordered = values.to_vec();
    ordered.sort_unstable_by(f64::total_cmp);
    let (low, high) = (ordered.get(ordered.len().wrapping_sub(1) / 2)?, ordered.get(ordered.len() / 2)?);
    Some(f64::midpoint(*low, *high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_none_is_nothing_and_of_two_their_mean() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[4.0, 1.0]), Some(2.5));
        assert_eq!(median(&[9.0, 1.0, 4.0]), Some(4.0));
    }
}
