//! The probes over what other machines' `/sys` and `/proc` say; `trees/README.md` explains the files.

use fsyncmark::probe::machine::virtualisation::Virtualisation;
use fsyncmark::probe::machine::{self, Machine};
use fsyncmark::probe::storage::block_device::{DeviceClass, DeviceNumber};
use fsyncmark::probe::storage::drive::WriteCache;
use fsyncmark::probe::storage::mounts::{self, Mount};
use fsyncmark::probe::storage::{self, Storage};

use crate::layout::lay_out;

fn storage(name: &str, filesystem: &str, major: u32, minor: u32) -> Storage {
    let (_folder, tree) = lay_out(name);
    let mount = Mount {
        name: filesystem.to_owned(),
        options: Vec::new(),
        device: Some(DeviceNumber { major, minor }),
        root: "/".to_owned(),
        source: String::new(),
        point: "/".into(),
    };
    let storage = storage::probe(&tree, &mount);
    assert!(!format!("{storage:?}").contains("SECRET"), "{storage:?}");
    storage
}

fn machine(name: &str, hypervisor: Option<&str>) -> Machine {
    let (_folder, tree) = lay_out(name);
    let machine = machine::probe(&tree, hypervisor);
    assert!(!format!("{machine:?}").contains("SECRET"), "{machine:?}");
    machine
}

/// Layers, class, transport, vendor, model, firmware.
#[track_caller]
fn assert_drive(storage: &Storage, layers: &str, named: [&str; 5]) {
    assert_eq!(storage.layers.join(" "), layers);
    let drive = &storage.drives[0];
    let found = [drive.class.wire_name(), drive.transport, &drive.vendor, &drive.model, &drive.firmware];
    assert_eq!(found, named);
}

#[test]
fn a_virtio_disk_has_no_name_and_its_rotational_flag_is_not_believed() {
    let storage = storage("firecracker-virtio", "ext4", 254, 0);
    assert_drive(&storage, "ext4 virtio-blk", ["virtio-blk", "virtio", "", "", ""]);
    let drive = &storage.drives[0];
    assert_eq!((drive.rotational, drive.write_cache, drive.fua), (None, WriteCache::Back, Some(false)));
    assert_eq!(drive.scheduler.as_deref(), Some("mq-deadline"));
    assert_eq!(
        (drive.size_bytes, drive.logical_block_bytes, drive.physical_block_bytes),
        (256 << 30, 512, 4096)
    );
    let machine = machine("firecracker-virtio", Some("KVMKVMKVM"));
    assert_eq!(machine.virtualisation, Virtualisation::Firecracker);
    assert_eq!((machine.cpu_model.as_deref(), machine.cpu_count), (Some("AMD EPYC"), 2));
    assert_eq!((machine.clock_source.as_str(), machine.maker.vendor), ("tsc", None));
}

#[test]
fn a_partition_is_followed_to_its_nvme_drive() {
    let storage = storage("bare-metal-nvme-partition", "ext4", 259, 3);
    let model = "SAMSUNG MZQL21T9HCJR-00A07";
    assert_drive(&storage, "ext4 partition nvme", ["nvme", "pcie", "", model, "GDC5602Q"]);
    assert_eq!(storage.disks, [DeviceNumber { major: 259, minor: 0 }]);
    let drive = &storage.drives[0];
    assert_eq!(
        (drive.write_cache, drive.fua, drive.rotational),
        (WriteCache::Through, Some(true), Some(false))
    );
    assert_eq!(drive.size_bytes, 1_920_383_410_176);
    let machine = machine("bare-metal-nvme-partition", None);
    assert_eq!(machine.maker.vendor.as_deref(), Some("ASUSTeK COMPUTER INC."));
    assert_eq!(machine.maker.product, None, "nobody filled it in");
    if cfg!(target_arch = "x86_64") {
        assert_eq!(machine.virtualisation, Virtualisation::None);
    }
}

#[test]
fn nvme_multipath_puts_a_subsystem_between() {
    let storage = storage("nvme-multipath", "xfs", 259, 1);
    assert_drive(
        &storage,
        "xfs nvme-multipath nvme",
        ["nvme", "pcie", "", "Samsung SSD 990 PRO 2TB", "4B2QJXD7"],
    );
    assert_eq!(machine("nvme-multipath", None).maker.vendor, None, "nobody filled it in");
}

#[test]
fn scsi_disks_are_told_apart_by_their_bus() {
    for (name, minor, layers, named) in [
        ("sata-ssd-partition", 2, "ext4 partition scsi", ["scsi", "sata", "ATA", "Samsung SSD 870", "SVT0"]),
        ("sata-disk-behind-sas", 16, "ext4 scsi", ["scsi", "sata", "ATA", "ST16000NM001G-2K", "SN03"]),
        ("sas-ssd", 32, "ext4 scsi", ["scsi", "sas", "SEAGATE", "XS1600LE70084", "0003"]),
        ("hetzner-cloud", 1, "ext4 partition scsi", ["scsi", "virtio", "QEMU", "QEMU HARDDISK", "2.5+"]),
        (
            "gcp-persistent-disk",
            1,
            "ext4 partition scsi",
            ["scsi", "virtio", "Google", "PersistentDisk", "1"],
        ),
        ("azure-hyperv", 1, "ext4 partition scsi", ["scsi", "unknown", "Msft", "Virtual Disk", "1.0"]),
        ("usb-disk", 48, "ext4 scsi", ["scsi", "usb", "Samsung", "PSSD T7", "0"]),
    ] {
        assert_drive(&storage(name, "ext4", 8, minor), layers, named);
    }
    assert_eq!(storage("sata-disk-behind-sas", "ext4", 8, 16).drives[0].rotational, Some(true));
}

