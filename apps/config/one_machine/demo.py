"""The whole product on one machine: everything up, a real measurement, its result shown."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from apps.config.one_machine.environment import ROOT, VAR, product_environment
from apps.config.one_machine.product import Product, ProductSettings, running
from apps.config.one_machine.proof import (
    AwayError,
    Site,
    check_result_soon,
    reasons_against,
    stored_rate,
)
from apps.embedded.postgres import free_port, is_free
from apps.embedded.process import ChildError, start_tied, tie_to_parent, wait_until
from apps.embedded.progress import Progress
from apps.embedded.servers import Addresses, Servers, shared_servers
from apps.embedded.supervision import Outside, Supervisor
from apps.stats.figures import significant

PORT: Final = 8000  # where people look first; if it is taken, a free port is used
PROCESSED_SECONDS: Final = 60.0  # the sweeper looks every 15 s, even if a message was lost
MEMORY_FILESYSTEMS: Final = {"tmpfs", "ramfs", "devtmpfs"}
QUIET_SECONDS: Final = 15  # what the agent waits on a terminal until others leave the machine alone
WATCH_SECONDS: Final = 0.2  # how soon a process that died is noticed
AGENT_STOP_SECONDS: Final = 20  # removing the test file after a Ctrl-C


@dataclass(frozen=True)
class DemoResult:
    """What `./run demo --once` prints as its last line."""

    run_id: str
    run_url: str
    plan_url: str
    badge_url: str
    commits_per_s: float
    seconds: float
    does_not_count_because: tuple[str, ...] = ()  # what labels say that keep it out


def demo(agent: Path, *, downloads: Path, once: bool, began: float, progress: Progress) -> None:
    """Bring everything up, measure this machine, and keep the site or check and stop.

    The site offers the binaries in `downloads`; `began` is the monotonic time of the start.
    """
    with shared_servers(VAR, environment=os.environ, progress=progress) as servers:
        setting = demo_setting(servers.addresses, downloads)
        prepare_database(setting, progress)
        with site_up(setting, progress) as product:
            progress.say(f"The site is up at {setting.url} ({time.monotonic() - began:.1f} s)")
            look = look_for_deaths(product) if once else supervisor(servers, product, progress).look
            run_document = measure(agent, setting, progress, look=look)
            outcome = await_result(run_document, setting, progress, began=began, look=look)
            show(outcome, setting, progress)
            if once:
                check_result_soon(
                    Site(setting.url), run_id=outcome.run_id, commits_per_s=outcome.commits_per_s
                )
                progress.say(what_was_seen(outcome))
            else:
                progress.say("Ctrl-C stops everything.")
                stay(look)
        progress.say("Everything has stopped.")
    if once:
        sys.stdout.write(f"{json.dumps(asdict(outcome))}\n")


def demo_setting(servers: Addresses, downloads: Path) -> ProductSettings:
    """Return where the demo listens: port 8000 if it is free."""
    port = PORT if is_free(PORT) else free_port()
    url = f"http://127.0.0.1:{port}"
    environment = product_environment(servers) | {
        "SITE_URL": url,
        "CELERY_QUEUE": f"demo-{port}",
        "AGENT_DIST": str(downloads),
        "DUMPS_FOLDER": str(VAR / "dumps"),
    }
    return ProductSettings(
        port=port, worker_name=f"worker@demo-{port}", logs=VAR / "logs", environment=environment
    )


def prepare_database(setting: ProductSettings, progress: Progress) -> None:
    """Migrate and load the catalogue; both do nothing if nothing changed."""
    manage(setting, progress, "Migrating the database", "migrate", "--verbosity", "0")
    words = "Loading the catalogue and the published results"
    manage(setting, progress, words, "load_catalogue")


def manage(setting: ProductSettings, progress: Progress, words: str, *arguments: str) -> None:
    """Run a management command in the setting's environment; ChildError where it fails."""
    with progress.step(words):
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            check=False, cwd=ROOT, env=dict(setting.environment), stdin=subprocess.DEVNULL,
            capture_output=True, text=True,
            preexec_fn=tie_to_parent(stop_signal=signal.SIGTERM),
        )  # fmt: skip
    if done.returncode != 0:
        raise ChildError(f"manage.py {arguments[0]} failed:\n{done.stderr}")


@contextlib.contextmanager
def site_up(setting: ProductSettings, progress: Progress) -> Iterator[Product]:
    """Run worker, sweeper and web server, and print when they start and stop."""
    with contextlib.ExitStack() as stack:
        with progress.step("Starting worker, sweeper and web server"):
            product = stack.enter_context(running(setting))
        try:
            yield product
        finally:
            with progress.step("Stopping web server, sweeper and worker"):
                stack.close()


def supervisor(servers: Servers, product: Product, progress: Progress) -> Supervisor:
    """What starts again all that this demo started, and looks at the servers that others did."""
    started = {child.command.name for child in servers.children}
    addresses = servers.addresses
    outside = [
        Outside(name, url)
        for name, url in (("PostgreSQL", addresses.database_url), ("Valkey", addresses.redis_url))
        if name not in started
    ]
    return Supervisor([*servers.children, *product.children.values()], progress, outside=outside)


