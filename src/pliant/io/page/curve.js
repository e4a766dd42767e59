// The chart: distance to rest over time, the asked moments, and where the clock stands.

class Curve {
  constructor(canvas, series, end, seek) {
    this.canvas = canvas;
    this.series = series; // {times, values, colour, label, asked?, measured?}
    this.end = end || 1;
    this.logarithmic = false;
    this.time = 0;
    const values = series.flatMap((s) => s.values);
    this.high = Math.max(...series.map((s) => s.values.reduce((a, b) => Math.max(a, b), 0)), 1e-12);
    this.low = Math.min(0, values.reduce((a, b) => Math.min(a, b), 0));
    const jump = (event) => seek(this.timeAt(event.offsetX));
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      jump(event);
    });
    canvas.addEventListener("pointermove", (event) => event.buttons && jump(event));
  }

  get floor() {
    return 1e-4 * this.high;
  }

  get plot() {
    return { left: 58, right: this.canvas.clientWidth - 14, top: 12, bottom: this.canvas.clientHeight - 20 };
  }

  x(time) {
    const { left, right } = this.plot;
    return left + ((right - left) * time) / this.end;
  }

  timeAt(x) {
    const { left, right } = this.plot;
    return Math.min(Math.max((x - left) / (right - left), 0), 1) * this.end;
  }

  y(value) {
    const { top, bottom } = this.plot;
    const share = this.logarithmic
      ? Math.log(Math.max(value, this.floor) / this.floor) / Math.log(this.high / this.floor)
      : (value - this.low) / (this.high - this.low);
    return bottom - share * (bottom - top);
  }

  // Where the wishes stand, in pixels of the canvas.
  marks() {
    return this.series.filter((s) => s.asked).map((s) => ({ label: s.label, time: s.asked.time, x: this.x(s.asked.time), y: this.y(s.asked.value) }));
  }

  ticks() {
    if (this.logarithmic) {
      const top = Math.floor(Math.log10(this.high));
      return [0, 1, 2, 3].map((k) => 10 ** (top - k)).filter((v) => v >= this.floor);
    }
    const step = roundLength((this.high - this.low) / 3), first = Math.ceil(this.low / step);
    return Array.from({ length: Math.floor(this.high / step) - first + 1 }, (_, i) => (first + i) * step);
  }

  draw() {
    const { canvas, plot } = this, ratio = Math.min(devicePixelRatio, 2);
    const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    pen.font = "11px system-ui, sans-serif";
    pen.lineJoin = "round";
    this.#axes(pen, plot);
    pen.save();
    pen.beginPath();
    pen.rect(plot.left, plot.top - 6, plot.right - plot.left + 8, plot.bottom - plot.top + 7);
    pen.clip();
    for (const one of this.series) this.#line(pen, one);
    pen.restore();
    this.#wishes(pen, plot);
    this.#cursor(pen, plot);
  }

  #axes(pen, { left, right, top, bottom }) {
    pen.strokeStyle = css("--faint");
    pen.fillStyle = css("--quiet");
    pen.lineWidth = 1;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const value of this.ticks()) {
      const y = Math.round(this.y(value)) + 0.5;
      this.#stroke(pen, [[left, y], [right, y]]);
      pen.fillText(`${Number(value.toPrecision(3))}`, left - 8, y);
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    const step = roundLength(this.end / Math.max(2, Math.floor((right - left) / 150)));
    for (let t = 0; t <= this.end * 1.0001; t += step) {
      const label = `${Number(t.toPrecision(3))}${t + step > this.end * 1.0001 ? " s" : ""}`;
      pen.fillText(label, Math.min(this.x(t), right - pen.measureText(label).width / 2 + 10), bottom + 6);
    }
  }

  #line(pen, { times, values, colour }) {
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    this.#stroke(pen, values.map((value, i) => [this.x(times[i]), this.y(value)]));
  }

  #wishes(pen, { top, bottom, right }) {
    this.series.filter((s) => s.asked && s.asked.time <= this.end).forEach(({ asked, colour }, i) => {
      const x = this.x(asked.time), y = this.y(asked.value);
      pen.strokeStyle = pen.fillStyle = colour;
      pen.lineWidth = 1.25;
      pen.setLineDash([4, 3]);
      this.#stroke(pen, [[x, top], [x, bottom]]);
      pen.setLineDash([]);
      pen.beginPath();
      pen.arc(x, y, 4.5, 0, 7);
      pen.fill();
      pen.strokeStyle = css("--panel");
      pen.lineWidth = 1.5;
      pen.stroke();
      const text = `asked: ${Number(asked.time.toPrecision(4))} s`, room = right - x > pen.measureText(text).width + 12;
      pen.textAlign = room ? "left" : "right";
      pen.textBaseline = "top";
      pen.fillText(text, x + (room ? 6 : -6), top + 14 * (i % 4));
    });
  }

  #cursor(pen, { top, bottom }) {
    const x = this.x(this.time);
    pen.strokeStyle = css("--ink");
    pen.lineWidth = 1.25;
    this.#stroke(pen, [[x, top - 4], [x, bottom]]);
    for (const { times, values, colour } of this.series) {
      if (this.time > times[times.length - 1] + 1e-9) continue;
      pen.beginPath();
      pen.arc(x, this.y(values[frameAt(times, this.time)]), 4, 0, 7);
      pen.fillStyle = colour;
      pen.fill();
      pen.strokeStyle = css("--panel");
      pen.stroke();
      pen.strokeStyle = css("--ink");
    }
  }

  #stroke(pen, points) {
    pen.beginPath();
    points.forEach(([x, y]) => pen.lineTo(x, y));
    pen.stroke();
  }
}
