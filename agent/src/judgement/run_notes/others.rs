//! What is said of what other programs had of a run.

use crate::engine::disturbance::OthersShare;
use crate::units;

pub(super) fn other_io(others: OthersShare) -> Option<String> {
    let milli = others.device_milli.filter(|_| others.disturbs_device())?;
    Some(format!(
        "Other programs had {} of what the disk moved during a pass of the headline, so its figures are not the \
         disk's. Stop them and measure again.",
        units::percent_of_milli(milli)
    ))
}

pub(super) fn other_cpu(others: OthersShare) -> Option<String> {
    let milli = others.cpu_milli.filter(|_| others.disturbs_cpu())?;
    Some(format!(
        "Other programs had {} of the CPUs during a pass of the headline, so its figures are not the disk's. Stop \
         them and measure again.",
        units::percent_of_milli(milli)
    ))
}

pub(super) fn others_unseen(others: OthersShare) -> Option<String> {
    let unseen = match (others.device_milli, others.cpu_milli) {
        (Some(_), Some(_)) => return None,
        (None, Some(_)) => "used the disk",
        (Some(_), None) => "used the CPUs",
        (None, None) => "used disk or CPUs",
    };
    Some(format!("Whether other programs {unseen} during the passes cannot be seen here: only you know it."))
}
