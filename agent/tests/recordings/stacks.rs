//! The stack behind a path, on machines of every kind; `trees/README.md` explains the files.

use std::path::Path;

use crate::layout::lay_out;
use fsyncmark::probe::machine::container::Container;
use fsyncmark::probe::machine::{self, control_groups};
use fsyncmark::probe::storage::drive::Drive;
use fsyncmark::probe::storage::{self, Storage};
use fsyncmark::probe::storage::{filesystem, mounts};
use fsyncmark::wire::payload::Limits;

/// What the probes find behind a path of a machine.
struct Reading {
    storage: Storage,
    limits: Limits,
    machine: machine::Machine,
}

fn look(name: &str, path: &str) -> Reading {
    let (_folder, tree) = lay_out(name);
    let mounts = mounts::parse(&tree.text("/proc/self/mountinfo").unwrap());
    let mount = mounts::mount_of(&mounts, Path::new(path), None).unwrap();
    let storage = storage::probe(&tree, &mount);
    let limits = control_groups::probe(&tree, &storage.devices);
    let found = Reading { storage, limits, machine: machine::probe(&tree, None) };
    let all = format!("{:?} {:?} {:?}", found.storage, found.limits, found.machine);
    assert!(!all.contains("SECRET"), "{name}: {all}");
    found
}

fn drive(found: &Reading) -> &Drive {
    &found.storage.drives[0]
}

