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
    title.textContent = "The board could not be loaded";
    const words = document.createElement("p");
    words.textContent = text;
    note.append(title, words);
    trouble.append(note);
  };

  // A field left open says nothing: keep it out of the address.
  document.addEventListener("htmx:config:request", (event) => {
    const { request } = event.detail.ctx;
    if (!event.target.matches?.("form[data-live]")) return;
    for (const [name, value] of [...request.body.entries()]) {
      if (value === "") request.body.delete(name);
    }
  });
  document.addEventListener("htmx:before:request", () => say(""));
  document.addEventListener("htmx:response:error", () =>
    say("The server answered with an error. What you see is from before; reload to try again."));
  document.addEventListener("htmx:error", (event) => {
    if (event.detail?.error?.name === "AbortError") return;
    say("The server did not answer. What you see is from before; reload to try again.");
  });
})();
