//! What the CPUs have done since boot: for this process, for the kernel's own threads, for other programs,
//! and what the hypervisor gave to other guests.

use super::super::tree::Tree;

/// Ticks a second in which the kernel states CPU time (`USER_HZ`): 100 on x86-64 and arm64.
const TICKS_PER_S: u64 = 100;

/// The parent of all kernel threads.
const KTHREADD: &str = "/proc/2";

/// Totals since boot over all CPUs, in the kernel's ticks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CpuTime {
    /// Programs in user space, guests of this system among them.
    pub user: u64,
    /// The kernel, interrupts left out: on behalf of programs, and its own threads.
    pub system: u64,
    /// Ticks in which this system was ready to run and the hypervisor ran other guests.
    pub stolen: u64,
    /// All ticks, idle ones included.
    pub total: u64,
}

impl CpuTime {
    /// Thousandths of the CPUs' time that were stolen since an earlier reading; `None` when no tick passed.
    pub fn stolen_permille_since(&self, earlier: &Self) -> Option<u32> {
        let total = self.total.saturating_sub(earlier.total);
        let stolen = self.stolen.saturating_sub(earlier.stolen).min(total);
        u32::try_from(stolen.checked_mul(1000)?.checked_div(total)?).ok()
    }
}

/// Who had the CPUs since boot, in the kernel's ticks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CpuUse {
    /// All.
    pub all: CpuTime,
    /// This process, with its threads that ended.
    own: TaskTicks,
    /// The kernel's threads; `None` where they cannot be seen, as in a container.
    kernel_threads: Option<u64>,
}

/// CPU time of one task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct TaskTicks {
    user: u64,
    system: u64,
}

impl CpuUse {
    /// CPU time of other programs since an earlier reading, in nanoseconds. Where the kernel's threads cannot
    /// be told apart, only what programs did in user space. `None` where the counters stand still, as in
    /// sandboxes that show none of the host's.
    pub fn others_ns_since(&self, earlier: &Self) -> Option<u64> {
        if self.all.total <= earlier.all.total {
            return None;
        }
        let user = self.all.user.saturating_sub(earlier.all.user);
        let own_user = self.own.user.saturating_sub(earlier.own.user);
        let in_user_space = user.saturating_sub(own_user);
        let in_kernel = self.kernel_threads.zip(earlier.kernel_threads).map_or(0, |(now, then)| {
            let system = self.all.system.saturating_sub(earlier.all.system);
            let own = self.own.system.saturating_sub(earlier.own.system);
            system.saturating_sub(own).saturating_sub(now.saturating_sub(then))
        });
        Some(nanoseconds(in_user_space.saturating_add(in_kernel)))
    }

    /// CPU time that the hypervisor gave to other guests since an earlier reading, in nanoseconds.
    pub fn stolen_ns_since(&self, earlier: &Self) -> u64 {
        nanoseconds(self.all.stolen.saturating_sub(earlier.all.stolen))
    }
}

const fn nanoseconds(ticks: u64) -> u64 {
    ticks.saturating_mul(1_000_000_000 / TICKS_PER_S)
}

/// Reads the first line of `/proc/stat`.
pub fn read(tree: &Tree) -> Option<CpuTime> {
    parse(tree.text("/proc/stat")?.lines().next()?)
}

/// Reads who had the CPUs.
pub fn read_use(tree: &Tree) -> Option<CpuUse> {
    let all = read(tree)?;
    let own = task_ticks(&tree.text("/proc/self/stat")?)?;
    Some(CpuUse { all, own, kernel_threads: kernel_thread_ticks(tree) })
}

/// `cpu user nice system idle iowait irq softirq steal guest guest_nice`; the guests' time is part of the
/// first two.
fn parse(line: &str) -> Option<CpuTime> {
    const STEAL: usize = 7;
    let ticks: Vec<u64> =
        line.strip_prefix("cpu ")?.split_ascii_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    let total = ticks.iter().take(STEAL + 1).fold(0, |sum: u64, ticks| sum.saturating_add(*ticks));
    let stolen = *ticks.get(STEAL)?;
    Some(CpuTime { user: ticks[0].saturating_add(ticks[1]), system: ticks[2], stolen, total })
}

/// `pid (name) state …`, in which the name may hold any characters: user and system time are the 12th and
/// 13th field behind it.
fn task_ticks(stat: &str) -> Option<TaskTicks> {
    let (_, behind_name) = stat.rsplit_once(')')?;
    let mut fields = behind_name.split_ascii_whitespace().skip(11).map(str::parse);
    Some(TaskTicks { user: fields.next()?.ok()?, system: fields.next()?.ok()? })
}

fn kernel_thread_ticks(tree: &Tree) -> Option<u64> {
    let is_kthreadd = tree.text(&format!("{KTHREADD}/comm"))?.trim() == "kthreadd";
    let children = tree.text(&format!("{KTHREADD}/task/2/children")).filter(|_| is_kthreadd)?;
    let threads = children.split_ascii_whitespace().filter(|id| id.bytes().all(|byte| byte.is_ascii_digit()));
    let ticks = threads.filter_map(|id| task_ticks(&tree.text(&format!("/proc/{id}/stat"))?));
    Some(ticks.fold(0, |sum: u64, one| sum.saturating_add(one.user).saturating_add(one.system)))
}

