//! Pages of results, hostile ones too.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::SigningKey;
use sha2::{Digest as _, Sha256};

use super::page;
use crate::analysis::figures::examples;
use crate::analysis::figures::examples::example;
use crate::delivery;
use crate::report::hostile_texts;
use crate::report::shown_run::ShownRun;
use crate::wire::payload::CloudMetadata;

#[test]
fn a_page_has_its_parts_and_needs_nothing_else() {
    let run = example();
    let envelope = delivery::seal(&run, &SigningKey::from_bytes(&[1; 32]));
    let page = page(ShownRun { run: &run, envelope: Some(&envelope) });
    for part in [
        "durable commits",
        "you are here",
        "Rate over time",
        "Where it was measured",
        "fsyncmark verify",
        "p99.9",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for forbidden in ["http://", "https://", "<script", "<link", "<img", "url(", "@import", " style=", " on"]
    {
        let found = page.match_indices(forbidden).find(|(at, _)| {
            // " on" is a word; as an attribute it is followed by a name and an equals sign.
            forbidden != " on"
                || page[at + 3..]
                    .split(|c: char| !c.is_ascii_lowercase())
                    .next()
                    .is_some_and(|name| !name.is_empty() && page[at + 3 + name.len()..].starts_with('='))
        });
        assert!(found.is_none(), "{forbidden}");
    }
    for workload in &run.workloads {
        assert!(page.contains(&workload.id));
    }
}

#[test]
fn a_search_is_shown_with_the_rate_that_it_found() {
    let search = || examples::search("slo-randread-4k-1ms", [40_000, 50_000, 60_000]);
    let run = examples::run(vec![examples::commits("commit-8k", 100_000), search()]);
    let page = page(ShownRun::unsigned(&run));
    let row = page.split_once("<td>slo-randread-4k-1ms").unwrap().1.split_once("</tr>").unwrap().0;
    assert!(row.contains(&crate::analysis::figures::rate_text(&search())), "{row}");
    assert!(!row.contains(" µs") && !row.contains("<svg"), "neither percentiles nor a curve: {row}");
    let rates = page.split_once("Rate over time").map_or("", |(_, rest)| rest);
    assert!(!rates.contains("<b>slo-"), "{rates}");
    assert!(super::page(ShownRun::unsigned(&examples::run(vec![search()]))).contains("answered in time"));
}

#[test]
fn few_operations_have_no_p99() {
    let mut few = examples::commits("commit-8k", 100_000);
    few.histograms.commit = examples::latencies(99, 100_000);
    let page = page(ShownRun::unsigned(&examples::run(vec![few])));
    assert!(page.contains("p99 –\"") && page.contains("<small>p99.9 –</small>"), "{page}");
    assert!(!page.contains("99 of 100"));
}

#[test]
fn the_policy_allows_exactly_this_style() {
    let page = page(ShownRun::unsigned(&example()));
    let style = page.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
    assert!(page.contains(&format!("style-src 'sha256-{}'", STANDARD.encode(Sha256::digest(style)))));
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn the_signed_result_in_the_page_is_the_one_that_was_given() {
    let envelope = delivery::seal(&example(), &SigningKey::from_bytes(&[1; 32]));
    let page = page(ShownRun { run: &example(), envelope: Some(&envelope) });
    let data = page.split_once("base64,").unwrap().1.split_once('"').unwrap().0;
    assert_eq!(STANDARD.decode(data).unwrap(), envelope.to_bytes());
}

#[test]
fn no_text_of_a_result_becomes_markup() {
    for text in hostile_texts::TEXTS {
        let run = hostile_texts::poisoned(&example(), text, &[]);
        let (page, clean) = (page(ShownRun::unsigned(&run)), page(ShownRun::unsigned(&example())));
        // The example's first workload is the headline; here none is, so some parts are missing, but no
        // tag may be there that the page does not have by itself.
        let tags = |page: &str| -> std::collections::BTreeSet<String> {
            page.split('<')
                .skip(1)
                .map(|tag| tag.split([' ', '>', '\n']).next().unwrap().to_owned())
                .collect()
        };
        assert!(tags(&page).is_subset(&tags(&clean)), "{text}: {:?}", tags(&page));
        let body = page.split_once("</style>").unwrap().1;
        assert_eq!(body.matches('<').count(), body.matches('>').count(), "{text}");
        assert!(!page.contains(hostile_texts::commands), "{text}");
    }
}

#[test]
fn what_the_cloud_says_is_shown_where_it_was_asked_and_is_no_markup() {
    let mut run = example();
    assert!(!page(ShownRun::unsigned(&run)).contains("<dt>Cloud</dt>"));
    let (instance_type, region) = (Some("m7g.medium".to_owned()), Some("<b>eu</b>".to_owned()));
    run.env.cloud_metadata = Some(CloudMetadata { provider: "aws".to_owned(), instance_type, region });
    assert!(
        page(ShownRun::unsigned(&run))
            .contains("<dt>Cloud</dt><dd>aws / m7g.medium / &lt;b&gt;eu&lt;/b&gt;<small>")
    );
}

#[test]
fn texts_of_a_result_are_cut_and_our_own_are_not() {
    let sentence = "word ".repeat(100);
    assert_eq!(super::text::escape(&sentence), sentence);
    assert_eq!(super::text::read_and_escape(&"<".repeat(999)), "&lt;".repeat(200));
}

#[test]
fn of_several_drives_each_different_word_is_shown_once() {
    let mut run = example();
    run.devices.push(run.devices[0].clone());
    let one = run.devices[0].write_cache.clone();
    assert!(page(ShownRun::unsigned(&run)).contains(&format!("<dt>Write cache</dt><dd>{one}<")));
    run.devices[0].fua = Some(true);
    run.devices[1].fua = Some(false);
    run.devices[1].write_cache = "write through".to_owned();
    run.devices[1].size_bytes *= 2;
    let page = page(ShownRun::unsigned(&run));
    assert!(
        page.contains(&format!("<dd>{one}; write through<small>with FUA; without FUA</small>")),
        "{page}"
    );
    let kinds = page.split_once("<dt>Drive</dt>").unwrap().1.split_once("</small>").unwrap().0;
    assert_eq!(kinds.matches(" over ").count(), 2, "{kinds}");
}

#[test]
fn a_result_with_little_in_it_has_a_page_too() {
    let mut run = example();
    run.workloads.truncate(1);
    run.workloads[0].passes[0].rate_samples.clear();
    run.workloads[0].passes.truncate(1);
    run.devices.clear();
    assert!(page(ShownRun::unsigned(&run)).contains("not stated"));
    run.workloads.clear();
    assert!(page(ShownRun::unsigned(&run)).contains("Nothing was measured"));
}
