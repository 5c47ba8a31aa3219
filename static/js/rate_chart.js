// The rate of each moment of a run: one line a pass, its lowest sample named.
(() => {
  "use strict";
  const { draw, colour, filled, font, haloed, set, three, tooltip } = globalThis.fsyncmark;

  // Where a label of the lowest sample crosses no line: below it, above it, else in the head room.
  const freeSpot = (chart, px, py, width) => {
    const { chartArea: area } = chart;
    const lines = chart.data.datasets.map((_, place) => chart.getDatasetMeta(place).data);
    const crossed = ({ left, base }) => lines.some((points) => points.some((to, place) => {
      const from = points[Math.max(place - 1, 0)];
      return [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1].some((share) => {
        const [x, y] = [from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)];
        return x > left - 5 && x < left + width + 5 && y > base - 13 && y < base + 5;
      });
    }));
    const lefts = [px - width / 2, px - 4, px - width + 4];
    const bases = [py + 18, py - 12, py - 26];
    const spots = bases.flatMap((base) => lefts.map((left) => ({ left, base })));
    const fits = ({ left, base }) =>
      left >= area.left && left + width <= area.right && base <= area.bottom - 2 && base >= area.top + 10;
    return spots.find((spot) => fits(spot) && !crossed(spot))
      ?? { left: area.right - width - 2, base: area.top + 11 };
  };

  const ratePlugin = (data) => ({
    id: "rate",
    beforeDatasetsDraw(chart) {
      const { ctx, chartArea: area, scales: { y } } = chart;
      const top = y.getPixelForValue(data.mean + data.stdev);
      const bottom = y.getPixelForValue(Math.max(data.mean - data.stdev, 0));
      ctx.save();
      ctx.fillStyle = colour("band");
      ctx.fillRect(area.left, top, area.width, bottom - top);
      ctx.restore();
    },
    afterDatasetsDraw(chart) {
      const { ctx, chartArea: area, scales: { x, y } } = chart;
      const lowest = data.samples.reduce((a, b) => (b[2] < a[2] ? b : a));
      const px = x.getPixelForValue(lowest[1]);
      const py = y.getPixelForValue(lowest[2]);
      ctx.save();
      ctx.fillStyle = colour("hot");
      ctx.beginPath();
      ctx.arc(px, py, 3.5, 0, 7);
      ctx.fill();
      set(ctx, 11, 600);
      const text = filled(data.words.lowest, { rate: three(lowest[2]) });
      const spot = freeSpot(chart, px, py, ctx.measureText(text).width);
      ctx.textAlign = "left";
      haloed(ctx, text, spot.left, spot.base, colour("ink"));
      ctx.restore();
    },
  });

  draw.rate = (canvas, data) => {
    const passes = [...new Set(data.samples.map(([pass]) => pass))];
    const datasets = () => passes.map((pass) => ({
      label: filled(data.words.pass, { n: pass }),
      data: data.samples.filter(([nth]) => nth === pass).map(([, s, r]) => ({ x: s, y: r, pass })),
      borderColor: colour("hot"),
      borderWidth: 1.75,
      pointRadius: data.samples.length < 40 ? 2 : 0,
      pointBackgroundColor: colour("hot"),
      pointHoverRadius: 4,
      clip: 6, // the last sample lies on the edge
    }));
    const axis = () => ({ color: colour("dim"), font: font(11) });
    const highest = Math.max(...data.samples.map(([, , r]) => r));
    const chart = new Chart(canvas, {
      type: "line",
      data: { datasets: datasets() },
      plugins: [ratePlugin(data)],
      options: {
        animation: false,
        parsing: false,
        maintainAspectRatio: false,
        layout: { padding: { top: 8, right: 8 } },
        interaction: { mode: "nearest", axis: "x", intersect: false },
        scales: {
          x: {
            type: "linear", min: 0, max: data.samples.at(-1)[1], grid: { display: false }, border: { color: colour("rule") },
            ticks: { ...axis(), maxTicksLimit: 8, includeBounds: false, callback: (v) => `${v} s` },
          },
          y: {
            min: 0, suggestedMax: highest * 1.2, grid: { color: colour("rule") }, border: { display: false },
            ticks: { ...axis(), maxTicksLimit: 4, callback: (v) => v.toLocaleString("en") },
          },
        },
        plugins: { legend: { display: false }, tooltip: tooltip({
          title: ([item]) => filled(data.words.title, { n: item.raw.pass, seconds: item.raw.x.toFixed(1) }),
          label: (item) => filled(data.words.rate, { rate: three(item.raw.y) }),
        }) },
      },
    });
    chart.$stops = data.samples.map(([pass, s, r]) => [`${pass}:${s}`, filled(data.words.stop, { n: pass, seconds: s.toFixed(1), rate: three(r) })]);
    chart.$again = () => {
      chart.data.datasets = datasets();
      for (const scale of Object.values(chart.options.scales)) scale.ticks.color = colour("dim");
      chart.options.scales.y.grid.color = colour("rule");
      chart.options.scales.x.border.color = colour("rule");
      Object.assign(chart.options.plugins.tooltip, tooltip({}));
      chart.update();
    };
    return chart;
  };
})();