/// How long the calling thread waited for a CPU, and how quick its CPU is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ThreadTime {
    /// Nanoseconds for which it was ready to run and waited for a CPU.
    pub run_queue_ns: Option<u64>,
    /// Frequency of the CPU on which it runs now, in MHz.
    pub cpu_mhz: Option<u32>,
}

impl ThreadTime {
    /// Of two threads together: the sum of their waiting, the slower of their CPUs.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            run_queue_ns: self
                .run_queue_ns
                .zip(other.run_queue_ns)
                .map(|(one, other)| one.saturating_add(other)),
            cpu_mhz: self.cpu_mhz.zip(other.cpu_mhz).map(|(one, other)| one.min(other)),
        }
    }
}

/// Reads the calling thread's time.
pub fn of_this_thread(tree: &Tree) -> ThreadTime {
    let waited = tree.text("/proc/thread-self/schedstat");
    ThreadTime { run_queue_ns: waited.as_deref().and_then(run_queue_ns), cpu_mhz: cpu_mhz(tree) }
}

/// `time on a CPU, time ready without one, number of turns`.
fn run_queue_ns(schedstat: &str) -> Option<u64> {
    let mut numbers = schedstat.split_ascii_whitespace().map(str::parse::<u64>);
    let (_, waited_ns, turns) = (numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?);
    // A kernel that does not count prints zeros; this thread has run, so it had a turn.
    (turns > 0).then_some(waited_ns)
}

#[cfg(target_os = "linux")]
fn cpu_mhz(tree: &Tree) -> Option<u32> {
    let cpu = rustix::thread::sched_getcpu();
    let khz = tree.text(&format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_cur_freq"))?;
    u32::try_from(khz.trim().parse::<u64>().ok()? / 1_000).ok()
}

#[cfg(not(target_os = "linux"))]
fn cpu_mhz(_tree: &Tree) -> Option<u32> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steal_is_the_eighth_number() {
        let earlier = parse("cpu  100 10 50 790 10 0 5 35 90 0").unwrap();
        assert_eq!(earlier, CpuTime { user: 110, system: 50, stolen: 35, total: 1000 });
        let later = parse("cpu  200 10 100 1590 20 0 10 120 190 0").unwrap();
        assert_eq!(later.stolen_permille_since(&earlier), Some(80));
        assert_eq!(earlier.stolen_permille_since(&earlier), None, "no time passed");
        assert_eq!(earlier.stolen_permille_since(&later), None, "counters went back");
    }

    #[test]
    fn what_is_not_such_a_line_is_nothing() {
        for line in ["", "cpu", "cpu 1 2 3", "cpu0 1 2 3 4 5 6 7 8", "cpu 1 2 3 4 5 6 7 -8"] {
            assert_eq!(parse(line), None, "{line}");
        }
        let huge = u64::MAX.to_string();
        assert!(parse(&format!("cpu {huge} {huge} 0 0 0 0 0 {huge}")).is_some());
    }

    #[test]
    fn a_name_of_a_task_may_hold_anything() {
        let stat = "7 (a) b (c) S 1 1 1 0 -1 4194560 9 9 0 0 30 12 0 0 20 0 1 0 5";
        assert_eq!(task_ticks(stat), Some(TaskTicks { user: 30, system: 12 }));
        assert_eq!(task_ticks("7 (cut off"), None);
        assert_eq!(task_ticks("7 (x) S 1 1 1 0 -1 4194560 9 9 0 0 30"), None);
    }

    fn cpu_use(user: u64, system: u64, own: (u64, u64), kernel_threads: Option<u64>) -> CpuUse {
        let all = CpuTime { user, system, total: user + system, stolen: 0 };
        CpuUse { all, own: TaskTicks { user: own.0, system: own.1 }, kernel_threads }
    }

    #[test]
    fn others_are_all_but_this_process_and_the_kernels_threads() {
        let earlier = cpu_use(1_000, 500, (10, 20), Some(300));
        let later = cpu_use(1_070, 560, (20, 50), Some(310));
        assert_eq!(
            later.others_ns_since(&earlier),
            Some(800_000_000),
            "60 ticks in user space, 20 in the kernel"
        );
        let unseen = CpuUse { kernel_threads: None, ..later };
        assert_eq!(unseen.others_ns_since(&earlier), Some(600_000_000), "the kernel's share is nobody's");
        assert_eq!(earlier.others_ns_since(&later), None, "counters went back");
        assert_eq!(later.others_ns_since(&later), None, "counters stand still");
    }

    #[test]
    fn a_thread_that_has_run_had_a_turn() {
        assert_eq!(run_queue_ns("700 55 3\n"), Some(55));
        assert_eq!(run_queue_ns("0 0 0\n"), None, "this kernel does not count");
        assert_eq!(run_queue_ns("0 0\n"), None);
    }
}
