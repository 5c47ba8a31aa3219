// The drop zone of the import page: a file that is dropped there becomes the file of the form.
(() => {
  "use strict";
  const form = document.querySelector("[data-import]");
  if (!form) return;
  const zone = form.querySelector("[data-drop]");
  const input = form.querySelector("input[type=file]");

  const over = (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    zone.setAttribute("data-over", "");
  };

  zone.addEventListener("dragover", over);
  zone.addEventListener("dragleave", () => zone.removeAttribute("data-over"));
  zone.addEventListener("drop", (event) => {
    zone.removeAttribute("data-over");
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });
})();
