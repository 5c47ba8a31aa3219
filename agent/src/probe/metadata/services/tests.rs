//! The services' documented answers, what is left out of them, and that the wire format takes the rest.

use super::*;
use crate::probe::tree::Tree;

fn answer(instance_type: Option<&str>, region: Option<&str>) -> Metadata {
    Metadata { instance_type: instance_type.map(str::to_owned), region: region.map(str::to_owned) }
}

/// What the last of a service's questions leave of these bodies, as they stand in the manuals.
fn metadata(provider: &str, bodies: &[&str]) -> Metadata {
    let service = Service::for_provider(Some(provider)).unwrap();
    assert_eq!(service.questions.len(), bodies.len(), "{provider}");
    let mut metadata = Metadata::default();
    for (question, body) in service.questions.iter().zip(bodies) {
        metadata.add((question.read)(body).unwrap_or_else(|| panic!("{provider}: {body}")));
    }
    metadata
}

/// As OpenStack's manual and cloud-init's tests have it.
const OPENSTACK_DOCUMENT: &str = r#"{
    "random_seed": "yu5ZnkqF2CqnDZVAfZgarGLoFubhcK5wHG4fcNfVZ5azRrTs",
    "uuid": "b0fa911b-69d4-4476-bbe2-1c92bff6535c", "availability_zone": "dc3-a-04",
    "hostname": "sm-foo-test.novalocal", "launch_index": 0, "meta": {"my-meta": "SECRET"},
    "public_keys": {"mykey": "ssh-rsa SECRET"}, "project_id": "39f9f5", "name": "sm-foo-test"}"#;

/// As Huawei's manual has it.
const HUAWEI_DOCUMENT: &str = r#"{"uuid": "ca9e8b7c-f2be-4b6d-a639-f10b4d994d04",
    "availability_zone": "eu-west-101a", "enterprise_project_id": "0", "hostname": "ecs-ddd4.novalocal",
    "instance_type": "s3.medium.2", "meta": {"vpc_id": "SECRET"}, "region_id": "eu-west-101", "name": "ecs-ddd4"}"#;

/// As cloud-init's tests have it, with the type that the provider's own library reads.
const SCALEWAY_DOCUMENT: &str = r#"{"id": "00000000-0000-0000-0000-000000000000", "hostname": "scaleway.host",
    "commercial_type": "PLAY2-PICO", "tags": ["AUTHORIZED_KEY=SECRET"],
    "ssh_public_keys": [{"key": "ssh-rsa SECRET"}], "location": {"zone_id": "par1"}, "zone": "fr-par-1"}"#;

#[test]
fn the_documented_answers_of_every_service_are_read() {
    for (provider, bodies, instance_type, region) in [
        ("alibaba", &["cn-hangzhou", "ecs.g8i.large"][..], Some("ecs.g8i.large"), "cn-hangzhou"),
        ("aws", &["eu-central-1", "m7g.medium"], Some("m7g.medium"), "eu-central-1"),
        ("azure", &["westeurope", "Standard_D2s_v3"], Some("Standard_D2s_v3"), "westeurope"),
        ("digitalocean", &["nyc3"], None, "nyc3"),
        ("exoscale", &["ch-gva-2\n", "Medium\n"], Some("Medium"), "ch-gva-2"),
        (
            "gcp",
            &[
                "projects/721624014713/zones/us-central1-a",
                "projects/721624014713/machineTypes/n2-standard-4",
            ],
            Some("n2-standard-4"),
            "us-central1",
        ),
        ("hetzner", &["hel1-dc2\n"], None, "hel1"),
        ("huawei", &[HUAWEI_DOCUMENT, "s3.medium.2"], Some("s3.medium.2"), "eu-west-101"),
        (
            "openstack",
            &[OPENSTACK_DOCUMENT, "a2-ram4-disk50-perf1"],
            Some("a2-ram4-disk50-perf1"),
            "dc3-a-04",
        ),
        ("oracle", &["us-phoenix-1", "\"VM.Standard2.1\""], Some("VM.Standard2.1"), "us-phoenix-1"),
        ("scaleway", &[SCALEWAY_DOCUMENT], Some("PLAY2-PICO"), "fr-par-1"),
        ("tencent", &["ap-guangzhou", "S5.MEDIUM4"], Some("S5.MEDIUM4"), "ap-guangzhou"),
        ("upcloud", &["fi-hel2"], None, "fi-hel2"),
        ("vultr", &["EWR"], None, "EWR"),
    ] {
        assert_eq!(metadata(provider, bodies), answer(instance_type, Some(region)), "{provider}");
    }
}

