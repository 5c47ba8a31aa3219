//! Reads fio's jobs, from its arguments or from a job file, as its manual describes both. Values of
//! options stay texts here; `shape` reads what they mean.

/// Longer job files are not read: fio's own examples have less than 4 KiB.
pub const JOB_FILE_BYTES_MAX: usize = 1 << 20;
/// More jobs than this are ignored.
const JOBS_MAX: usize = 256;
/// The name of a section whose options hold for all later ones.
const GLOBAL: &str = "global";

/// Options that take no value and may be followed by something that is not theirs.
const FLAGS: &[&str] = &[
    "group_reporting",
    "new_group",
    "stonewall",
    "wait_for_previous",
    "thread",
    "time_based",
    "norandommap",
    "minimal",
    "append-terse",
    "parse-only",
    "readonly",
    "eta-newline",
    "exitall",
    "exitall_on_error",
    "create_on_open",
    "unlink",
    "fixedbufs",
    "registerfiles",
];

/// One job of fio.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Job {
    /// Its name.
    pub name: String,
    /// Its options and those of the global sections before it, in order: the last one of a name counts.
    pub options: Vec<(String, String)>,
}

impl Job {
    /// The value of an option; empty for one without.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.options.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// The jobs that a command line of fio describes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommandLine {
    /// The jobs.
    pub jobs: Vec<Job>,
    /// Job files that the arguments name.
    pub files: Vec<String>,
}

/// Reads what follows `fio` on a command line: each `--name` begins a job. The word `fio` itself may
/// be there.
///
/// # Errors
/// A sentence on what is not an argument of fio.
pub fn from_arguments(arguments: &[String]) -> Result<CommandLine, String> {
    let mut command = CommandLine::default();
    let mut reader = Reader::default();
    let mut words = arguments.iter().skip_while(|word| *word == "fio").peekable();
    while let Some(word) = words.next() {
        let Some(option) = word.strip_prefix("--").or_else(|| word.strip_prefix('-')) else {
            command.files.push(word.clone());
            continue;
        };
        if option.is_empty() {
            return Err("a dash stands alone: fio's options begin with two and a name".to_owned());
        }
        let (key, value) = match option.split_once('=') {
            Some((key, value)) => (key, value.to_owned()),
            None if FLAGS.contains(&option) => (option, String::new()),
            None => {
                let next = words.next_if(|next| !next.starts_with('-'));
                (option, next.cloned().unwrap_or_default())
            }
        };
        if key == "name" { reader.begin(&value)? } else { reader.option(key, &value) }
    }
    command.jobs = reader.end();
    Ok(command)
}

/// Reads a job file: sections in brackets, `;` and `#` begin comments.
///
/// # Errors
/// A sentence that names the line that is not of a job file.
pub fn from_file(text: &str) -> Result<Vec<Job>, String> {
    if text.len() > JOB_FILE_BYTES_MAX {
        return Err(format!("it is longer than {JOB_FILE_BYTES_MAX} bytes"));
    }
    let mut reader = Reader::default();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let at = |what: &str| format!("line {}: {what}", number + 1);
        if line.is_empty() || line.starts_with([';', '#']) {
            continue;
        }
        if line.contains(|c: char| c.is_control() && c != '\t') {
            return Err(at("there are bytes that are not text"));
        }
        if let Some(rest) = line.strip_prefix('[') {
            let name = rest.split_once(']').map(|(name, _)| name.trim()).filter(|name| !name.is_empty());
            reader
                .begin(name.ok_or_else(|| at("a section needs a name in brackets"))?)
                .map_err(|what| at(&what))?;
        } else if !reader.has_begun {
            return Err(at("an option stands before the first [section]"));
        } else {
            // A comment may follow a value, behind a blank.
            let line = line.split(" ;").next().unwrap_or(line).split(" #").next().unwrap_or(line);
            let (key, value) = line.split_once('=').unwrap_or((line, ""));
            reader.option(key.trim(), value.trim());
        }
    }
    let jobs = reader.end();
    if jobs.is_empty() {
        return Err("there is no job in it: a job is a [section] that is not [global]".to_owned());
    }
    Ok(jobs)
}

/// Adds options to the job whose section they stand in, or to all later jobs where that section is the global
/// one.
#[derive(Default)]
struct Reader {
    global: Vec<(String, String)>,
    jobs: Vec<Job>,
    in_global: bool,
    has_begun: bool,
}

impl Reader {
    fn begin(&mut self, name: &str) -> Result<(), String> {
        if self.jobs.len() >= JOBS_MAX {
            return Err(format!("there are more than {JOBS_MAX} jobs"));
        }
        self.has_begun = true;
        self.in_global = name.eq_ignore_ascii_case(GLOBAL);
        if !self.in_global {
            self.jobs.push(Job { name: name.to_owned(), options: self.global.clone() });
        }
        Ok(())
    }

