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