#[test]
fn a_cloud_volume_is_named_by_its_provider() {
    let storage = storage("aws-ebs", "xfs", 259, 1);
    let model = "Amazon Elastic Block Store";
    assert_drive(&storage, "xfs partition nvme", ["nvme", "pcie", "", model, "1.0"]);
    let machine = machine("aws-ebs", None);
    assert_eq!(machine.cpu_model.as_deref(), Some("Neoverse-V1"));
    assert_eq!(machine.maker.product.as_deref(), Some("m7g.medium"));
    assert_eq!(machine.virtualisation, Virtualisation::Kvm);
}

#[test]
fn cards_and_xen_disks_are_known() {
    let card = storage("raspberry-pi-sd", "ext4", 179, 2);
    assert_drive(&card, "ext4 partition mmc", ["mmc", "mmc", "", "SN64G", "0x8"]);
    assert_eq!(machine("raspberry-pi-sd", None).cpu_model.as_deref(), Some("Cortex-A72"));
    assert_drive(&storage("xen", "xfs", 202, 1), "xfs partition xen-blk", ["xen-blk", "xen", "", "", ""]);
}

#[test]
fn memory_that_plays_a_disk_is_named() {
    for (major, minor, layers, class) in [
        (259, 0, "ext4 pmem-e820", DeviceClass::Pmem),
        (259, 1, "ext4 pmem", DeviceClass::Pmem),
        (252, 0, "ext4 nullb", DeviceClass::Other),
    ] {
        let storage = storage("memory-disks", "ext4", major, minor);
        assert_eq!((storage.layers.join(" ").as_str(), storage.drives[0].class), (layers, class));
    }
}

#[test]
fn what_lies_below_a_device_made_of_others_is_unknown() {
    for (name, major, layers, class) in [
        ("lvm", 253, "ext4 lvm unknown", DeviceClass::Dm),
        ("loop", 7, "ext4 loop unknown", DeviceClass::Loop),
    ] {
        let storage = storage(name, "ext4", major, 0);
        assert_eq!(storage.layers.join(" "), layers);
        assert_eq!((storage.drives[0].class, storage.drives[0].transport), (class, "unknown"));
    }
}

#[test]
fn flushes_count_only_where_the_kernel_counts_them() {
    for (name, major, minor, counted) in [
        ("bare-metal-nvme-partition", 259, 3, true),
        ("firecracker-virtio", 254, 0, true),
        ("sata-ssd-partition", 8, 2, true),
        ("nvme-multipath", 259, 1, false),
        ("lvm", 253, 0, false),
        ("container", 0, 39, false),
    ] {
        assert_eq!(storage(name, "ext4", major, minor).counts_flushes, counted, "{name}");
    }
}

#[test]
fn a_filesystem_without_a_device_of_its_own_has_an_unknown_one() {
    for (filesystem, layers) in
        [("btrfs", "btrfs unknown"), ("overlay", "overlay unknown"), ("zfs", "zfs unknown")]
    {
        let storage = storage("firecracker-virtio", filesystem, 0, 39);
        assert_eq!(storage.layers.join(" "), layers);
        assert!(storage.drives.is_empty() && storage.disks.is_empty());
    }
    assert_eq!(storage("firecracker-virtio", "ext4", 8, 1).layers.join(" "), "ext4 unknown", "not in sysfs");
}

#[test]
fn hypervisors_are_told_apart() {
    for (name, signature, expected) in [
        ("hetzner-cloud", Some("KVMKVMKVM"), Virtualisation::Kvm),
        ("hetzner-cloud", None, Virtualisation::Kvm),
        ("gcp-persistent-disk", None, Virtualisation::Kvm),
        ("azure-hyperv", Some("Microsoft Hv"), Virtualisation::HyperV),
        ("azure-hyperv", None, Virtualisation::HyperV),
        ("xen", Some("XenVMMXenVMM"), Virtualisation::Xen),
        ("xen", None, Virtualisation::Xen),
        ("lvm", Some("TCGTCGTCGTCG"), Virtualisation::QemuTcg),
        ("loop", Some("VMwareVMware"), Virtualisation::VmWare),
        ("loop", Some("bhyve bhyve"), Virtualisation::Bhyve),
        ("loop", Some("prl hyperv"), Virtualisation::Other),
        ("container", Some("KVMKVMKVM"), Virtualisation::Kvm),
        ("container", None, Virtualisation::Container),
    ] {
        assert_eq!(machine(name, signature).virtualisation, expected, "{name} {signature:?}");
    }
}

