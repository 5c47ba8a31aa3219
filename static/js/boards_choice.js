// Boards: marks of rows to compare and open folds outlive the exchange of the board.
(() => {
  "use strict";
  const marked = new Set(); // values of boxes

  const form = () => document.getElementById("compare");
  const boxes = () => document.querySelectorAll('#board input[name="on"]');

  // Rows of another page of the board have no box here: hidden fields stand for them.
  const carry = (bar) => {
    for (const each of bar.querySelectorAll("[data-carried]")) each.remove();
    const here = new Set();
    for (const box of boxes()) {
      box.checked = marked.has(box.value) && !here.has(box.value); // of one plan one box is enough
      if (box.checked) here.add(box.value);
    }
    for (const value of marked) {
      if (here.has(value)) continue;
      const field = document.createElement("input");
      field.type = "hidden";
      field.name = "on";
      field.value = value;
      field.dataset.carried = "";
      bar.append(field);
    }
  };

  const show = () => {
    const bar = form();
    if (!bar) return;
    carry(bar);
    const { min, many } = bar.dataset;
    const said = bar.querySelector(".said");
    said.dataset.idle ??= said.textContent;
    said.textContent = marked.size ? many.replace("{n}", marked.size) : said.dataset.idle;
    bar.classList.toggle("on", marked.size > 0);
    const button = bar.querySelector("[type=submit]");
    button.disabled = marked.size < min;
    bar.querySelector(".drop").hidden = marked.size === 0;
  };

  document.addEventListener("change", (event) => {
    const box = event.target;
    if (box.matches?.("[data-fold]")) return event.stopPropagation(); // asks for nothing
    if (!box.matches?.('#board input[name="on"]')) return;
    event.stopPropagation();
    if (!box.checked) marked.delete(box.value);
    else if (marked.size < Number(form().dataset.max)) marked.add(box.value);
    show();
  }, true);
  document.addEventListener("reset", (event) => {
    if (event.target !== form()) return;
    event.preventDefault();
    marked.clear();
    show();
  });

  // A fold that was open stays open while its own choices are made.
  let open = [];
  document.addEventListener("htmx:before:swap", () => {
    open = [...document.querySelectorAll("#board details[open]:not(.singles), #board [data-fold]:checked")].map((each) => each.id);
  });
  document.addEventListener("htmx:after:swap", () => {
    for (const id of open) {
      const fold = document.getElementById(id);
      if (fold) fold[fold.matches("details") ? "open" : "checked"] = true;
    }
    show();
  });
  addEventListener("pageshow", () => {
    for (const box of boxes()) if (box.checked) marked.add(box.value);
    show();
  });
})();
