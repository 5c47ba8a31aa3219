// Where a part could not be fetched, the page says so in the words that it holds for that.
(() => {
  "use strict";
  const note = document.getElementById("trouble");
  const show = (isTrouble) => {
    note.hidden = !isTrouble;
  };
  document.addEventListener("htmx:before:request", () => show(false));
  document.addEventListener("htmx:response:error", () => show(true));
  document.addEventListener("htmx:error", (event) => {
    if (event.detail?.error?.name !== "AbortError") show(true);
  });
})();
