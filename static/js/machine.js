// On which machine the page is read: its binary comes first; where there is none for it, the page says so.
(async () => {
  "use strict";
  const SYSTEMS = [
    [/^Mac/i, "macOS"],
    [/^Win/i, "Windows"],
    [/^Linux/i, "Linux"],
  ];
  const data = navigator.userAgentData;
  const platform = data?.platform || navigator.platform;
  const isHandheld = /Android|Mobile|iPhone|iPad/.test(navigator.userAgent) || (/^Mac/.test(platform) && navigator.maxTouchPoints > 1);
  const system = SYSTEMS.find(([pattern]) => pattern.test(platform))?.[1];
  if (!system || isHandheld) return;

  const told = await data?.getHighEntropyValues?.(["architecture"]).catch(() => null);
  const isArm = told?.architecture === "arm" || /aarch64|arm64/i.test(platform);
  // Browsers on a Mac do not say which processor it has.
  const machine = system === "Linux" ? `Linux ${isArm ? "arm64" : "x86-64"}` : system;

  const rows = [...document.querySelectorAll(".get[data-machine]")];
  const fitting = rows.find((row) => row.dataset.machine.startsWith(machine));
  if (fitting) {
    for (const row of rows) row.querySelector(".button").classList.toggle("quiet", row !== fitting);
    rows[0].before(fitting);
  } else {
    document.getElementById("no-binary")?.removeAttribute("hidden");
  }
})();