#[test]
fn a_zone_without_a_name_of_its_own_is_no_region() {
    let unnamed = OPENSTACK_DOCUMENT.replace("dc3-a-04", "nova");
    assert_eq!(openstack(&unnamed), Some(answer(None, None)));
    assert_eq!(openstack(&unnamed.replace("\"nova\"", "null")), Some(answer(None, None)));
}

#[test]
fn an_older_document_of_scaleway_has_its_zone_elsewhere() {
    let older = SCALEWAY_DOCUMENT.replace(r#""zone": "fr-par-1""#, r#""timezone": "UTC""#);
    assert_eq!(scaleway(&older), Some(answer(Some("PLAY2-PICO"), Some("par1"))));
}

#[test]
fn what_is_no_document_of_the_service_is_no_answer() {
    for text in
        ["", "null", "[]", "7", "\"uuid\"", "{}", r#"{"availability_zone":"x"}"#, "<html>", "{\"uuid\":"]
    {
        assert_eq!(openstack(text), None, "{text}");
        assert_eq!(scaleway(text), None, "{text}");
    }
    let deep = "[".repeat(50_000);
    assert_eq!(openstack(&deep), None);
    for text in ["n2-standard-4", "projects/7/machineTypes/", "projects/7/zones/n2", ""] {
        assert_eq!(google_type(text), None, "{text}");
    }
    for text in ["us-central1-a", "projects/7/zones/", "projects/7/zones/europe", "projects/7/zones/-a"] {
        assert_eq!(google_zone(text), None, "{text}");
    }
}

#[test]
fn a_name_is_short_and_plain_or_it_is_left_out() {
    for right in
        ["EWR", "Standard_HB120-16rs_v3", "VM.Standard.E4.Flex", "u-6tb1.56xlarge", "a+b", &"x".repeat(32)]
    {
        assert_eq!(name(right).as_deref(), Some(right));
    }
    assert_eq!(name(" nyc3\r\n").as_deref(), Some("nyc3"));
    for wrong in [
        "",
        "\"\"",
        "-rf",
        "../x",
        "two words",
        "<b>x</b>",
        "Zürich",
        "nyc3\u{202e}",
        "a\nb",
        "a\"b",
        "\"",
        "2001:db8::1",
        "a/b",
        &"x".repeat(33),
    ] {
        assert_eq!(name(wrong), None, "{wrong:?}");
    }
}

#[test]
fn what_a_service_says_fits_the_wire_format() {
    let schema: Value = serde_json::from_str(include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../apps/wire/run.v1.schema.json"
    )))
    .unwrap();
    // What `name` lets through, in the words of the schema.
    assert_eq!(schema["$defs"]["cloud_name"]["pattern"], "^[A-Za-z0-9][A-Za-z0-9._+-]{0,31}$");
    for right in ["A", "9", "a._+-", &"x".repeat(32)] {
        assert_eq!(name(right).as_deref(), Some(right));
    }
    for wrong in ["", "a b", "-a", "<b>", &"x".repeat(33)] {
        assert_eq!(name(wrong), None, "{wrong:?}");
    }
    assert_eq!(schema["$defs"]["slug"]["pattern"], "^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$");
    for service in SERVICES {
        let (provider, plain) = (service.provider, |byte: u8| byte.is_ascii_lowercase() || byte == b'-');
        assert!(provider.bytes().all(plain) && !provider.starts_with('-') && !provider.ends_with('-'));
    }
}

