//! What lies under a folder, as lines: the layers below its filesystem as a tree, and each drive.

use crate::probe::storage::Storage;
use crate::probe::storage::drive::Drive;
use crate::probe::storage::layer::Layer;
use crate::units;

/// The tree, from the filesystem down.
pub fn lines(storage: &Storage) -> Vec<String> {
    let mut lines = vec![label(&storage.tree, &storage.drives)];
    add_below(&storage.tree, &storage.drives, "", &mut lines);
    lines
}

fn add_below(layer: &Layer, drives: &[Drive], indent: &str, lines: &mut Vec<String>) {
    for (place, below) in layer.below.iter().enumerate() {
        let (branch, next) =
            if place + 1 == layer.below.len() { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        lines.push(format!("{indent}{branch}{}", label(below, drives)));
        add_below(below, drives, &format!("{indent}{next}"), lines);
    }
}

fn label(layer: &Layer, drives: &[Drive]) -> String {
    let model = layer.drive.and_then(|place| drives.get(place)).map(name).filter(|name| !name.is_empty());
    let parts: Vec<String> =
        [Some(layer.kind.clone()), model, layer.note.clone()].into_iter().flatten().collect();
    parts.join(", ")
}

fn name(drive: &Drive) -> String {
    format!("{} {}", drive.vendor, drive.model).trim().to_owned()
}

/// Lines on a drive: model and firmware, how it is attached, what it does with writes.
pub fn drive_lines(drive: &Drive) -> Vec<String> {
    let or_not_stated = |text: String| if text.is_empty() { "not stated".to_owned() } else { text };
    let link = drive.pcie.map(|link| {
        let speed = |mts: u32| format!("{}.{} GT/s", mts / 1000, mts % 1000 / 100);
        let best = (link.speed_mts, link.width) == (link.speed_max_mts, link.width_max);
        let best = if best {
            String::new()
        } else {
            format!(" (at best {} x{})", speed(link.speed_max_mts), link.width_max)
        };
        format!(" {} x{}{best}", speed(link.speed_mts), link.width)
    });
    let identity = format!(
        "{}, firmware {}, {} over {}{}",
        or_not_stated(name(drive)),
        or_not_stated(drive.firmware.clone()),
        units::bytes(drive.size_bytes),
        drive.transport,
        link.unwrap_or_default()
    );
    let yes_or_no = |flag: Option<bool>| flag.map_or("not stated", |flag| if flag { "yes" } else { "no" });
    let own_word = drive.volatile_write_cache.map(|volatile| {
        let word = if volatile { "volatile" } else { "none that is volatile" };
        format!(" (the drive says: {word})")
    });
    let mut lines = vec![
        identity,
        format!(
            "write cache: {}{}, FUA: {}",
            drive.write_cache.wire_name(),
            own_word.unwrap_or_default(),
            yes_or_no(drive.fua)
        ),
        format!(
            "scheduler: {}, queue: {}, blocks {} / {} bytes, rotational: {}",
            drive.scheduler.as_deref().unwrap_or("not stated"),
            drive.queue_depth.map_or("not stated".to_owned(), |depth| depth.to_string()),
            drive.logical_block_bytes,
            drive.physical_block_bytes,
            yes_or_no(drive.rotational)
        ),
    ];
    lines.extend(drive.driver.as_ref().map(|driver| {
        let made =
            if drive.raid_volume == Some(true) { ", made by the controller of other disks" } else { "" };
        format!("driver of its host: {driver}{made}")
    }));
    lines.extend(drive.driver_write_cache.filter(|&read| read != drive.write_cache).map(|read| {
        format!("write cache as its driver read it: {}; somebody set it otherwise", read.wire_name())
    }));
    lines.extend(drive.wear_percent.map(|used| format!("endurance used, by its own word: {used} %")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(kind: &str, below: Vec<Layer>) -> Layer {
        Layer { kind: kind.to_owned(), note: None, is_impaired: false, drive: None, below }
    }

    #[test]
    fn every_branch_is_drawn() {
        let partition = || layer("partition", vec![layer("nvme", Vec::new())]);
        let mut raid = layer("md-raid1", vec![partition(), partition()]);
        raid.note = Some("2 members".to_owned());
        let storage = Storage {
            layers: Vec::new(),
            tree: layer("ext4", vec![raid]),
            drives: Vec::new(),
            disks: Vec::new(),
            counts_flushes: false,
            counts_bytes: false,
            intent_log: None,
            devices: Vec::new(),
        };
        assert_eq!(
            lines(&storage).join("\n"),
            "ext4\n└─ md-raid1, 2 members\n   ├─ partition\n   │  └─ nvme\n   └─ partition\n      └─ nvme"
        );
    }
}
