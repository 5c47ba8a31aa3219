// Boards: short addresses, and trouble said in place when a part cannot be fetched.
(() => {
  "use strict";
  const trouble = document.getElementById("trouble");

  const say = (text) => {
    trouble.replaceChildren();
    if (!text) return;
    const note = document.createElement("div");
    note.className = "note failed";
    const title = document.createElement("h2");
    title.textContent = trouble.dataset.title;
    const words = document.createElement("p");
    words.textContent = text;
    note.append(title, words);
    trouble.append(note);
  };

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
  document.addEventListener("htmx:before:request", () => say(""));
  document.addEventListener("htmx:response:error", () => say(trouble.dataset.refused));
  document.addEventListener("htmx:error", (event) => {
    if (event.detail?.error?.name === "AbortError") return;
    say(trouble.dataset.silent);
  });
})();
