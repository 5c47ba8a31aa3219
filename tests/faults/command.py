"""`./run faults`: each fault with 200 uploads, a table, and a status that says whether all held."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Final

from agent import static_build
from apps.config.one_machine.environment import ROOT
from apps.embedded.process import tail
from apps.embedded.progress import Progress
from apps.embedded.verbs import USAGE_STATUS
from tests.faults.registry import FAULTS
from tests.faults.site.grounds import NotHereError
from tests.faults.site.rig import Rig
from tests.faults.table import as_json, table
from tests.faults.trial import Trial, try_fault
from tests.faults.uploads import Programs

UPLOADS: Final = 200
SHOWN: Final = 5  # of what is wrong
REPORT: Final = ROOT / "build" / "faults.json"


def faults(arguments: list[str], progress: Progress) -> int:
    """Try the named faults, or all; 1 where anything was lost, doubled, changed or half visible."""
    options = parser().parse_args(arguments)
    if unknown := set(options.names) - FAULTS.keys():
        progress.say(f"no fault {', '.join(sorted(unknown))}; there are {', '.join(FAULTS)}")
        return USAGE_STATUS
    programs = build(progress)
    wanted = [FAULTS[name] for name in options.names or FAULTS]
    trials: list[Trial] = []
    for ground in dict.fromkeys(fault.ground for fault in wanted):
        here = [fault for fault in wanted if fault.ground is ground]
        try:
            with ground(programs) as rig:
                for fault in here:
                    trials.append(try_fault(rig, fault, uploads=options.uploads))
                    say(trials[-1], rig, progress)
        except NotHereError as error:
            progress.say(f"left out: {', '.join(fault.name for fault in here)}: {error}")
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(json.dumps([as_json(each) for each in trials], indent=1), encoding="utf-8")
    acknowledged, wrong = sum(t.acknowledged for t in trials), sum(len(t.found) for t in trials)
    progress.say(f"\n{table(trials)}\n")
    progress.say(f"{len(trials)} faults, {acknowledged} acknowledged uploads, {wrong} wrong")
    return 1 if wrong else 0


def say(trial: Trial, rig: Rig, progress: Progress) -> None:
    """One line, and of what is wrong the first lines with the ends of all logs."""
    progress.say(
        f"{trial.fault.name}: {trial.acknowledged} of {trial.uploads} acknowledged, longest gap"
        f" {trial.gap_s:.1f} s, away {trial.away_s:.1f} s, whole {trial.whole_s:.1f} s later,"
        f" {len(trial.found)} wrong"
    )
    if trial.found:
        progress.say("\n".join(f"  {line}" for line in trial.found[:SHOWN]))
        for child in rig.site.children():
            progress.say(f"  the end of {child.command.log}:\n{tail(child.command.log)}")


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    found = argparse.ArgumentParser(prog="./run faults", description=__doc__)
    found.add_argument("names", nargs="*", metavar="NAME")
    found.add_argument("--uploads", type=int, default=UPLOADS, help="under each fault")
    return found


def build(progress: Progress) -> Programs:
    """The agent as it is released, and its example built in the same way."""
    target = f"{static_build.host_architecture()}-unknown-linux-musl"
    if static_build.add_target(target):
        toolchain = static_build.toolchain_for(target, progress)
    else:
        toolchain = static_build.Toolchain(target="")
    agent: Path = static_build.build_for_this_machine(progress)
    return Programs(agent, static_build.build(toolchain, progress, example="spool"))
