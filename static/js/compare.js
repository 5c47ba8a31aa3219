// The curves of a comparison over each other, named at their ends: the first hot, the second cool.
(() => {
  "use strict";
  const { draw, colour, haloed, set, three, time, tooltip } = globalThis.fsyncmark;
  const NINES = [[0.5, "p50"], [0.9, "p90"], [0.99, "p99"], [0.999, "p99.9"], [0.9999, "p99.99"]];
  const nines = (q) => -Math.log10(1 - q);
  const TOP = nines(0.9999);
  const LOW_NS = 100;
  const HIGH_NS = 1e8;
  const NAME_MAX = 18;
  const LOOKS = {
    a: { name: "hot", width: 2, dash: [], shape: "circle", label: "right" },
    b: { name: "cool", width: 2, dash: [5, 4], shape: "rect", label: "left" },
    ghost: { name: "edge", width: 1.5, dash: [], shape: "rectRot", label: "" },
  };

  // The value of a curve at a quantile; between its points the logarithm of time is a line.
  const at = (points, q) => {
    if (!points.length || q < points[0][0] - 1e-9 || q > points.at(-1)[0] + 1e-9) return null;
    const place = points.findIndex(([known]) => known >= q - 1e-12);
    const [q1, b] = points[Math.max(place, 0)];
    const [q0, a] = points[Math.max(place - 1, 0)];
    const span = nines(q1) - nines(q0);
    return span > 0 ? a * (b / a) ** ((nines(q) - nines(q0)) / span) : b;
  };

  const shortened = (name) => (name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name);

  const mark = (context, shape, x, y, size, fill, stroke) => {
    context.beginPath();
    if (shape === "circle") context.arc(x, y, size, 0, 7);
    else context.rect(x - size, y - size, 2 * size, 2 * size);
    context.fillStyle = fill;
    context.fill();
    context.setLineDash([]);
    context.lineWidth = 2;
    context.strokeStyle = stroke;
    context.stroke();
  };

  const plugin = (data) => ({
    id: "versus",
    beforeDatasetsDraw(chart) {
      const { ctx, chartArea: area, scales: { y } } = chart;
      ctx.save();
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
      ctx.restore();
    },
    afterDatasetsDraw(chart) {
      const { ctx, chartArea: area, scales: { x, y } } = chart;
      const own = data.curves.filter((curve) => curve.role !== "ghost");
      ctx.save();
      for (const [q, name] of NINES) {
        const stops = own
          .map((curve) => ({ look: LOOKS[curve.role], ns: at(curve.points, q) }))
          .filter((stop) => stop.ns !== null)
          .sort((one, other) => one.ns - other.ns);
        stops.forEach((stop, place) => {
          const [px, py] = [x.getPixelForValue(stop.ns), y.getPixelForValue(nines(q))];
          const stroke = colour(stop.look.name);
          const grown = chart.$reading === name ? 2 : 0;
          mark(ctx, stop.look.shape, px, py, 4.5 + grown, stop.look.shape === "circle" ? stroke : colour("bg"), stroke);
          set(ctx, 12, 600);
          // The faster one has its words on its left, the slower one on its right, where there is room.
          const isLeft = px > area.right - 84 || (place === 0 && stops.length > 1 && px > area.left + 110);
          ctx.textAlign = isLeft ? "right" : "left";
          const isCrowded = isLeft && place > 0 && px - x.getPixelForValue(stops[0].ns) < 90;
          haloed(ctx, time(stop.ns), px + (isLeft ? -11 : 11), py + (isCrowded ? 17 : 4), stroke);
        });
      }
      set(ctx, 12, 600);
      const taken = [];
      for (const curve of data.curves) {
        const inside = curve.points.filter(([q]) => nines(q) <= TOP + 1e-9);
        if (!inside.length) continue;
        const [q, ns] = inside.at(-1);
        const name = shortened(data.curves.length > 2 ? `${curve.letter} ${curve.name}` : curve.name);
        const width = ctx.measureText(name).width;
        const left = Math.max(area.left, Math.min(x.getPixelForValue(ns) - width / 2, area.right - width - 2));
        let base = y.getPixelForValue(nines(q)) - 14;
        while (taken.some((box) => box.left < left + width + 8 && left < box.right + 8 && Math.abs(box.base - base) < 14)) base -= 15;
        taken.push({ left, right: left + width, base });
        ctx.textAlign = "left";
        haloed(ctx, name, left, base, colour(curve.role === "ghost" ? "ink2" : LOOKS[curve.role].name));
      }
      ctx.restore();
    },
  });

  draw.compare = (canvas, data) => {
    const datasets = () => data.curves.map((curve) => {
      const look = LOOKS[curve.role];
      return {
        label: curve.name,
        data: curve.points.filter(([q]) => nines(q) <= TOP + 1e-9).map(([q, ns]) => ({ x: ns, y: nines(q), q })),
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
      plugins: [plugin(data)],
      options: {
        animation: false,
        parsing: false,
        maintainAspectRatio: false,
        layout: { padding: { top: 44 + 15 * Math.max(0, data.curves.length - 2), bottom: 6 } },
        interaction: { mode: "nearest", axis: "xy", intersect: false },
        scales: {
          x: { type: "logarithmic", min: LOW_NS, max: HIGH_NS, display: false },
          y: { type: "linear", min: 0, max: TOP, display: false },
        },
        plugins: { legend: { display: false }, tooltip: tooltip({
          title: ([item]) => item.dataset.label,
          label: (item) => `p${+(item.raw.q * 100).toFixed(3)} ${time(item.raw.x)}, ${three(1e9 / item.raw.x)} /s`,
        }) },
      },
    });
    chart.$stops = NINES.map(([q, name]) => {
      const known = data.curves.map((curve) => [curve.name, at(curve.points, q)]).filter(([, ns]) => ns !== null);
      return [name, `${name}: ${known.map(([whose, ns]) => `${whose} ${time(ns)}`).join(", ")}`];
    }).filter(([, words]) => !words.endsWith(": "));
    chart.$again = () => {
      chart.data.datasets = datasets();
      Object.assign(chart.options.plugins.tooltip, tooltip({}));
      chart.update();
    };
    return chart;
  };
})();
