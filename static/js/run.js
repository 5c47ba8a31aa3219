// Graphs over several workloads of a run: lines on logarithmic axes, named at their ends.
(() => {
  "use strict";
  const { draw, colour, font, haloed, set, three, time, tooltip } = globalThis.fsyncmark;
  const STYLES = [
    { name: "hot", width: 2, dash: [] },
    { name: "ink2", width: 1.5, dash: [6, 4] },
    { name: "dim", width: 1.5, dash: [2, 3] },
  ];
  const SHAPES = ["circle", "rect", "triangle"];
  const BYTES = ["B", "KiB", "MiB", "GiB", "TiB"];

  const size = (bytes) => {
    const step = Math.min(Math.floor(Math.log2(bytes) / 10), BYTES.length - 1);
    return `${+(bytes / 1024 ** step).toPrecision(3)} ${BYTES[step]}`;
  };
  const UNITS = { count: (v) => v.toLocaleString("en"), bytes: size, rate: three, time };

  // Below the points where they are few, as powers of two are; else the 1, 2 and 5 of each decade in sight.
  const PLACES_MAX = 8;
  const placesOf = (data) => [...new Set(data.series.flatMap((line) => line.points.map(([x]) => x)))].sort((a, b) => a - b);
  const decadeTicks = (min, max) => {
    if (!(min > 0)) return [];
    const ticks = [];
    for (let decade = 10 ** Math.floor(Math.log10(min)); decade <= max; decade *= 10) {
      ticks.push(...[1, 2, 5].map((step) => step * decade));
    }
    const inside = ticks.filter((tick) => tick >= min && tick <= max);
    const decades = inside.filter((tick) => Math.abs(Math.log10(tick) % 1) < 1e-9);
    return inside.length > 7 && decades.length > 1 ? decades : inside;
  };

  const namesPlugin = (data) => ({
    id: "names",
    afterDatasetsDraw(chart) {
      const { ctx, chartArea: area, scales: { x, y } } = chart;
      ctx.save();
      set(ctx, 11, 500);
      if (data.limit) {
        const height = Math.round(y.getPixelForValue(data.limit.y)) + 0.5;
        ctx.strokeStyle = colour("ink2");
        ctx.setLineDash([1, 3]);
        ctx.beginPath();
        ctx.moveTo(area.left, height);
        ctx.lineTo(area.right, height);
        ctx.stroke();
        ctx.setLineDash([]);
        ctx.textAlign = "left";
        haloed(ctx, data.limit.name, area.left + 6, height - 6, colour("ink2"));
      }
      const ends = data.series.map((line, place) => {
        const [px, value] = line.points.at(-1);
        return { name: line.name, left: x.getPixelForValue(px) + 9, base: y.getPixelForValue(value) + 4, place };
      }).sort((a, b) => a.base - b.base);
      ends.forEach((end, place) => {
        if (place) end.base = Math.max(end.base, ends[place - 1].base + 14);
      });
      ctx.textAlign = "left";
      for (const end of ends) haloed(ctx, end.name, end.left, end.base, colour(STYLES[end.place].name));
      ctx.restore();
    },
  });

  draw.xy = (canvas, data) => {
    const [xText, yText] = [UNITS[data.x.unit], UNITS[data.y.unit]];
    const values = data.series.flatMap((line) => line.points.map(([, y]) => y)).concat(data.limit ? [data.limit.y] : []);
    const [low, high] = [Math.min(...values) / 1.6, Math.max(...values) * 1.6];
    const places = placesOf(data);
    const xTicks = places.length > PLACES_MAX ? decadeTicks(places[0], places.at(-1)) : places;
    const datasets = () => data.series.map((line, place) => ({
      label: line.name,
      data: line.points.map(([x, y]) => ({ x, y })),
      borderColor: colour(STYLES[place].name),
      backgroundColor: colour(STYLES[place].name),
      borderWidth: STYLES[place].width,
      borderDash: STYLES[place].dash,
      pointStyle: SHAPES[place],
      pointRadius: 3.5,
      pointHoverRadius: 5.5,
      clip: 8,
    }));
    const title = (text) => ({ display: true, text, color: colour("dim"), font: font(11) });
    const ticks = (texts) => ({ color: colour("dim"), font: font(11), callback: texts, autoSkip: false, maxRotation: 0 });
    const widest = Math.max(...data.series.map((line) => line.name.length));
    const chart = new Chart(canvas, {
      type: "line",
      data: { datasets: datasets() },
      plugins: [namesPlugin(data)],
      options: {
        animation: false,
        parsing: false,
        maintainAspectRatio: false,
        layout: { padding: { top: 8, right: 14 + widest * 7 } },
        interaction: { mode: "nearest", axis: "xy", intersect: false },
        scales: {
          x: {
            type: "logarithmic", min: places[0], max: places.at(-1), title: title(data.x.name),
            grid: { display: false }, border: { color: colour("rule") },
            afterBuildTicks: (axis) => { axis.ticks = xTicks.map((value) => ({ value })); },
            ticks: {
              ...ticks((value) => xText(value).replace(/ (.)iB$/, "$1")), // a phone has room for 64K
              autoSkip: xTicks !== places, autoSkipPadding: 12,
            },
          },
          y: {
            type: "logarithmic", min: low, max: high, title: title(data.y.name),
            grid: { color: colour("rule") }, border: { display: false },
            afterBuildTicks: (axis) => { axis.ticks = decadeTicks(low, high).map((value) => ({ value })); },
            ticks: ticks(yText),
          },
        },
        plugins: { legend: { display: false }, tooltip: tooltip({
          title: ([item]) => `${xText(item.raw.x)} ${data.x.unit === "count" ? data.x.name : ""}`.trim(),
          label: (item) => `${item.dataset.label} ${yText(item.raw.y)}`,
        }) },
      },
    });
    chart.$stops = data.series.flatMap((line) => line.points.map(([x, y]) => [
      `${line.name}:${x}`, `${line.name}, ${xText(x)}: ${yText(y)}`,
    ]));
    chart.$again = () => {
      chart.data.datasets = datasets();
      for (const scale of Object.values(chart.options.scales)) {
        scale.ticks.color = colour("dim");
        scale.title.color = colour("dim");
      }
      chart.options.scales.y.grid.color = colour("rule");
      chart.options.scales.x.border.color = colour("rule");
      Object.assign(chart.options.plugins.tooltip, tooltip({}));
      chart.update();
    };
    return chart;
  };
})();