/// Machine, path, layers, then transport and name of each drive.
type Case = (&'static str, &'static str, &'static str, &'static [&'static str]);

#[track_caller]
fn assert_cases(cases: &[Case]) {
    for (name, path, layers, drives) in cases {
        let storage = look(name, path).storage;
        assert_eq!(storage.layers.join(" "), *layers, "{name} {path}");
        let found: Vec<String> = storage
            .drives
            .iter()
            .map(|drive| format!("{} {} {}", drive.transport, drive.vendor, drive.model))
            .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(found, *drives, "{name} {path}");
    }
}

#[test]
fn layers_of_recorded_machines_are_followed() {
    assert_cases(&[
        (
            "vm-bcache",
            "/srv/bcache",
            "ext4 bcache-writeback partition nvme scsi",
            &["pcie QEMU NVMe Ctrl", "sas SEAGATE XS1600LE70084"],
        ),
        ("vm-lvm-thin-usb", "/srv/thin", "ext4 lvm lvm-thin-pool lvm scsi", &["usb QEMU QEMU HARDDISK"]),
        ("vm-overlay", "/srv/ovl", "overlay ext4 partition nvme", &["pcie QEMU NVMe Ctrl"]),
        ("vm-bind-mount", "/srv/bind/x", "ext4 partition nvme", &["pcie QEMU NVMe Ctrl"]),
        ("vm-loop-on-tmpfs", "/srv/loopm", "ext4 loop-cached tmpfs", &["unknown"]),
        ("vm-dm-delay", "/srv/tdelay", "ext4 dm scsi", &["unknown Linux scsi_debug"]),
        ("vm-sas", "/srv/sas", "ext4 scsi", &["sas SEAGATE XS1600LE70084"]),
        ("vm-sd-card", "/srv/sd", "ext4 partition mmc", &["mmc QEMU!"]),
        ("vm-zram", "/srv/zram", "ext4 zram", &["unknown"]),
        (
            "vm-xfs-external-log",
            "/srv/xfslog",
            "xfs scsi log-device loop-cached ext4 partition nvme",
            &["usb QEMU QEMU HARDDISK", "pcie QEMU NVMe Ctrl"],
        ),
        ("host-loops", "/tmp/try/c", "ext4 loop-cached ext4 virtio-blk", &["virtio"]),
        ("host-loops", "/tmp/try/d/x", "xfs loop-direct ext4 virtio-blk", &["virtio"]),
        ("host-loops", "/tmp/try/b", "btrfs btrfs-raid1 loop-cached ext4 virtio-blk", &["virtio"]),
        ("vm-nvme-partition", "/srv/nvme", "ext4 partition nvme", &["pcie QEMU NVMe Ctrl"]),
        ("vm-md-raid1", "/srv/md", "ext4 md-raid1 partition nvme", &["pcie QEMU NVMe Ctrl"; 2]),
        ("vm-lvm-on-luks", "/srv/luks", "ext4 lvm luks partition scsi", &["sata ATA QEMU HARDDISK"]),
        (
            "vm-btrfs-raid1",
            "/srv/btrfs",
            "btrfs btrfs-raid1 scsi virtio-blk",
            &["virtio QEMU QEMU HARDDISK", "virtio"],
        ),
        ("vm-dm-multipath", "/srv/mpath", "ext4 multipath scsi", &["unknown Linux scsi_debug"; 2]),
        ("vm-nvme-multipath", "/srv/nvmemp", "xfs nvme-multipath nvme", &["pcie QEMU NVMe Ctrl"]),
        ("vm-loop", "/srv/loopc", "ext4 loop-cached ext4 partition nvme", &["pcie QEMU NVMe Ctrl"]),
        ("vm-loop", "/srv/loopd", "ext4 loop-direct ext4 partition nvme", &["pcie QEMU NVMe Ctrl"]),
        ("host-loops", "/tmp/try/o", "overlay ext4 loop-cached ext4 virtio-blk", &["virtio"]),
    ]);
}

#[test]
fn clouds_are_followed_to_the_disk_that_they_show() {
    assert_cases(&[
        ("aws-instance-store", "/data", "xfs md-raid0 nvme", &["pcie Amazon EC2 NVMe Instance Storage"; 2]),
        ("azure-nvme", "/var", "ext4 partition nvme", &["pcie MSFT NVMe Accelerator v1.0"]),
        ("digitalocean", "/", "ext4 partition virtio-blk", &["virtio"]),
        ("fly", "/", "ext4 virtio-blk", &["virtio"]),
        ("gcp-hyperdisk", "/", "ext4 partition nvme", &["pcie nvme_card-pd"]),
        ("linode", "/", "ext4 scsi", &["virtio QEMU QEMU HARDDISK"]),
        ("oracle-cloud", "/", "xfs partition scsi", &["virtio ORACLE BlockVolume"]),
        ("scaleway", "/", "ext4 partition scsi", &["virtio SCW b_ssd"]),
        ("upcloud", "/", "ext4 partition virtio-blk", &["virtio"]),
        ("vultr", "/", "ext4 partition virtio-blk", &["virtio"]),
    ]);
}

#[test]
fn machines_that_people_own_are_followed() {
    assert_cases(&[
        ("apple-silicon", "/home", "btrfs partition nvme", &["unknown APPLE SSD AP0512Z"]),
        ("emmc-board", "/", "f2fs partition mmc", &["mmc BJTD4R"]),
        ("hardware-raid", "/", "ext4 partition scsi", &["unknown DELL PERC H730 Mini"]),
        ("iscsi-multipath", "/srv/db", "xfs lvm partition multipath scsi", &["tcp PURE FlashArray"; 2]),
        ("nvme-fabrics", "/srv", "xfs nvme-multipath nvme", &["tcp Linux"]),
        ("vmware", "/", "ext4 lvm partition scsi", &["unknown VMware Virtual disk"]),
        ("wsl2", "/home", "ext4 scsi", &["unknown Msft Virtual Disk"]),
    ]);
}

#[test]
fn what_cannot_be_seen_is_unknown() {
    assert_cases(&[
        ("zfs", "/tank/db", "zfs unknown", &[]),
        ("zfs", "/zvol", "ext4 zvol", &["unknown"]),
        ("lxc-on-zfs", "/", "zfs unknown", &[]),
        ("bcachefs-by-id", "/srv/db", "bcachefs scsi unknown", &["sata ATA Samsung SSD 870"]),
        ("nfs", "/srv", "nfs4 unknown", &[]),
        ("wsl2", "/mnt/c/Users", "9p unknown", &[]),
        ("kubernetes-pod", "/", "overlay unknown", &[]),
        ("podman-rootless", "/", "fuse-fuse-overlayfs unknown", &[]),
        ("podman-rootless", "/work", "overlay unknown", &[]),
    ]);
}

#[test]
fn in_docker_the_overlay_is_followed_to_the_disk_of_the_data_root() {
    let samsung = &["pcie SAMSUNG MZVL2512HCJQ-00B00"];
    assert_cases(&[
        ("docker-overlay", "/tmp", "overlay ext4 partition nvme", samsung),
        ("docker-overlay", "/var/lib/postgresql/data/x", "ext4 partition nvme", samsung),
        ("kubernetes-pod", "/data", "ext4 nvme", &["pcie Amazon Elastic Block Store"]),
    ]);
}

#[test]
fn state_that_no_mount_option_says_is_found() {
    let state = |name: &str, path: &str| {
        let (_folder, tree) = lay_out(name);
        let mounts = mounts::parse(&tree.text("/proc/self/mountinfo").unwrap());
        let mount = mounts::mount_of(&mounts, Path::new(path), None).unwrap();
        filesystem::state_that_matters(&tree, &mount)
    };
    assert_eq!(state("zfs", "/tank/db").as_deref(), Some("zfs_nocacheflush=1"));
    assert_eq!(state("lxc-on-zfs", "/"), None);
    assert_eq!(state("host-cgroup-v1", "/var/tmp").as_deref(), Some("journal=none"));
    assert_eq!(state("vm-md-raid1", "/srv/md"), None, "not recorded there");
}

#[test]
fn containers_are_told_apart() {
    for (name, container) in [
        ("docker-overlay", Some(Container::Docker)),
        ("podman-rootless", Some(Container::Podman)),
        ("kubernetes-pod", Some(Container::Kubernetes)),
        ("lxc-on-zfs", Some(Container::Lxc)),
        ("wsl2", Some(Container::Wsl)),
        // Its disk was made from a container's image, marker file included; it is none.
        ("host-cgroup-v1", None),
        ("vmware", None),
    ] {
        assert_eq!(look(name, "/").machine.container, container, "{name}");
    }
}

#[test]
fn clouds_are_known_by_their_firmware() {
    for (name, provider, instance_type) in [
        ("aws-instance-store", Some("aws"), Some("i4i.2xlarge")),
        ("kubernetes-pod", Some("aws"), Some("m7a.large")),
        ("azure-nvme", Some("azure"), None),
        ("gcp-hyperdisk", Some("gcp"), None),
        ("oracle-cloud", Some("oracle"), None),
        ("digitalocean", Some("digitalocean"), None),
        ("linode", Some("linode"), None),
        ("vultr", Some("vultr"), None),
        ("upcloud", Some("upcloud"), None),
        ("scaleway", Some("scaleway"), Some("SCW-PLAY2-PICO")),
        ("fly", Some("fly"), None),
        ("hardware-raid", None, None),
        ("nfs", None, None),
    ] {
        let (_folder, tree) = lay_out(name);
        let found = machine::probe(&tree, None).provider;
        let found = found.as_ref().map(|found| (found.name, found.instance_type.as_deref()));
        assert_eq!(found, provider.map(|provider| (provider, instance_type)), "{name}");
    }
}

#[test]
fn the_tightest_limit_on_the_way_up_counts() {
    let docker = Limits {
        cpu_milli: Some(2500),
        memory_bytes: Some(2 << 30),
        io_weight: Some(100),
        write_bytes_per_s: Some(50 << 20),
        write_ops_per_s: Some(1000),
        ..Limits::default()
    };
    assert_eq!(look("docker-overlay", "/tmp").limits, docker);
    let pod = Limits { cpu_milli: Some(500), memory_bytes: Some(1 << 30), ..Limits::default() };
    assert_eq!(look("kubernetes-pod", "/data").limits, pod);
    let inner = look("vm-cgroup-v2", "/srv/nvme").limits;
    let both = Limits {
        cpu_milli: Some(1500),
        memory_bytes: Some(512 << 20),
        io_weight: inner.io_weight,
        write_bytes_per_s: Some(10 << 20),
        read_ops_per_s: Some(500),
        write_ops_per_s: Some(2000),
        ..Limits::default()
    };
    assert_eq!(inner, both, "the group above allows fewer writes, its member fewer reads");
    let throttled =
        Limits { write_bytes_per_s: Some(1 << 20), write_ops_per_s: Some(50), ..Limits::default() };
    let found = look("host-cgroup-v1", "/var/tmp").limits;
    assert_eq!(Limits { memory_bytes: None, ..found }, throttled);
}

#[test]
fn a_drive_tells_its_link_its_queue_and_its_wear() {
    let docker = look("docker-overlay", "/tmp");
    let link = drive(&docker).pcie.unwrap();
    assert_eq!((link.speed_mts, link.width, link.speed_max_mts, link.width_max), (16000, 4, 16000, 4));
    assert_eq!(
        (drive(&docker).queue_depth, drive(&docker).controller.as_deref()),
        (Some(1023), Some("nvme0"))
    );
    assert_eq!(drive(&look("azure-nvme", "/")).pcie, None, "a virtual link says Unknown");
    assert_eq!(drive(&look("emmc-board", "/")).wear_percent, Some(30));
    assert_eq!(look("zfs", "/tank/db").machine.governor, Some("powersave"));
}

#[test]
fn an_array_has_the_models_of_all_its_drives_and_the_size_of_the_smallest() {
    let mut storage = look("vm-md-raid1", "/srv/md").storage;
    assert_eq!(storage.drive_models(), ["QEMU NVMe Ctrl"]);
    storage.drives[1].model = "ANOTHER DRIVE".to_owned();
    storage.drives[1].size_bytes = 1 << 20;
    assert_eq!(storage.drive_models(), ["QEMU NVMe Ctrl", "ANOTHER DRIVE"]);
    assert_eq!(storage.smallest_drive_bytes(), Some(1 << 20));
    storage.drives[1].size_bytes = 0;
    assert_eq!(storage.smallest_drive_bytes(), None, "the size of one is not known");
}

#[test]
fn an_array_says_what_is_wrong_with_it() {
    let whole = look("vm-md-raid1", "/srv/md").storage.tree;
    assert_eq!(whole.below[0].note.as_deref(), Some("2 members, write-intent bitmap"));
    assert!(!whole.has_impaired());
    let degraded = look("vm-md-raid1-degraded", "/srv/md").storage.tree;
    assert_eq!(degraded.below[0].note.as_deref(), Some("2 members, 1 missing, write-intent bitmap"));
    assert!(degraded.has_impaired());
}
