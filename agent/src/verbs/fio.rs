//! The verb `fio`: which workload comes nearest to a job of fio, what differs, and how to run it.

use std::path::Path;

use crate::cli::FioArgs;
use crate::error::{Error, ErrorKind, Result};
use crate::plan::fio::job::{self, JOB_FILE_BYTES_MAX, Job};
use crate::plan::fio::nearest;
use crate::plan::fio::shape::Shape;
use crate::plan::workload::SUITES;
use crate::report::terminal::{Terminal, wrap};
use crate::text::printable;

/// Columns of the words before a line.
const LABEL_COLUMNS: usize = 12;

/// Reads a job file, or fio's arguments, and says what is nearest to each job.
pub fn fio(args: &FioArgs) -> Result<()> {
    let terminal = Terminal::detect();
    let texts: Vec<String> = jobs(&args.words)?.iter().map(|job| describe(job, terminal.width)).collect();
    terminal.print(&texts.join("\n\n"))
}

/// The jobs of the arguments; those of job files come first, as in fio.
fn jobs(words: &[String]) -> Result<Vec<Job>> {
    let command = job::from_arguments(words).map_err(|what| Error::new(ErrorKind::Data, what))?;
    let mut jobs = Vec::new();
    for file in &command.files {
        let text = read(Path::new(file))?;
        let in_file = job::from_file(&text).map_err(|what| {
            Error::new(ErrorKind::Data, format!("{file} is not a job file of fio: {what}"))
        })?;
        jobs.extend(in_file);
    }
    jobs.extend(command.jobs);
    if jobs.is_empty() {
        return Err(Error::new(ErrorKind::Data, "there is no job in these arguments")
            .advise("For example: fsyncmark fio --rw=randwrite --bs=8k --direct=1 --fsync=1"));
    }
    Ok(jobs)
}

fn read(path: &Path) -> Result<String> {
    use std::io::Read;
    let failed = |error: std::io::Error| {
        Error::from_io(ErrorKind::NoInput, &format!("read {}", path.display()), &error)
    };
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    file.take(JOB_FILE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn describe(job: &Job, width: usize) -> String {
    let (shape, remarks) = Shape::of_job(job);
    let nearest_workload = nearest::find(&shape);
    let workload = nearest_workload.workload;
    let suite = SUITES.iter().find(|suite| suite.workload_ids.contains(&workload.id));
    let suite = suite.map_or("deep", |suite| suite.id);
    let mut lines = Vec::new();
    if !job.name.is_empty() {
        lines.push(format!("{:<LABEL_COLUMNS$}{}", "job", printable(&job.name, 60)));
    }
    let mut say = |label: &str, texts: &[String]| {
        for (index, text) in texts.iter().enumerate() {
            let label = if index == 0 { label } else { "" };
            let mut parts = wrap(text, width.saturating_sub(LABEL_COLUMNS)).into_iter();
            lines.push(format!("{label:<LABEL_COLUMNS$}{}", parts.next().unwrap_or_default()));
            lines.extend(parts.map(|part| format!("{:LABEL_COLUMNS$}  {part}", "")));
        }
    };
    say("nearest", &[format!("{}, version {}", workload.id, workload.version), workload.title.to_owned()]);
    let same = ["nothing that decides what is measured".to_owned()];
    say(
        "differs in",
        if nearest_workload.differences.is_empty() { &same } else { &nearest_workload.differences },
    );
    say("but", &remarks);
    say("to run it", &[format!("fsyncmark run DIR --suite {suite} --only {}", workload.id)]);
    say("compare to", &[workload.comparable_with.to_owned()]);
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(line: &str) -> Job {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        jobs(&words).unwrap().remove(0)
    }

    #[test]
    fn a_job_is_answered_with_a_workload_and_how_to_run_it() {
        let text = describe(&job("--name=wal --rw=write --bs=8k --size=5g --fsync=1 --bogus=1"), 80);
        for part in [
            "job         wal",
            "nearest     fallocated-8k-fsync",
            "size: 5g, the workload 512m",
            "not looked at: bogus",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(text.contains("fsyncmark run DIR --suite standard --only fallocated-8k-fsync"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }

    #[test]
    fn nothing_and_no_job_file_are_refused() {
        assert_eq!(jobs(&["fio".to_owned()]).unwrap_err().kind, ErrorKind::Data);
        assert_eq!(jobs(&["/no/such.fio".to_owned()]).unwrap_err().kind, ErrorKind::NoInput);
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.fio");
        std::fs::write(&file, b"\xff\xfe no job").unwrap();
        let error = jobs(&[file.to_str().unwrap().to_owned()]).unwrap_err();
        assert!(error.what.contains("x.fio is not a job file of fio: line 1"), "{error}");
        std::fs::write(&file, "[a]\nrw=randread\n[b]\nrw=write\n").unwrap();
        assert_eq!(jobs(&[file.to_str().unwrap().to_owned(), "--rw=read".to_owned()]).unwrap().len(), 3);
    }
}
