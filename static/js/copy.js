// Copy buttons: the text of the box goes to the clipboard, and the button says so in place.
(() => {
  "use strict";
  const SHOWN_MS = 2000;

  const copy = async (text) => {
    if (navigator.clipboard && isSecureContext) return navigator.clipboard.writeText(text);
    // Without HTTPS there is no clipboard API: select a hidden copy and use the old command.
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "hidden";
    document.body.append(area);
    area.select();
    const worked = document.execCommand("copy");
    area.remove();
    if (!worked) throw new Error("the browser refused to copy");
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    if (!button) return;
    const source = document.getElementById(button.dataset.copy);
    const before = button.dataset.label ?? (button.dataset.label = button.textContent);
    try {
      await copy(source.textContent.trim());
      button.textContent = document.body.dataset.copied;
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = document.body.dataset.copyByHand;
    }
    setTimeout(() => (button.textContent = before), SHOWN_MS);
  });
})();
