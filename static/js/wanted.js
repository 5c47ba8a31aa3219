// Tells the site which plan or drive was chosen of a search, or whose command was copied: totals of days, of nobody.
(() => {
  "use strict";
  const tell = (element) => {
    const body = new URLSearchParams({ thing: element.dataset.wanted });
    navigator.sendBeacon?.(document.body.dataset.wantedAt, body);
  };

  document.addEventListener("click", (event) => {
    const element = event.target.closest?.("[data-wanted]");
    if (element) tell(element);
  });
  document.addEventListener("wanted", (event) => {
    if (event.target.dataset.wanted) tell(event.target);
  });
})();