#[test]
fn every_request_is_one_of_the_documented_ones() {
    let mut providers: Vec<String> = Vec::new();
    for service in SERVICES {
        for question in service.questions {
            let request = service.request(question);
            assert!(
                request.ends_with("\r\nConnection: close\r\n\r\n")
                    && request.matches("\r\n\r\n").count() == 1
            );
            assert!(request.contains(&format!("\r\nHost: {}\r\n", service.address)), "{request}");
            let header = service.header.unwrap_or("none");
            let Service { provider, address, .. } = service;
            providers.push(format!("{provider} {address} {} {header}", question.path));
        }
    }
    for line in [
        "azure 169.254.169.254 /metadata/instance/compute/vmSize?api-version=2021-02-01&format=text Metadata: true",
        "gcp 169.254.169.254 /computeMetadata/v1/instance/zone Metadata-Flavor: Google",
        "oracle 169.254.169.254 /opc/v2/instance/shape Authorization: Bearer Oracle",
        "scaleway 169.254.42.42 /conf?format=json none",
        "alibaba 100.100.100.200 /latest/meta-data/region-id none",
        "aws 169.254.169.254 /latest/meta-data/instance-type none",
    ] {
        assert!(providers.iter().any(|one| one == line), "{line}\n{providers:#?}");
    }
    for identifying in ["instance-id", "hostname", "ipv4", "user", "token", "keys", "vmId", "/id"] {
        assert!(!providers.iter().any(|one| one.contains(identifying)), "{identifying}\n{providers:#?}");
    }
}

#[test]
fn only_the_service_of_the_firmwares_provider_is_asked() {
    assert_eq!(Service::for_provider(Some("hetzner")).unwrap().provider, "hetzner");
    assert_eq!(Service::for_provider(None).unwrap().provider, OPENSTACK);
    for without in ["linode", "netcup", "fly", "nobody"] {
        assert_eq!(
            Service::for_provider(Some(without)).unwrap_err(),
            MetadataError::NoService(without.to_owned())
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let firmware = folder.path().join("sys/class/dmi/id");
    std::fs::create_dir_all(&firmware).unwrap();
    std::fs::write(firmware.join("sys_vendor"), "Hetzner\n").unwrap();
    let provider = crate::probe::machine::provider::probe(&Tree::at(folder.path())).unwrap();
    assert_eq!(
        Service::for_provider(Some(provider.name)).unwrap().provider,
        "hetzner",
        "the tables have the same names"
    );
}

#[test]
fn the_manual_names_every_service_and_its_address() {
    let manual = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/commands.md"));
    let (_, table) = manual.split_once("| The firmware names |").unwrap();
    let rows: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    let row_of = |provider: &str| {
        let name = if provider == OPENSTACK { "| nobody (".to_owned() } else { format!("`{provider}`") };
        let mut rows = rows
            .iter()
            .filter(|row| row[1..].split('|').next().is_some_and(|cell| format!("|{cell}").contains(&name)));
        (rows.next().copied().unwrap_or_else(|| panic!("{provider} has no row")), rows.count())
    };
    for service in SERVICES {
        let (row, more) = row_of(service.provider);
        assert_eq!(more, 0, "{} has several rows", service.provider);
        let address = service.address.to_string();
        assert_eq!(row.contains(&address), service.address != LINK_LOCAL, "{row}");
        let paths = row.split('`').filter(|text| text.starts_with(['/', '…']));
        for path in paths {
            let end = path.trim_start_matches('…');
            assert!(service.questions.iter().any(|question| question.path.contains(end)), "{row}: {path}");
        }
    }
    let names: usize =
        rows.iter().map(|row| row[1..].split('|').next().unwrap().matches('`').count() / 2).sum();
    assert_eq!(names + 1, SERVICES.len(), "a row of a service that is not asked");
}
