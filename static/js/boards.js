// Boards: short addresses.
(() => {
  "use strict";
  // The columns in one field, and none where they are those that the board opens with; a field
  // left open says nothing: keep it out of the address.
  document.addEventListener("htmx:config:request", (event) => {
    const { request } = event.detail.ctx;
    const form = event.target;
    if (!form.matches?.("form[data-live]")) return;
    const columns = request.body.getAll("cols");
    request.body.delete("cols");
    if (columns.join() !== (form.dataset.columns ?? "")) request.body.set("cols", columns.join());
    for (const [name, value] of [...request.body.entries()]) {
      if (value === "") request.body.delete(name);
    }
  });
})();

// Boards: a row unfolds to the other figures of its thing, and folds again.
(() => {
  "use strict";
  const rowsOf = (key) => document.querySelectorAll(`[data-below="${CSS.escape(key)}"]`);
  document.addEventListener(
    "click",
    (event) => {
      const link = event.target.closest?.("[data-unfold]");
      if (!link) return;
      const rows = rowsOf(link.dataset.unfold);
      link.setAttribute("aria-expanded", String(!rows.length || rows[0].hidden));
      if (!rows.length) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      for (const row of rows) row.hidden = !row.hidden;
    },
    { capture: true },
  );
})();
