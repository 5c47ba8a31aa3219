// The theme: the system's, unless this reader chose another one. Runs before the first paint. And
// how the menu closes.
(() => {
  "use strict";
  const KEY = "fsyncmark-theme";
  const root = document.documentElement;
  root.classList.add("js");

  const read = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // storage is switched off: the system decides
    }
  };
  const show = (theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const shown = () => root.dataset.theme ?? (dark.matches ? "dark" : "light");
  const changed = () => document.dispatchEvent(new CustomEvent("themechange"));

  show(read());

  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-theme-toggle]")) return;
    const theme = shown() === "dark" ? "light" : "dark";
    const system = dark.matches ? "dark" : "light";
    show(theme);
    try {
      if (theme === system) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, theme);
    } catch {
      // The choice then lasts for this page.
    }
    if (theme === system) show(null);
    changed();
  });
  // The menu of a narrow page: Escape and a touch elsewhere close it, as one expects of a menu.
  const close = (refocus) => {
    const menu = document.querySelector("[data-menu][open]");
    if (!menu) return;
    menu.open = false;
    if (refocus) menu.querySelector("summary").focus();
  };
  document.addEventListener("keydown", (event) => event.key === "Escape" && close(true));
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-menu]")) close(false);
  });

  // Paper is light, whatever the screen is: charts are drawn in the colours that they find.
  let before = null;
  addEventListener("beforeprint", () => {
    before = root.dataset.theme ?? "";
    show("light");
    changed();
  });
  addEventListener("afterprint", () => {
    show(before);
    changed();
  });

  dark.addEventListener("change", changed);
  addEventListener("storage", (event) => {
    if (event.key === KEY) {
      show(event.newValue);
      changed();
    }
  });
})();
