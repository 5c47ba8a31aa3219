//! The terms that a person agrees to when a result is sent.

use crate::delivery::server::Server;

/// What a person agrees to by a yes, in words. The answer of a cloud is mentioned only where a result holds
/// one.
pub fn terms(server: &Server, with_cloud: bool) -> String {
    format!(
        "  What is sent to {} is published there under CC0: rates and latency histograms; kernel, CPU, memory, \
         virtualisation; filesystem and mount options; drive model and firmware; a pseudonym of this machine; \
         {}. Never host or user names, addresses, serial numbers or paths. \
         Every byte of it: fsyncmark info",
        server.address(),
        if with_cloud {
            "what you say it is; and the instance type and region that its cloud names"
        } else {
            "and what you say it is"
        }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terms_name_what_the_cloud_said_only_where_it_was_asked() {
        let server = Server::at("https://bench.example.org").unwrap();
        assert!(
            terms(&server, true)
                .contains("what you say it is; and the instance type and region that its cloud names. Never")
        );
        assert!(terms(&server, false).contains("; and what you say it is. Never"));
    }
}
