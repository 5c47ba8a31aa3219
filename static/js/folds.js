// Evidence that is folded opens where the address points into it, and on paper.
(() => {
  "use strict";
  const openTo = (element) => {
    for (let each = element?.closest("details"); each; each = each.parentElement.closest("details")) each.open = true;
  };
  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    openTo(target);
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details.fold:not([open])")];
    for (const each of opened) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of opened) each.open = false;
  });
})();
