// Price a month against durable commits, both logarithmic. Each class of comparable work has its own frontier, a
// step line: overwrites are squares, work that writes metadata too is triangles; a price of the past is a cross.
// Circles, filled and open, are the marks of power-loss protection.
(() => {
  "use strict";
  const { draw, colour, font, haloed, set, three, tooltip } = globalThis.fsyncmark;
  const AROUND = 1.5; // by how much the axes go beyond the outermost plans
  const NAME_CHARACTERS_MAX = 34;
  const NAMED_MAX = 14; // more points than that name their frontiers alone
  const WITH_METADATA = 2; // class of comparable work
  const LINE_PX = 14;

  const ticksOf = (min, max) => {
    const ticks = [];
    for (let decade = 10 ** Math.floor(Math.log10(min)); decade <= max; decade *= 10) {
      ticks.push(...[1, 2, 5].map((step) => step * decade));
    }
    const inside = ticks.filter((tick) => tick >= min && tick <= max);
    const decades = inside.filter((tick) => Math.abs(Math.log10(tick) % 1) < 1e-9);
    return inside.length > 7 && decades.length > 1 ? decades : inside;
  };
  const short = (name) => (name.length > NAME_CHARACTERS_MAX ? `${name.slice(0, NAME_CHARACTERS_MAX - 1)}…` : name);

  // A name stands above and left of its point, else below and right of it, where nothing else is.
  const spotOf = (ctx, area, name, px, py, taken) => {
    const width = ctx.measureText(name).width;
    const spots = [];
    for (let line = 0; line < 5; line += 1) {
      spots.push([px - width - 9, py - 9 - line * LINE_PX], [px + 9, py + 16 + line * LINE_PX], [px + 9, py - 9 - line * LINE_PX]);
    }
    const fits = ([left, base]) =>
      left >= area.left + 2 && left + width <= area.right && base >= area.top + 10 && base <= area.bottom - 3
      && !taken.some((box) => left < box.right + 4 && box.left < left + width + 4 && Math.abs(box.base - base) < LINE_PX - 1);
    const [left, base] = spots.find(fits) ?? [Math.max(area.left + 2, Math.min(px - width / 2, area.right - width)), Math.max(area.top + 10, py - 9)];
    taken.push({ left, right: left + width, base });
    return [left, base];
  };

  const frontierPlugin = (data) => ({
    id: "frontier",
    beforeDatasetsDraw({ ctx, chartArea: area, scales: { x, y } }) {
      ctx.save();
      ctx.lineWidth = 1.25;
      ctx.strokeStyle = colour("edge");
      for (const point of data.points.filter((each) => each.low && each.high)) {
        const px = x.getPixelForValue(point.x);
        ctx.beginPath();
        ctx.moveTo(px, y.getPixelForValue(point.low));
        ctx.lineTo(px, y.getPixelForValue(point.high));
        ctx.stroke();
      }
      for (const of of new Set(data.points.map((point) => point.class))) {
        const on = data.points.filter((point) => point.on && point.class === of);
        if (!on.length) continue;
        ctx.strokeStyle = colour(of === WITH_METADATA ? "edge" : "hot");
        ctx.lineWidth = of === WITH_METADATA ? 1.25 : 2;
        ctx.beginPath();
        on.forEach((point, place) => {
          const [px, py] = [x.getPixelForValue(point.x), y.getPixelForValue(point.y)];
          if (place) {
            ctx.lineTo(px, y.getPixelForValue(on[place - 1].y));
            ctx.lineTo(px, py);
          } else ctx.moveTo(px, py);
        });
        ctx.lineTo(area.right, y.getPixelForValue(on.at(-1).y));
        ctx.stroke();
      }
      ctx.restore();
    },
    afterDatasetsDraw(chart) {
      const { ctx, chartArea: area, scales: { x, y } } = chart;
      ctx.save();
      set(ctx, 11, 600);
      ctx.textAlign = "left";
      const taken = [];
      const isFew = data.points.length <= NAMED_MAX;
      for (const point of data.points.filter((each) => isFew || each.on)) {
        const [px, py] = [x.getPixelForValue(point.x), y.getPixelForValue(point.y)];
        const name = short(point.name);
        const [left, base] = spotOf(ctx, area, name, px, py, taken);
        haloed(ctx, name, left, base, colour(point.gone ? "dim" : point.on ? "ink" : "ink2"));
      }
      const reading = data.points[chart.$reading];
      if (reading) {
        ctx.strokeStyle = colour("ink");
        ctx.lineWidth = 2;
        ctx.beginPath();
        ctx.arc(x.getPixelForValue(reading.x), y.getPixelForValue(reading.y), 8, 0, 7);
        ctx.stroke();
      }
      ctx.restore();
    },
  });

  draw.frontier = (canvas, data) => {
    const range = (name) => {
      const values = data.points.map((point) => point[name]);
      return [Math.min(...values) / AROUND, Math.max(...values) * AROUND];
    };
    const [[xMin, xMax], [yMin, yMax]] = [range("x"), range("y")];
    const kindOf = (point) => (point.gone ? "gone" : point.class === WITH_METADATA ? "metadata" : "data");
    const LOOKS = {
      data: { backgroundColor: "hot", borderColor: "hot", pointStyle: "rect", radius: 6 },
      metadata: { backgroundColor: "ink2", borderColor: "ink2", pointStyle: "triangle", radius: 5.5 },
      gone: { backgroundColor: "bg", borderColor: "dim", pointStyle: "crossRot", radius: 5 },
    };
    const datasets = () => Object.entries(LOOKS).map(([kind, looks]) => ({
      ...looks,
      data: data.points.filter((point) => kindOf(point) === kind),
      backgroundColor: colour(looks.backgroundColor),
      borderColor: colour(looks.borderColor),
      borderWidth: 1.5,
      hoverRadius: looks.radius + 2,
      clip: 10,
    }));
    const text = () => ({ color: colour("dim"), font: font(11) });
    const scale = (name, min, max, format) => ({
      type: "logarithmic", min, max,
      title: { display: true, text: data[name], ...text() },
      grid: { color: colour("rule") }, border: { display: false },
      afterBuildTicks: (axis) => { axis.ticks = ticksOf(min, max).map((value) => ({ value })); },
      ticks: { ...text(), autoSkip: name === "x", autoSkipPadding: 10, maxRotation: 0, callback: format },
    });
    const chart = new Chart(canvas, {
      type: "scatter",
      data: { datasets: datasets() },
      plugins: [frontierPlugin(data)],
      options: {
        animation: false,
        parsing: false,
        maintainAspectRatio: false,
        layout: { padding: { top: 10, right: 12 } },
        interaction: { mode: "nearest", axis: "xy", intersect: false },
        scales: {
          x: scale("x", xMin, xMax, (value) => `${data.sign}${value.toLocaleString("en")}${data.code}`),
          y: scale("y", yMin, yMax, (value) => value.toLocaleString("en")),
        },
        plugins: { legend: { display: false }, tooltip: tooltip({
          title: ([item]) => item.raw.name,
          label: (item) => [`${data.sign}${three(item.raw.x)}${data.code}`, `${three(item.raw.y)} /s`],
        }) },
      },
    });
    chart.$stops = data.points.map((point, place) => [String(place), point.says]);
    chart.$again = () => {
      chart.data.datasets = datasets();
      for (const axis of Object.values(chart.options.scales)) {
        axis.ticks.color = colour("dim");
        axis.title.color = colour("dim");
        axis.grid.color = colour("rule");
      }
      Object.assign(chart.options.plugins.tooltip, tooltip({}));
      chart.update();
    };
    return chart;
  };
})();
