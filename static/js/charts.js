// Charts of a run, drawn by Chart.js. The horizontal axis of a percentile curve is the ruler's.
(() => {
  "use strict";
  const LOW_NS = 100;
  const HIGH_NS = 1e8;
  const NINES = [[0.5, "p50"], [0.9, "p90"], [0.99, "p99"], [0.999, "p99.9"], [0.9999, "p99.99"]];
  const nines = (q) => -Math.log10(1 - q);
  const TOP = nines(0.9999);
  const FIGURES = '"Martian Mono", monospace';

  const three = (value) =>
    value >= 100 || (value >= 10 && Number.isInteger(value))
      ? Math.round(value).toLocaleString("en")
      : value.toPrecision(3);
  // A text of the server with figures where it has names in braces.
  const filled = (text, figures) => text.replace(/\{(\w+)\}/g, (_, name) => figures[name]);
  const time = (ns) =>
    ns < 999.5 ? `${three(ns)} ns`
    : ns < 999500 ? `${three(ns / 1e3)} µs`
    : ns < 999.5e6 ? `${three(ns / 1e6)} ms` : `${three(ns / 1e9)} s`;

  // Colours live in the style sheet; a probe turns var() and light-dark() into real ones.
  const colour = (() => {
    const probe = document.createElement("i");
    probe.hidden = true;
    document.documentElement.append(probe);
    return (name) => {
      probe.className = `probe-${name}`;
      return getComputedStyle(probe).color;
    };
  })();

  const font = (size = 11, weight = 400) => ({ family: FIGURES, size, weight });
  const set = (context, size = 11, weight = 400) => {
    context.font = `${weight} ${size}px ${FIGURES}`;
    if ("fontStretch" in context) context.fontStretch = "semi-condensed";
  };
  const haloed = (context, text, x, y, fill) => {
    context.lineWidth = 4;
    context.lineJoin = "round";
    context.strokeStyle = colour("bg");
    context.strokeText(text, x, y);
    context.fillStyle = fill;
    context.fillText(text, x, y);
  };

  // A figure from `x` on, on a ground of its own: neither grid lines nor other curves run through it.
  const boxed = (context, text, x, y, fill) => {
    const { width } = context.measureText(text);
    context.fillStyle = colour("bg");
    context.fillRect(x - 3, y - 11, width + 6, 15);
    haloed(context, text, x, y, fill);
  };

  // Where the figures of marks on one line stand, the marks from left to right: away from each
  // other; where there is no room, below the mark. `x` is the left end of each.
  const FROM_MARK = 11;
  const ROOM_OF_NAME = 44; // of the name of the line, at its left end
  const BELOW_MARK = 20;
  const spread = (stops, area) => stops.map(({ px, width }, place) => {
    const next = stops[place + 1];
    const right = { x: px + FROM_MARK, down: 4 };
    const left = { x: px - FROM_MARK - width, down: 4 };
    const fitsRight = right.x + width <= area.right && (!next || right.x + width < next.px - FROM_MARK);
    const fitsLeft = left.x >= area.left + ROOM_OF_NAME && place === 0;
    const sides = [stops.length > 1 && place === 0 && fitsLeft && left, fitsRight && right, fitsLeft && left];
    const below = Math.max(area.left, Math.min(px - width / 2, area.right - width));
    return sides.find(Boolean) || { x: below, down: BELOW_MARK };
  });

  // The value of a curve at a quantile that it states; between two of them nothing is known.
  const at = (points, q) => points.find(([known]) => Math.abs(known - q) < 1e-9)?.[1] ?? null;

  // The hairlines of the nines, each with its name.
  const grid = ({ ctx, chartArea: area, scales: { y } }) => {
    set(ctx);
    for (const [q, name] of NINES) {
      const height = Math.round(y.getPixelForValue(nines(q))) + 0.5;
      ctx.strokeStyle = colour("rule");
      ctx.lineWidth = 1;
      ctx.beginPath();
      ctx.moveTo(area.left, height);
      ctx.lineTo(area.right, height);
      ctx.stroke();
      ctx.textAlign = "left";
      haloed(ctx, name, area.left + 6, height - 6, colour("dim"));
    }
  };

  const drawn = (curve) => curve.points.filter(([q]) => nines(q) <= TOP + 1e-9);

  // Names at the ends of curves, each on the first free line above; `ctx` has its font already.
  const namesAtEnds = ({ ctx, chartArea: area, scales: { x, y } }, curves, { lift, step, text, fill }) => {
    const taken = [];
    for (const curve of curves) {
      const inside = drawn(curve);
      if (!inside.length) continue;
      const [q, ns] = inside.at(-1);
      const name = text(curve);
      const width = ctx.measureText(name).width;
      const left = Math.max(area.left, Math.min(x.getPixelForValue(ns) - width / 2, area.right - width - 2));
      let base = y.getPixelForValue(nines(q)) - lift;
      while (taken.some((box) => box.left < left + width + 8 && left < box.right + 8 && Math.abs(box.base - base) < step - 1)) base -= step;
      taken.push({ left, right: left + width, base });
      ctx.textAlign = "left";
      haloed(ctx, name, left, base, fill(curve));
    }
  };
  const shortened = (name, most) => (name.length > most ? `${name.slice(0, most - 1)}…` : name);

  // Percentile curves over each other; `looks` by role: name of the colour, width, dash.
  const curveChart = (canvas, { curves, looks, plugin, top, callbacks }) => {
    const datasets = () => curves.map((curve) => {
      const look = looks[curve.role];
      return {
        label: curve.name,
        data: drawn(curve).map(([q, ns]) => ({ x: ns, y: nines(q), q })),
        borderColor: colour(look.name),
        borderWidth: look.width,
        borderDash: look.dash,
        pointRadius: 0,
        pointHoverRadius: 4,
        pointHoverBackgroundColor: colour(look.name),
        tension: 0,
      };
    });
    const chart = new Chart(canvas, {
      type: "line",
      data: { datasets: datasets() },
      plugins: [plugin],
      options: {
        animation: false,
        parsing: false,
        maintainAspectRatio: false,
        layout: { padding: { top, bottom: 6 } },
        interaction: { mode: "nearest", axis: "xy", intersect: false },
        scales: {
          x: { type: "logarithmic", min: LOW_NS, max: HIGH_NS, display: false },
          y: { type: "linear", min: 0, max: TOP, display: false },
        },
        plugins: { legend: { display: false }, tooltip: tooltip(callbacks) },
      },
    });
    chart.$again = () => {
      chart.data.datasets = datasets();
      Object.assign(chart.options.plugins.tooltip, tooltip({}));
      chart.update();
    };
    return chart;
  };

  const fieldPlugin = (data) => ({
    id: "field",
    beforeDatasetsDraw(chart) {
      const { ctx, chartArea: area, scales: { x } } = chart;
      ctx.save();
      if (data.band) {
        const left = x.getPixelForValue(data.band.low);
        const width = Math.max(x.getPixelForValue(data.band.high) - left, 2);
        ctx.fillStyle = colour("band");
        ctx.fillRect(left, area.top, width, area.height);
        ctx.fillStyle = colour("dim");
        ctx.fillRect(left, area.top, width, 3);
      }
      grid(chart);
      ctx.restore();
    },
    afterDatasetsDraw(chart) {
      const { ctx, chartArea: area, scales: { x, y } } = chart;
      ctx.save();
      const subject = data.curves.find((curve) => curve.role === "subject");
      const reading = chart.$reading;
      for (const [q, name] of NINES) {
        const ns = subject ? at(subject.points, q) : null;
        if (ns === null) continue;
        const [px, py] = [x.getPixelForValue(ns), y.getPixelForValue(nines(q))];
        ctx.fillStyle = colour("hot");
        ctx.beginPath();
        ctx.arc(px, py, reading === name ? 6.5 : 4.5, 0, 7);
        ctx.fill();
        set(ctx, 12, 600);
        ctx.textAlign = "left";
        const [spot] = spread([{ px, width: ctx.measureText(time(ns)).width }], area);
        boxed(ctx, time(ns), spot.x, py + (q === 0.9999 ? 14 : spot.down), colour("hot"));
      }
      set(ctx);
      const others = data.curves.filter((curve) => curve.role !== "subject");
      const text = ({ name }) => shortened(name, 16);
      namesAtEnds(chart, others, { ...NAMES, text, fill: () => colour("ink2") });
      ctx.restore();
    },
  });

  const ROLES = {
    subject: { name: "hot", width: 2, dash: [] },
    side: { name: "ink2", width: 1.25, dash: [5, 4] },
    ghost: { name: "edge", width: 1.25, dash: [] },
  };

  const NAMES = { lift: 9, step: 13 }; // px above the end of a curve, and from line to line

  const percentiles = (canvas, data) => {
    const ghosts = data.curves.filter((curve) => curve.role === "ghost").length; // all may end at one height
    const chart = curveChart(canvas, {
      curves: data.curves,
      looks: ROLES,
      plugin: fieldPlugin(data),
      top: Math.max(48, NAMES.lift + ghosts * NAMES.step),
      callbacks: {
        title: ([item]) => `p${+(item.raw.q * 100).toFixed(3)}`,
        label: (item) => `${item.dataset.label} ${time(item.raw.x)}, ${three(1e9 / item.raw.x)} /s`,
      },
    });
    const subject = data.curves.find((curve) => curve.role === "subject");
    const stops = NINES.map(([q, name]) => [name, subject ? at(subject.points, q) : null]).filter(([, ns]) => ns !== null);
    chart.$stops = stops.map(([name, ns]) => [name, `${name} ${time(ns)}`]);
    return chart;
  };

  const tooltip = (callbacks) => ({
    displayColors: false,
    backgroundColor: colour("panel"),
    borderColor: colour("edge"),
    borderWidth: 1,
    cornerRadius: 2,
    titleColor: colour("ink"),
    bodyColor: colour("ink2"),
    titleFont: font(12, 600),
    bodyFont: font(12),
    padding: 10,
    caretSize: 0,
    ...(Object.keys(callbacks).length ? { callbacks } : {}),
  });

  // Arrow keys walk along the curve; the value is spoken.
  const readable = (figure, chart) => {
    const voice = document.createElement("p");
    voice.className = "hidden";
    voice.setAttribute("role", "status");
    figure.after(voice);
    let place = -1;
    figure.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!step || !chart.$stops.length) return;
      event.preventDefault();
      place = Math.max(0, Math.min(chart.$stops.length - 1, place + step));
      [chart.$reading] = chart.$stops[place];
      voice.textContent = chart.$stops[place][1];
      chart.draw();
    });
    figure.addEventListener("blur", () => {
      chart.$reading = null;
      chart.draw();
    });
  };

  const draw = { percentiles };
  globalThis.fsyncmark = {
    draw, colour, filled, font, haloed, set, three, time, tooltip,
    curves: { NINES, nines, at, boxed, chart: curveChart, grid, namesAtEnds, shortened, spread },
  };
  const charts = [];
  const drawOne = (figure) => {
    const data = JSON.parse(document.getElementById(figure.dataset.source).textContent);
    const chart = draw[figure.dataset.chart](figure.querySelector("canvas"), data);
    figure.dataset.drawn = "";
    readable(figure, chart);
    charts.push(chart);
    document.documentElement.dataset.charts = String(charts.length);
  };

  // Chart.js, which the page names beside this script, is fetched once a chart can be seen: at once,
  // wherever it stands, or when what folds it away is opened.
  const { library } = document.currentScript.dataset;
  const waiting = new Set();
  // When nothing else is to do, but soon: a page that draws nothing may never be called idle.
  const calm = (work) =>
    globalThis.requestIdleCallback ? requestIdleCallback(work, { timeout: 200 }) : setTimeout(work, 1);
  let fetched = null;
  const fetchLibrary = () => {
    fetched ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = library;
      script.addEventListener("load", resolve);
      script.addEventListener("error", reject);
      document.head.append(script);
    });
    return fetched;
  };
  const drawWaiting = (figure) => {
    if (figure.checkVisibility() && waiting.delete(figure)) drawOne(figure);
  };
  const drawVisible = () => {
    for (const figure of waiting) {
      if (!figure.checkVisibility()) continue;
      fetchLibrary().then(
        () => calm(() => drawWaiting(figure)),
        () => figure.classList.add("not-drawn"), // its words lead to the table
      );
    }
  };

  const start = () => {
    document.documentElement.dataset.charts = "0";
    for (const figure of document.querySelectorAll("[data-chart]")) waiting.add(figure);
    drawVisible();
    document.addEventListener("toggle", drawVisible, true);
  };
  const again = () => charts.forEach((chart) => chart.$again());
  document.addEventListener("themechange", again);
  addEventListener("beforeprint", () => {
    if (globalThis.Chart) [...waiting].forEach(drawWaiting);
    again();
  });
  // Other scripts add their charts first: they have run when the document is loaded.
  addEventListener("DOMContentLoaded", () => document.fonts.ready.then(start));
})();