#[test]
fn a_disk_tells_its_host_and_what_its_driver_read_of_its_cache() {
    for (name, major, minor, driver, raid_volume, read, set) in [
        (
            "hardware-raid",
            8,
            1,
            Some("megaraid_sas"),
            Some(true),
            Some(WriteCache::Back),
            WriteCache::Through,
        ),
        ("sata-ssd-partition", 8, 2, Some("ahci"), None, Some(WriteCache::Back), WriteCache::Back),
        ("counters-off", 254, 1, None, None, Some(WriteCache::Back), WriteCache::Through),
        ("sas-ssd", 8, 32, None, None, None, WriteCache::Back),
        ("bare-metal-nvme-partition", 259, 3, None, None, None, WriteCache::Through),
    ] {
        let storage = storage(name, "ext4", major, minor);
        let drive = &storage.drives[0];
        assert_eq!((drive.driver.as_deref(), drive.raid_volume), (driver, raid_volume), "{name}");
        assert_eq!(drive.driver_write_cache, read, "{name}");
        assert_eq!(drive.write_cache, set, "{name}");
    }
}

#[test]
fn a_disk_whose_counters_are_switched_off_counts_flushes_alone() {
    let off = storage("counters-off", "ext4", 254, 1);
    assert_eq!((off.disks.len(), off.counts_flushes, off.counts_bytes), (1, true, false));
    let on = storage("sata-ssd-partition", "ext4", 8, 2);
    assert_eq!((on.disks.len(), on.counts_flushes, on.counts_bytes), (1, true, true));
}

#[test]
fn a_member_that_cannot_be_found_is_unknown_and_nothing_is_counted_on_the_others_alone() {
    let bcachefs = |source: &str| {
        let (_folder, tree) = lay_out("bcachefs-by-id");
        let mountinfo = tree.text("/proc/self/mountinfo").unwrap();
        let mut mount = mounts::parse(&mountinfo).remove(0);
        source.clone_into(&mut mount.source);
        let storage = storage::probe(&tree, &mount);
        assert!(!format!("{storage:?}").contains("SECRET"), "{storage:?}");
        (storage.layers.join(" "), storage.disks.len(), storage.counts_flushes, storage.counts_bytes)
    };
    let by_id = "/dev/disk/by-id/ata-SECRET";
    for (source, layers, disks, counted) in [
        ("/dev/sda:/dev/sdb".to_owned(), "bcachefs scsi", 2, true),
        (format!("/dev/sda:{by_id}"), "bcachefs scsi unknown", 1, false),
        (format!("{by_id}:/dev/sda"), "bcachefs unknown scsi", 1, false),
    ] {
        assert_eq!(bcachefs(&source), (layers.to_owned(), disks, counted, counted), "{source}");
    }
    assert_eq!(bcachefs(by_id).0, "bcachefs unknown");
}

#[test]
fn a_log_that_cannot_be_found_is_unknown_and_nothing_is_counted_without_it() {
    let (_folder, tree) = lay_out("vm-xfs-external-log");
    let mountinfo = tree.text("/proc/self/mountinfo").unwrap();
    let all = mounts::parse(&mountinfo);
    let mut mount = mounts::mount_of(&all, "/srv/xfslog".as_ref(), None).unwrap();
    let log = mount.options.iter_mut().find(|option| option.starts_with("logdev=")).unwrap();
    *log = "logdev=/dev/disk/by-id/SECRET".to_owned();
    let storage = storage::probe(&tree, &mount);
    assert_eq!(storage.layers.join(" "), "xfs scsi log-device unknown");
    assert!(!storage.counts_flushes && !storage.counts_bytes);
}

#[test]
fn the_intent_log_of_zfs_is_that_of_the_dataset_where_it_has_counts_of_its_own() {
    for (name, filesystem, device, source, commits) in [
        ("zfs", "zfs", (0, 30), "SECRETpool/db", Some(20)),
        ("zfs", "zfs", (0, 30), "SECRETpool/other", Some(6020)),
        ("zfs", "zfs", (0, 30), "../../../etc", Some(6020)),
        ("zfs", "ext4", (230, 0), "/dev/zd0", Some(6020)),
        ("zfs", "ext4", (259, 1), "/dev/nvme0n1p1", None),
        ("lxc-on-zfs", "zfs", (0, 70), "rpool/data/subvol", Some(41)),
        ("nfs", "zfs", (0, 52), "tank", None),
    ] {
        let (_folder, tree) = lay_out(name);
        let device = DeviceNumber { major: device.0, minor: device.1 };
        let mount = Mount {
            name: filesystem.to_owned(),
            options: Vec::new(),
            device: Some(device),
            root: "/".to_owned(),
            source: source.to_owned(),
            point: "/".into(),
        };
        let log = storage::probe(&tree, &mount).intent_log;
        assert_eq!(log.and_then(|log| log.commits(&tree)), commits, "{name} {source}");
    }
}
