// Search: one key leads to the field, arrows move through what was found, Enter opens, Escape leaves.
(() => {
  "use strict";
  const field = document.querySelector("[data-search-field]");

  const isTyping = (element) =>
    element instanceof HTMLElement &&
    (element.isContentEditable || /^(?:input|textarea|select)$/i.test(element.tagName));

  document.addEventListener("keydown", (event) => {
    const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey;
    if (!(isK || (isSlash && !isTyping(event.target)))) return;
    if (!field) return;
    event.preventDefault();
    if (!field.offsetParent) return location.assign(field.form.action); // a narrow frame hides it
    field.focus();
    field.select();
  });

  // ---- the page: results are links, and the arrows carry the focus from one to the next ----
  const page = document.querySelector("[data-find]");
  if (page) {
    const links = () => [...document.querySelectorAll("#results [data-hit]")];
    const trouble = page.querySelector("[data-find-trouble]");
    document.addEventListener("keydown", (event) => {
      const found = links();
      const at = found.indexOf(document.activeElement);
      if (document.activeElement !== field && at < 0) return;
      if (event.key === "Escape") {
        if (at >= 0) field.focus();
        else if (!field.value) field.blur();
      } else if (event.key === "ArrowDown" && at + 1 < found.length) {
        found[at + 1].focus();
        event.preventDefault();
      } else if (event.key === "ArrowUp" && at >= 0) {
        (found[at - 1] ?? field).focus();
        event.preventDefault();
      }
    });
    document.addEventListener("htmx:before:request", () => (trouble.textContent = ""));
    document.addEventListener("htmx:response:error", () => (trouble.textContent = page.dataset.failed));
    document.addEventListener("htmx:error", (event) => {
      if (event.detail?.error?.name !== "AbortError") trouble.textContent = page.dataset.failed;
    });
  }

  // ---- the frame: a combobox whose options the field points at, so that the focus stays in it ----
  const form = document.querySelector("[data-site-search]");
  if (!form) return;
  field.setAttribute("role", "combobox");
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-expanded", "false");

  const list = () => form.querySelector(".hits");
  const options = () => [...form.querySelectorAll("[role=option]:not([aria-disabled])")];
  const chosen = () => form.querySelector('[role=option][aria-selected="true"]');

  const choose = (option) => {
    for (const each of options()) each.setAttribute("aria-selected", String(each === option));
    if (option) {
      field.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else field.removeAttribute("aria-activedescendant");
  };

  const open = (option) => {
    option.dispatchEvent(new CustomEvent("wanted", { bubbles: true }));
    location.assign(option.dataset.href);
  };

  const show = (isShown) => {
    const box = form.querySelector("#site-hits");
    const isOpen = isShown && Boolean(box);
    list().classList.toggle("open", isOpen);
    field.setAttribute("aria-expanded", String(isOpen));
    if (box) field.setAttribute("aria-controls", "site-hits");
    else field.removeAttribute("aria-controls");
    if (!isOpen) choose(null);
  };

  form.addEventListener("keydown", (event) => {
    const known = options();
    const at = known.indexOf(chosen());
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!known.length) return;
      const step = event.key === "ArrowDown" ? 1 : -1;
      show(true);
      choose(known[(at + step + (at < 0 && step < 0 ? 1 : 0) + known.length) % known.length]);
      event.preventDefault();
    } else if (event.key === "Enter" && at >= 0) {
      event.preventDefault();
      open(known[at]);
    } else if (event.key === "Escape") {
      if (list().classList.contains("open")) show(false);
      else field.blur();
      event.preventDefault();
    }
  });

  form.addEventListener("pointerdown", (event) => {
    const option = event.target.closest?.("[role=option][data-href]");
    if (!option || event.button !== 0) return;
    event.preventDefault(); // the field keeps the focus until the page goes
    open(option);
  });

  field.addEventListener("focus", () => show(field.value !== ""));
  form.addEventListener("focusout", (event) => {
    if (!form.contains(event.relatedTarget)) show(false);
  });
  form.addEventListener("htmx:after:swap", () => show(document.activeElement === field));
  const fail = () => {
    const said = document.createElement("p");
    said.className = "said failed";
    said.setAttribute("role", "alert");
    said.textContent = form.dataset.failed;
    list().replaceChildren(said);
    list().classList.add("open");
  };
  form.addEventListener("htmx:response:error", fail);
  form.addEventListener("htmx:error", (event) => {
    if (event.detail?.error?.name !== "AbortError") fail();
  });
})();
