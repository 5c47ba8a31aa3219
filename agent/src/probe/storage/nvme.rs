//! What an NVMe drive reports, which the kernel lets only root ask.
//!
//! The answers hold serial numbers and the like; only the bytes named here are looked at.

use super::drive::Drive;
use crate::sys::{HEALTH_BYTES, IDENTIFY_BYTES};

/// Whether there is a volatile write cache: VWC, byte 525, bit 0.
pub fn has_volatile_cache(identify: &[u8; IDENTIFY_BYTES]) -> bool {
    const VWC: usize = 525;
    identify[VWC] & 1 == 1
}

/// Percentage Used, byte 5: of the endurance that the maker rates, up to 255.
pub fn wear_percent(health: &[u8; HEALTH_BYTES]) -> u8 {
    const PERCENTAGE_USED: usize = 5;
    health[PERCENTAGE_USED]
}

/// Whether there is a volatile cache and it is switched on: a feature may have turned it off.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
const fn cache_in_use(is_present: bool, is_enabled: Option<bool>) -> bool {
    is_present && !matches!(is_enabled, Some(false))
}

/// Asks the drive's controller, if it has one and permission is given. What it does not answer stays unknown.
#[cfg(target_os = "linux")]
pub fn ask(drive: &mut Drive) {
    use crate::sys::nvme::{self, Controller};
    let name = drive.controller.as_deref().filter(|name| is_controller(name));
    let Some(mut controller) = name.and_then(|name| Controller::open(name).ok()) else { return };
    drive.volatile_write_cache = controller.identify().ok().map(|identify| {
        let enabled = || controller.feature(nvme::VOLATILE_WRITE_CACHE).ok().map(|value| value & 1 == 1);
        let present = has_volatile_cache(&identify);
        cache_in_use(present, present.then(enabled).flatten())
    });
    drive.wear_percent = controller.health().ok().map(|health| wear_percent(&health)).or(drive.wear_percent);
}

/// Other systems have no such command.
#[cfg(not(target_os = "linux"))]
pub fn ask(_drive: &mut Drive) {}

/// `nvme0`, and nothing that leads elsewhere.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn is_controller(name: &str) -> bool {
    let digits = name.strip_prefix("nvme").unwrap_or_default();
    (1..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_named_bytes_are_looked_at() {
        let mut identify = [0xff; IDENTIFY_BYTES];
        assert!(has_volatile_cache(&identify));
        identify[525] = 0b110;
        assert!(!has_volatile_cache(&identify));
        let mut health = [0; HEALTH_BYTES];
        health[5] = 103;
        assert_eq!(wear_percent(&health), 103);
    }

    #[test]
    fn a_cache_that_was_turned_off_is_none() {
        assert!(cache_in_use(true, Some(true)));
        assert!(cache_in_use(true, None), "the feature cannot be read");
        assert!(!cache_in_use(true, Some(false)));
        assert!(!cache_in_use(false, None));
    }

    #[test]
    fn only_a_controllers_name_becomes_a_path() {
        assert!(is_controller("nvme0") && is_controller("nvme127"));
        for name in ["", "nvme", "nvme0n1", "../nvme0", "nvme0/../sda", "sda", "nvme-subsys0", "nvme1234567"]
        {
            assert!(!is_controller(name), "{name}");
        }
    }
}