    fn option(&mut self, key: &str, value: &str) {
        let option = (key.to_ascii_lowercase(), value.to_owned());
        if self.in_global {
            self.global.push(option);
            return;
        }
        // On a command line, options before any name are of a job without one.
        if self.jobs.is_empty() {
            self.jobs.push(Job::default());
            self.has_begun = true;
        }
        if let Some(job) = self.jobs.last_mut() {
            job.options.push(option);
        }
    }

    fn end(self) -> Vec<Job> {
        self.jobs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_job_file_has_sections_global_ones_and_comments() {
        let jobs = from_file(
            "; the usual\n[global]\nioengine=libaio\ndirect=1\nbs=4k # small\n\n[read]\nrw=randread\niodepth = 32\n\
             [global]\nbs=8k\n[write]\nrw=randwrite\ngroup_reporting\n",
        )
        .unwrap();
        assert_eq!(jobs.iter().map(|job| job.name.as_str()).collect::<Vec<_>>(), ["read", "write"]);
        assert_eq!(
            [jobs[0].get("bs"), jobs[0].get("iodepth"), jobs[0].get("direct")],
            [Some("4k"), Some("32"), Some("1")]
        );
        assert_eq!(
            [jobs[1].get("bs"), jobs[1].get("group_reporting"), jobs[1].get("iodepth")],
            [Some("8k"), Some(""), None]
        );
    }

    #[test]
    fn arguments_may_have_their_values_behind_them_and_several_jobs() {
        let command =
            from_arguments(&words("fio --name=a --rw write --bs=8k --thread --fsync 1 --name b --rw=read"))
                .unwrap();
        assert_eq!(command.jobs.len(), 2);
        assert_eq!(
            [command.jobs[0].get("rw"), command.jobs[0].get("fsync"), command.jobs[0].get("thread")],
            [Some("write"), Some("1"), Some("")]
        );
        assert_eq!((command.jobs[1].name.as_str(), command.jobs[1].get("bs")), ("b", None));
        let command = from_arguments(&words("--name=global --bs=2m --name=x --rw=read")).unwrap();
        assert_eq!((command.jobs.len(), command.jobs[0].get("bs")), (1, Some("2m")));
        assert_eq!(from_arguments(&words("--thread a.fio")).unwrap().files, ["a.fio"]);
        assert_eq!(from_arguments(&words("--rw=read")).unwrap().jobs[0].name, "");
    }

    #[test]
    fn what_is_no_job_is_refused_with_its_line() {
        for (text, said) in [
            ("", "no job"),
            ("[global]\nbs=4k\n", "no job"),
            ("bs=4k\n[x]\n", "line 1: an option stands before"),
            ("[x]\n[\n", "line 2: a section needs a name"),
            ("[]\n", "line 1: a section needs a name"),
            ("[x]\nbs=\u{0}4k\n", "line 2: there are bytes"),
        ] {
            let fault = from_file(text).unwrap_err();
            assert!(fault.contains(said), "{text:?}: {fault}");
        }
        assert!(from_file(&"[a]\n".repeat(JOBS_MAX + 1)).unwrap_err().contains("more than 256 jobs"));
        assert!(from_file(&"x".repeat(JOB_FILE_BYTES_MAX + 1)).unwrap_err().contains("longer than"));
        assert!(from_arguments(&words("--name=x --")).unwrap_err().contains("stands alone"));
    }

    /// Cuts and changes of a real file: whatever comes out, nothing panics.
    #[test]
    fn no_damage_to_a_job_file_is_fatal() {
        let whole = "[global]\nioengine=libaio\nbs=4k,16k\n[j\u{e4}b]\nrw=randrw:8\nsize=10%\nfsync=\n=3\n";
        let mut random = crate::engine::offsets::SplitMix::new(7);
        for _ in 0..5_000 {
            let mut bytes = whole.as_bytes().to_vec();
            for _ in 0..random.below(4) {
                let at = usize::try_from(random.below(bytes.len() as u64)).unwrap();
                bytes[at] = u8::try_from(random.below(256)).unwrap();
            }
            bytes.truncate(usize::try_from(random.below(bytes.len() as u64 + 1)).unwrap());
            let text = String::from_utf8_lossy(&bytes);
            if let Ok(jobs) = from_file(&text) {
                for job in jobs {
                    let (shape, _) = crate::plan::fio::shape::Shape::of_job(&job);
                    let _ = crate::plan::fio::nearest::find(&shape);
                }
            }
            let words: Vec<String> = text.split(['\n', ' ']).map(|word| format!("--{word}")).collect();
            let _ = from_arguments(&words);
        }
    }
}
