// The keys of the desk, in its queue and on the page of one thing: j and k go through the queue, others tick, open and
// choose what is decided.
(() => {
  "use strict";
  let here = -1;
  const items = () => [...document.querySelectorAll("[data-item]")];

  const go = (place) => {
    const all = items();
    if (!all.length) return;
    here = Math.min(Math.max(place, 0), all.length - 1);
    for (const [each, item] of all.entries()) item.toggleAttribute("data-here", each === here);
    const box = all[here].querySelector("input");
    box.focus({ preventScroll: true });
    all[here].scrollIntoView({ block: "nearest" });
  };

  const tick = (isOn) => {
    const box = items()[here]?.querySelector("input");
    if (box) box.checked = isOn ?? !box.checked;
  };

  const choose = (action) => {
    const select = document.querySelector("[data-action]");
    if (![...(select?.options ?? [])].some((each) => each.value === action)) return;
    select.value = action;
    if (!document.querySelector("[data-item] input:checked")) tick(true);
    select.form.elements.ready.focus();
  };

  const tickAll = () => {
    const boxes = items().map((item) => item.querySelector("input"));
    const isOn = boxes.some((box) => !box.checked);
    for (const box of boxes) box.checked = isOn;
  };

  const keys = {
    j: () => go(here + 1),
    k: () => go(here - 1),
    x: () => tick(),
    a: () => (items().length ? tickAll() : document.querySelector("[data-desk] textarea")?.focus()),
    o: () => items()[here]?.querySelector("[data-open]").click(),
    e: () => choose("exclude"),
    l: () => choose("keep"),
    r: () => document.querySelector("[data-desk]")?.elements.reason?.focus(),
    u: () => document.querySelector("[data-key='u']")?.click(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches?.("[data-desk] select")) {
      event.preventDefault();
      event.target.form.requestSubmit();
      return;
    }
    const isWriting = event.target.matches?.("input:not([type='checkbox']), textarea, select");
    if (isWriting || event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
  // Back from the page of one thing, the next one is marked.
  if (document.querySelector(".desk-done")) go(0);
  // After a decision the queue is another one: the mark stays where it was.
  document.addEventListener("htmx:after:swap", () => here >= 0 && go(here));
})();
