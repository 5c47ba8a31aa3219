// The curves of a comparison over each other, named at their ends: the first hot, the second cool.
(() => {
  "use strict";
  const { draw, colour, curves, set, three, time } = globalThis.fsyncmark;
  const { NINES, at, nines, shortened } = curves;
  const NAME_MAX = 18;
  const LOOKS = {
    a: { name: "hot", width: 2, dash: [], shape: "bar" },
    b: { name: "cool", width: 2, dash: [5, 4], shape: "rect" },
    ghost: { name: "edge", width: 1.5, dash: [] },
  };

  const mark = (context, shape, x, y, size, fill) => {
    context.beginPath();
    const [half, up] = shape === "bar" ? [size / 2, size * 1.3] : [size, size];
    context.rect(x - half, y - up, 2 * half, 2 * up);
    context.fillStyle = fill;
    context.fill();
    context.setLineDash([]);
    context.lineWidth = 2;
    context.strokeStyle = fill;
    context.stroke();
  };

  const plugin = (data) => ({
    id: "versus",
    beforeDatasetsDraw(chart) {
      chart.ctx.save();
      curves.grid(chart);
      chart.ctx.restore();
    },
    afterDatasetsDraw(chart) {
      const { ctx, chartArea: area, scales: { x, y } } = chart;
      const own = data.curves.filter((curve) => curve.role !== "ghost");
      ctx.save();
      ctx.textAlign = "left";
      set(ctx, 12, 600);
      for (const [q, name] of NINES) {
        const stops = own
          .map((curve) => ({ look: LOOKS[curve.role], ns: at(curve.points, q) }))
          .filter((stop) => stop.ns !== null)
          .sort((one, other) => one.ns - other.ns)
          .map((stop) => ({ ...stop, px: x.getPixelForValue(stop.ns), width: ctx.measureText(time(stop.ns)).width }));
        const py = y.getPixelForValue(nines(q));
        curves.spread(stops, area).forEach((spot, place) => {
          const { look, ns } = stops[place];
          curves.boxed(ctx, time(ns), spot.x, py + spot.down, colour(look.name));
        });
        for (const { look, px } of stops) {
          const grown = chart.$reading === name ? 2 : 0;
          mark(ctx, look.shape, px, py, 4.5 + grown, colour(look.name));
        }
      }
      set(ctx, 12, 600);
      curves.namesAtEnds(chart, data.curves, {
        lift: 14,
        step: 15,
        text: ({ letter, name }) => shortened(data.curves.length > 2 ? `${letter} ${name}` : name, NAME_MAX),
        fill: ({ role }) => colour(role === "ghost" ? "ink2" : LOOKS[role].name),
      });
      ctx.restore();
    },
  });

  draw.compare = (canvas, data) => {
    const chart = curves.chart(canvas, {
      curves: data.curves,
      looks: LOOKS,
      plugin: plugin(data),
      top: 44 + 15 * Math.max(0, data.curves.length - 2),
      callbacks: {
        title: ([item]) => item.dataset.label,
        label: (item) => `p${+(item.raw.q * 100).toFixed(3)} ${time(item.raw.x)}, ${three(1e9 / item.raw.x)} /s`,
      },
    });
    chart.$stops = NINES.map(([q, name]) => {
      const known = data.curves.map((curve) => [curve.name, at(curve.points, q)]).filter(([, ns]) => ns !== null);
      return [name, `${name}: ${known.map(([whose, ns]) => `${whose} ${time(ns)}`).join(", ")}`];
    }).filter(([, words]) => !words.endsWith(": "));
    return chart;
  };
})();
