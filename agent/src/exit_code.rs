//! The exit codes of the program: which class of error each stands for, and what help and manual say of them.

use crate::enumeration::enumeration;

/// What help and manual say of the exit codes.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
    0  done, all that was asked
    1  slower than compare --fail-if-slower allows
    2  the command line is wrong
   65  a file is not what it should be, or its signature does not fit
   66  what was named does not exist: a file, a folder, a name to explain; or
       there is no key to send with
   69  this folder cannot be measured; nothing was written
   70  a mistake in fsyncmark itself
   73  the key, the spool or the test file cannot be created
   74  the device or filesystem failed while it was measured
   75  measured, but not delivered yet: kept for fsyncmark upload, or printed
   76  the server refused for good
   77  no permission
  130  stopped by Ctrl-C or a signal; what was measured is kept";

/// What the help of `compare` says of its own.
pub(crate) const COMPARE_EXIT_CODES: &str = "\
Exit codes:
    0  compared, whatever came out of it: --json says it to programs. Also where
       --fail-if-slower could not judge, which is said
    1  slower than --fail-if-slower allows, and by more than either varies
    2  the command line is wrong
   65  a file is not a result, its signature does not fit, its figures do not
       add up, or the two have no workload in common
   66  a file or an earlier run does not exist, or the server has no such plan
   73  the comparison cannot be written
   75  the server does not answer
   76  the server refuses to answer
   77  no permission to read a file";

/// What the help of `login` says of its own.
pub(crate) const LOGIN_EXIT_CODES: &str = "\
Exit codes:
    0  linked
    2  the command line is wrong, or no server is named
   73  the key cannot be created
   75  nobody typed the code within ten minutes, or the server does not answer
   76  somebody said no on the page, or the server refuses this key
   77  no permission to read the key
  130  stopped by Ctrl-C or a signal";

/// What the help of `withdraw` says of its own.
pub(crate) const WITHDRAW_EXIT_CODES: &str = "\
Exit codes:
    0  withdrawn, or taken back
    2  the command line is wrong, or no server is named
   66  there is no key here
   75  the server does not answer
   76  the server refuses: the run is not there, or another key sent it
   77  no permission to read the key";

enumeration! {
    /// Classes of error; each has one exit code (`sysexits.h` where one fits).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ErrorKind {
        /// A comparison found one side slower than it may be.
        Slower = 1,
        /// The command line combines things that do not go together.
        Usage = 2,
        /// A file is not what it should be, or its signature does not fit.
        Data = 65,
        /// What was named does not exist: a file, a folder, a name to explain, a plan. Or there is no key
        /// to send with.
        NoInput = 66,
        /// This folder cannot be measured: nothing was written.
        Refused = 69,
        /// A bug in fsyncmark.
        Internal = 70,
        /// The key, the spool or the test file cannot be created.
        CannotCreate = 73,
        /// The device or filesystem failed while it was measured.
        Io = 74,
        /// Measured, but not delivered yet: the result waits in the spool, or is on stdout where the spool
        /// cannot take it.
        NotDelivered = 75,
        /// The server refused the result for good.
        RejectedByServer = 76,
        /// The system denies permission.
        NoPermission = 77,
        /// Ctrl-C or a termination signal.
        Interrupted = 130,
    }
}

impl ErrorKind {
    /// The exit code of the program, as `--help` lists it.
    pub const fn exit_code(self) -> u8 {
        self as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed_in(help: &str) -> Vec<u8> {
        help.lines().filter_map(|line| line.get(..5)?.trim().parse().ok()).collect()
    }

    #[test]
    fn the_help_has_each_exit_code_once_and_no_other() {
        let all = ErrorKind::ALL.map(ErrorKind::exit_code);
        assert_eq!(listed_in(EXIT_CODES), [&[0][..], &all].concat());
        for help in [COMPARE_EXIT_CODES, LOGIN_EXIT_CODES, WITHDRAW_EXIT_CODES] {
            let of_verb = listed_in(help);
            assert!(of_verb[1..].iter().all(|code| all.contains(code)), "{of_verb:?}");
        }
    }
}