def look_for_deaths(product: Product) -> Callable[[], None]:
    """What raises ChildError when a process has died: a check must not mend what it checks."""

    def look() -> None:
        for child in product.children.values():
            child.check()

    return look


def measure(
    binary: Path, setting: ProductSettings, progress: Progress, *, look: Callable[[], None]
) -> dict[str, Any]:
    """Run the agent on this machine's disk and return its JSON; its progress stays visible."""
    directory = directory_on_disk()
    home = VAR / "agent"
    home.mkdir(mode=0o700, exist_ok=True)
    progress.say(f"Measuring the disk behind {directory} (about a minute, at most 5 GiB written)")
    process = start_tied(
        [
            str(binary), "run", str(directory), "--suite", "quick", "--server", setting.url,
            "--provider", "Home", "--yes", "--json", f"--wait-quiet={QUIET_SECONDS}",
        ],
        env={**os.environ, "FSYNCMARK_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    try:
        printed = output_of(process, look)
    except BaseException:
        process.send_signal(signal.SIGINT)  # Ctrl-C in a terminal reached it, a kill did not
        process.wait(timeout=AGENT_STOP_SECONDS)
        raise
    if process.returncode != 0:
        raise ChildError(f"the agent ended with status {process.returncode}; its words are above")
    result: dict[str, Any] = json.loads(printed)
    if not result["uploaded"]:
        raise ChildError("the agent measured, but could not upload; its words are above")
    return result


def output_of(process: subprocess.Popen[str], look: Callable[[], None]) -> str:
    """What a process printed when it has ended; until then `look` is called."""
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return str(process.communicate(timeout=WATCH_SECONDS)[0])
        look()


def directory_on_disk() -> Path:
    """Return a directory that is not in memory: a tmpfs says nothing about a disk."""
    candidates = [VAR / "measured", Path.home() / ".cache" / "fsyncmark"]
    for directory in candidates:
        with contextlib.suppress(OSError):
            directory.mkdir(parents=True, exist_ok=True)
            if filesystem_of(directory) not in MEMORY_FILESYSTEMS:
                return directory
    raise ChildError(
        "every directory that the demo may write to is in memory: "
        f"{', '.join(map(str, candidates))}. Clone the repository to a disk."
    )


def filesystem_of(directory: Path) -> str:
    """Return the filesystem type of a directory; empty where /proc does not tell."""
    try:
        lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return ""
    path, best = directory.resolve(), (-1, "")
    for line in lines:
        words = line.split(" ")
        mount_point = Path(words[4].replace("\\040", " "))
        if path.is_relative_to(mount_point) and len(mount_point.parts) >= best[0]:
            best = (len(mount_point.parts), words[words.index("-") + 1])
    return best[1]


def await_result(
    run_document: dict[str, Any],
    setting: ProductSettings,
    progress: Progress,
    *,
    began: float,
    look: Callable[[], None],
) -> DemoResult:
    """Wait until the site has normalised the run and ranked it."""
    site = Site(setting.url)
    run_id = run_document["run_id"]

    def is_ranked() -> bool:
        look()
        with contextlib.suppress(AwayError):
            return site.run_is_done(run_id) and is_shown(site, run_id)
        return False

    with progress.step("Waiting until the run is normalised and ranked"):
        wait_until(
            is_ranked,
            what=f"run {run_id} is done and stands on the board (logs: {setting.logs})",
            seconds=PROCESSED_SECONDS,
        )
    run = site.run(run_id)
    plan = run["plan"]
    return DemoResult(
        run_id=run_id,
        run_url=f"{setting.url}/runs/{run_id}/",
        plan_url=f"{setting.url}/plans/{plan}/",
        badge_url=f"{setting.url}/badge/run/{run_id}.svg",
        commits_per_s=stored_rate(run, reported_per_s=run_document["commits_per_s"]),
        seconds=round(time.monotonic() - began, 1),
        does_not_count_because=reasons_against(run),
    )


def is_shown(site: Site, run_id: str) -> bool:
    """Whether the run counts in its plan's standing, or a label keeps it out for good."""
    return not site.run(run_id)["in_standings"] or site.standing_of(run_id) is not None


def show(outcome: DemoResult, setting: ProductSettings, progress: Progress) -> None:
    """Print the addresses that a person wants to open."""
    rate = significant(outcome.commits_per_s)
    reasons = ", ".join(outcome.does_not_count_because)
    doubt = f"It does not count: {reasons}.\n" if reasons else ""
    progress.say(
        f"\nThis machine: {rate} durable commits a second, one writer.\n{doubt}"
        f"  the run          {outcome.run_url}\n"
        f"  its place        {outcome.plan_url}\n"
        f"  the leaderboard  {setting.url}/plans/\n"
        f"  a badge          {outcome.badge_url}\n"
        f"\nStaff: sign up at {setting.url}/account/signup/ (its mail lies in var/mail), then\n"
        "  ./run manage make_owner EMAIL\n"
    )


def what_was_seen(outcome: DemoResult) -> str:
    """Say what the pages showed when they were checked."""
    if outcome.does_not_count_because:
        return "The run's page and the badge show this figure; the page says why it has no place."
    return "The run's page, the leaderboard row and the badge show these figures."


def stay(look: Callable[[], None]) -> None:
    """Keep the site up until Ctrl-C."""
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            look()
            time.sleep(WATCH_SECONDS)
