// The rate month by month: the median of uploaders, their middle half as a band, changes of drives.
(() => {
  "use strict";
  const { draw, colour, font, haloed, set, three, tooltip } = globalThis.fsyncmark;
  const HEAD_ROOM = 1.18;
  const MONTHS_A_YEAR = 12;

  const named = (first, count) => {
    const [year, month] = first.split("-").map(Number);
    const months = year * MONTHS_A_YEAR + month - 1 + count;
    return `${Math.floor(months / MONTHS_A_YEAR)}-${String((months % MONTHS_A_YEAR) + 1).padStart(2, "0")}`;
  };

  // Months without a run break the line: nothing is known of them.
  const stretches = (months) => months.reduce((found, month) => {
    const last = found.at(-1);
    if (last && month.x - last.at(-1).x === 1) last.push(month);
    else found.push([month]);
    return found;
  }, []);

  const bandPlugin = (data) => ({
    id: "band",
    beforeDatasetsDraw({ ctx, scales: { x, y } }) {
      ctx.save();
      ctx.fillStyle = colour("band");
      ctx.strokeStyle = colour("edge");
      for (const stretch of stretches(data.months.filter((month) => month.high !== null))) {
        ctx.beginPath();
        for (const month of stretch) ctx.lineTo(x.getPixelForValue(month.x), y.getPixelForValue(month.high));
        for (const month of stretch.toReversed()) ctx.lineTo(x.getPixelForValue(month.x), y.getPixelForValue(month.low));
        ctx.closePath();
        ctx.fill();
        if (stretch.length === 1) ctx.stroke();
      }
      ctx.restore();
    },
    afterDatasetsDraw(chart) {
      const { ctx, chartArea: area, scales: { x, y } } = chart;
      ctx.save();
      set(ctx, 11, 500);
      data.changes.forEach((change, place) => {
        const px = Math.round(x.getPixelForValue(change.x - 0.5)) + 0.5;
        ctx.strokeStyle = colour("ink2");
        ctx.setLineDash([5, 4]);
        ctx.beginPath();
        ctx.moveTo(px, area.top);
        ctx.lineTo(px, area.bottom);
        ctx.stroke();
        ctx.setLineDash([]);
        const flip = px + ctx.measureText(change.says).width + 8 > area.right;
        ctx.textAlign = flip ? "right" : "left";
        haloed(ctx, change.says, px + (flip ? -7 : 7), area.bottom - 8 - 14 * (place % 3), colour("ink"));
      });
      const last = data.months.at(-1);
      set(ctx, 12, 600);
      ctx.textAlign = "right";
      const falls = data.months.length > 1 && data.months.at(-2).y > last.y; // then the line comes from above
      const base = falls ? y.getPixelForValue(last.low ?? last.y) + 18 : y.getPixelForValue(last.high ?? last.y) - 8;
      haloed(ctx, three(last.y), x.getPixelForValue(last.x) + 4, base, colour("hot"));
      const reading = data.months.find((month) => month.name === chart.$reading);
      if (reading) {
        ctx.strokeStyle = colour("ink");
        ctx.lineWidth = 2;
        ctx.beginPath();
        ctx.arc(x.getPixelForValue(reading.x), y.getPixelForValue(reading.y), 7, 0, 7);
        ctx.stroke();
      }
      ctx.restore();
    },
  });

  draw.months = (canvas, data) => {
    const first = data.months[0].name;
    const datasets = () => stretches(data.months).map((stretch) => ({
      data: stretch.map((month) => ({ x: month.x, y: month.y, says: month.says, name: month.name })),
      borderColor: colour("hot"),
      backgroundColor: colour("hot"),
      borderWidth: 2,
      pointRadius: 3,
      pointHoverRadius: 5,
      clip: 8,
    }));
    const axis = () => ({ color: colour("dim"), font: font(11) });
    const highest = Math.max(...data.months.map((month) => month.high ?? month.y));
    const chart = new Chart(canvas, {
      type: "line",
      data: { datasets: datasets() },
      plugins: [bandPlugin(data)],
      options: {
        animation: false,
        parsing: false,
        maintainAspectRatio: false,
        layout: { padding: { top: 10, right: 12 } },
        interaction: { mode: "nearest", axis: "x", intersect: false },
        scales: {
          x: {
            type: "linear", min: -0.4, max: data.months.at(-1).x + 0.4,
            grid: { display: false }, border: { color: colour("rule") },
            afterBuildTicks: (scale) => {
              const step = scale.width < 520 ? 4 : scale.width < 900 ? 2 : 1;
              const last = data.months.at(-1).x;
              scale.ticks = Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => ({ value: i * step }));
            },
            ticks: { ...axis(), autoSkip: false, maxRotation: 0, callback: (value) => named(first, value) },
          },
          y: {
            min: 0, suggestedMax: highest * HEAD_ROOM, grid: { color: colour("rule") }, border: { display: false },
            title: { display: true, text: data.unit, ...axis() },
            ticks: { ...axis(), maxTicksLimit: 5, callback: (value) => value.toLocaleString("en") },
          },
        },
        plugins: { legend: { display: false }, tooltip: tooltip({
          title: ([item]) => item.raw.name,
          label: (item) => item.raw.says.split(": ").slice(1).join(": ").split(", "),
        }) },
      },
    });
    chart.$stops = data.months.map((month) => [month.name, month.says]);
    chart.$again = () => {
      chart.data.datasets = datasets();
      for (const scale of Object.values(chart.options.scales)) scale.ticks.color = colour("dim");
      chart.options.scales.y.title.color = colour("dim");
      chart.options.scales.y.grid.color = colour("rule");
      chart.options.scales.x.border.color = colour("rule");
      Object.assign(chart.options.plugins.tooltip, tooltip({}));
      chart.update();
    };
    return chart;
  };
})();
