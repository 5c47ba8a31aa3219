// A hairline under the pointer through every field, read on both scales of the ruler.
(() => {
  "use strict";
  const LOW_NS = 100;
  const DECADES = 6;
  const ruler = document.querySelector("[data-ruler] .ruler-field");
  if (!ruler || matchMedia("(hover: none)").matches) return;

  const three = (value) =>
    value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3).replace(/\.0+$/, "");
  const time = (ns) =>
    ns < 999.5 ? `${three(ns)} ns`
    : ns < 999500 ? `${three(ns / 1e3)} µs` : `${three(ns / 1e6)} ms`;

  const svg = ruler.querySelector("svg");
  const NS = "http://www.w3.org/2000/svg";
  const group = document.createElementNS(NS, "g");
  group.setAttribute("class", "reading-mark");
  group.setAttribute("visibility", "hidden");
  const make = (name, attributes) => {
    const element = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    group.append(element);
    return element;
  };
  const line = make("line", { y1: "0", y2: "100%", class: "reading-line" });
  const plateTop = make("rect", { y: "2", height: "20", class: "reading-plate" });
  const plateLow = make("rect", { y: "30", height: "20", class: "reading-plate" });
  const upper = make("text", { y: "29%", class: "reading-text" });
  const lower = make("text", { y: "89%", class: "reading-text" });
  svg.append(group);
  svg.parentElement.setAttribute("aria-live", "off");

  const hide = () => {
    group.setAttribute("visibility", "hidden");
    for (const field of document.querySelectorAll(".field.read")) field.classList.remove("read");
  };

  document.addEventListener("pointermove", (event) => {
    const field = event.target.closest?.(".field");
    if (!field || event.pointerType === "touch") return hide();
    const box = svg.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    if (share < 0 || share > 1) return hide();
    const ns = LOW_NS * 10 ** (share * DECADES);
    const flip = share > 0.8;
    const x = share * box.width;
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
    upper.textContent = time(ns);
    lower.textContent = `${three(1e9 / ns)} /s`;
    for (const [text, plate] of [[upper, plateTop], [lower, plateLow]]) {
      text.setAttribute("x", flip ? x - 7 : x + 7);
      text.setAttribute("class", flip ? "reading-text flip" : "reading-text");
      const width = text.getComputedTextLength() + 12;
      plate.setAttribute("width", width);
      plate.setAttribute("x", flip ? x - width - 1 : x + 1);
    }
    group.setAttribute("visibility", "visible");
  }, { passive: true });
  document.addEventListener("pointerleave", hide);
})();
