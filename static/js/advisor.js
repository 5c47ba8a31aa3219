// The advisor: short addresses, and complaints beside their fields.
(() => {
  "use strict";
  const form = document.querySelector("[data-advisor]");
  if (!form) return;

  // What is open, or as it always is, says nothing: keep it out of the address.
  const isSilent = (name, value) => {
    const field = form.elements[name];
    if (!field || field instanceof RadioNodeList || "keep" in field.dataset) return false;
    return value === "" || value === field.dataset.default;
  };

  document.addEventListener("htmx:config:request", (event) => {
    if (event.target !== form) return;
    const { body } = event.detail.ctx.request;
    for (const [name, value] of [...body.entries()]) {
      if (isSilent(name, value)) body.delete(name);
    }
  });

  // Whoever has not said a rate is asked for the usual one of the software that was chosen.
  const { software, rate } = form.elements;
  const usual = () => software.selectedOptions[0]?.dataset.rate;
  let before = usual();
  software.addEventListener("change", () => {
    if (rate.value === before) rate.value = usual();
    before = usual();
  });

  const mark = () => {
    for (const words of form.querySelectorAll(".wrong")) {
      const field = form.elements[words.id.replace("wrong-", "")];
      if (!(field instanceof HTMLElement)) continue;
      if (words.textContent.trim()) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    }
  };

  // A link that changes an assumption leads into its field, which may be folded away.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#ask-"]');
    if (!link) return;
    event.preventDefault();
    const field = document.getElementById(link.hash.slice(1));
    for (let fold = field?.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      fold.open = true;
    }
    field?.focus();
    field?.scrollIntoView({ block: "center" });
  });

  document.addEventListener("htmx:after:swap", mark);
})();
