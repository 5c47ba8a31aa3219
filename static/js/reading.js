// A link to a folded section or to a place inside one opens it; on paper every section is open.
(() => {
  "use strict";
  const reveal = (hash) => {
    const target = hash.length > 1 && document.getElementById(decodeURIComponent(hash.slice(1)));
    const closed = [];
    for (let fold = target && target.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      if (!fold.open) closed.push(fold);
    }
    if (!closed.length) return;
    for (const fold of closed) fold.open = true;
    target.scrollIntoView();
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link) reveal(link.hash);
  });
  addEventListener("hashchange", () => reveal(location.hash));
  addEventListener("beforeprint", () => {
    for (const fold of document.querySelectorAll("details.fold")) fold.open = true;
  });
  reveal(location.hash);
})();
