// The form that takes an output: a file may be dropped on it, and its answer, which comes in its place,
// gets the focus. Where the server does not answer, the form says so and keeps what was pasted.
(() => {
  "use strict";
  const form = document.querySelector("[data-paste]");
  if (!form) return;
  const trouble = form.querySelector("#paste-trouble");

  form.addEventListener("htmx:before:request", () => trouble.replaceChildren());
  form.addEventListener("htmx:error", (event) => {
    if (event.detail?.error?.name !== "AbortError") trouble.textContent = form.dataset.failed;
  });
  form.addEventListener("htmx:response:error", () => {
    if (!trouble.childElementCount) trouble.textContent = form.dataset.failed;
  });
  const lead = () => {
    const answer = document.querySelector("[data-stand] h1");
    if (!answer) return;
    document.removeEventListener("htmx:after:swap", lead); // later ones complete its fields
    answer.focus({ preventScroll: true });
    scrollTo({ top: 0 });
  };
  document.addEventListener("htmx:after:swap", lead);

  const zone = form.querySelector("[data-drop]");
  if (!zone) return;
  zone.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    zone.setAttribute("data-over", "");
  });
  zone.addEventListener("dragleave", () => zone.removeAttribute("data-over"));
  zone.addEventListener("drop", (event) => {
    zone.removeAttribute("data-over");
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    form.querySelector("input[type=file]").files = event.dataTransfer.files;
    form.requestSubmit();
  });
})();
