// The clock and the controls.

const at = (id) => document.getElementById(id);

class Player {
  constructor(takes) {
    this.takes = takes;
    this.times = clockTimes(takes);
    this.end = this.times[this.times.length - 1];
    this.frame = 0;
    this.time = 0;
    this.playing = false;
    this.looks = { colour: takes.some((t) => t.bodies.some((b) => b.shares)), ghost: true, mesh: takes.every((t) => t.bodies.every((b) => b.plane)), contacts: false };
    this.quantity = takes.every((t) => t.quantity === takes[0].quantity) ? takes[0].quantity : "";
    this.#makeCurve();
    try {
      this.stage = new Stage(at("view"), takes);
    } catch (error) {
      at("problem").hidden = false;
      at("problem").textContent = `The bodies cannot be drawn, the curve can: ${error.message}`;
    }
    this.#label();
    this.#bind();
    this.dress();
    this.seek(0);
    this.now = performance.now();
    requestAnimationFrame((now) => this.#tick(now));
  }

  #makeCurve() {
    const several = this.takes.length > 1;
    const series = this.takes.flatMap((take, i) => take.curves.map((curve) => ({ ...curve, take: i, times: take.times })));
    series.forEach((one, i) => {
      one.colour = SERIES[i % SERIES.length];
      const { title } = this.takes[one.take];
      one.name = several ? (this.takes[one.take].curves.length > 1 ? `${title}: ${one.label}` : title) : one.label;
    });
    this.series = series;
    this.curve = new Curve(at("curve"), series, this.end, (time) => this.seek(frameAt(this.times, time + 0.5 * this.step)));
    at("chart").hidden = series.length === 0;
    at("log").hidden = this.curve.low < 0; // energies may be negative
    at("quantity").textContent = this.quantity;
    at("quantity").title = at("curve").title = this.takes[0].note;
    at("curve").setAttribute("aria-label", `${this.quantity} over time; click to jump`);
    if (series.length > 1) {
      for (const { name, colour } of series) {
        const key = document.createElement("span"), swatch = document.createElement("i");
        swatch.style.background = colour;
        key.append(swatch, name);
        at("keys").append(key);
      }
    }
  }

  // The labels stand over the tiles of the stage.
  #lay(labels) {
    const count = this.takes.length, columns = tileColumns(count);
    labels.classList.toggle("many", count > 4);
    labels.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    labels.style.gridAutoRows = `${100 / Math.ceil(count / columns)}%`;
  }

  get step() {
    return this.times.length > 1 ? this.times[1] - this.times[0] : 0;
  }

  #label() {
    const labels = at("labels"), several = this.takes.length > 1;
    labels.classList.toggle("single", !several);
    document.body.classList.toggle("compare", several);
    this.#lay(labels);
    addEventListener("resize", () => this.#lay(labels));
    this.takes.forEach((take, i) => {
      const box = document.createElement("div"), title = document.createElement("h1");
      title.textContent = take.title;
      box.append(title);
      for (const [k, body] of take.bodies.entries()) {
        if (!body.words) continue;
        const line = document.createElement("p"), dot = document.createElement("i");
        line.title = take.note;
        dot.style.background = (this.series.find((s) => s.take === i && s.body === k) || {}).colour;
        const words = take.bodies.length > 1 ? `${body.name}: ${body.words}` : body.words[0].toUpperCase() + body.words.slice(1);
        line.append(dot, words);
        box.append(line);
      }
      labels.append(box);
    });
    at("scale").querySelector("i").style.background = `linear-gradient(90deg, ${RAMP.join(",")})`;
    this.#tellScale(labels);
    const still = this.times.length < 2;
    for (const id of ["play", "back", "next", "scrub", "loop", "speed"]) at(id).disabled = still;
    at("scrub").max = this.times.length - 1;
    at("ghost").hidden = !this.takes.some((t) => t.bodies.some((b) => b.ghosts));
    at("colour").hidden = !this.looks.colour;
    at("contacts").hidden = !this.takes.some((t) => t.contacts);
  }

  // How large it is: the grid's spacing, of each take if they are drawn at scales of their own.
  #tellScale(labels) {
    if (!this.stage) return;
    const { framed, grounds } = this.stage;
    const grid = (ground) => `grid ${Number(ground.spacing.toPrecision(3))} m`;
    if (framed.every(({ scale }) => scale === 1)) at("grid").textContent = grounds.length ? grid(grounds[0]) : "";
    else {
      framed.forEach(({ scale }, i) => {
        const line = document.createElement("p"), larger = scale > 1 ? `drawn ${Number(scale.toPrecision(2))} times as large` : "";
        line.className = "own-scale";
        line.textContent = [grounds.length ? grid(grounds[i]) : "", larger].filter(Boolean).join(", ");
        labels.children[i].append(line);
      });
    }
  }

  #bind() {
    at("play").onclick = () => this.toggle();
    at("back").onclick = () => this.by(-1);
    at("next").onclick = () => this.by(1);
    at("scrub").oninput = () => this.seek(Number(at("scrub").value));
    for (const name of ["colour", "ghost", "mesh", "contacts"]) at(name).onclick = () => this.look(name);
    at("fit").onclick = () => this.stage && this.stage.fit();
    at("log").onclick = () => {
      this.curve.logarithmic = !this.curve.logarithmic;
      this.dress();
    };
    at("loop").onclick = () => at("loop").setAttribute("aria-pressed", String(!this.loops));
    const keys = {
      " ": () => this.toggle(), ArrowLeft: () => this.by(-1), ArrowRight: () => this.by(1), Home: () => this.seek(0),
      End: () => this.seek(this.times.length - 1), c: () => at("colour").click(), g: () => at("ghost").click(),
      w: () => at("mesh").click(), t: () => at("contacts").click(), f: () => at("fit").click(), l: () => at("log").click(), o: () => at("loop").click(),
    };
    addEventListener("keydown", (event) => {
      const own = event.target.closest("select, button, input"); // space presses a button, arrows move a slider
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (event.ctrlKey || event.metaKey || event.altKey || !keys[key]) return;
      if (own && (own.tagName === "SELECT" || (key === " " && own.tagName === "BUTTON") || (own.type === "range" && key.length > 1))) return;
      event.preventDefault();
      keys[key]();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.dress());
    new ResizeObserver(() => this.curve.draw()).observe(at("curve"));
  }

  get loops() {
    return at("loop").getAttribute("aria-pressed") === "true";
  }

  look(name) {
    this.looks[name] = !this.looks[name];
    this.dress();
  }

  dress() {
    for (const [name, on] of Object.entries(this.looks)) at(name).setAttribute("aria-pressed", String(on));
    at("log").setAttribute("aria-pressed", String(this.curve.logarithmic));
    at("scale").hidden = !this.looks.colour;
    if (this.stage) {
      this.stage.dress(this.looks);
      this.stage.show(this.frames());
    }
    this.curve.draw();
  }

  // The frame of each take at the clock's time.
  frames() {
    return this.takes.map((take) => frameAt(take.times, this.times[this.frame]));
  }

  seek(frame) {
    this.frame = Math.min(Math.max(Math.round(frame), 0), this.times.length - 1);
    this.time = this.times[this.frame];
    this.#refresh();
  }

  by(frames) {
    this.pause();
    this.seek(this.frame + frames);
  }

  play() {
    if (this.times.length < 2) return;
    if (this.frame === this.times.length - 1) this.seek(0);
    this.playing = true;
    this.#button();
  }

  pause() {
    this.playing = false;
    this.#button();
  }

  toggle() {
    if (this.playing) this.pause(); else this.play();
  }

  #button() {
    at("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
    at("play-shape").setAttribute("d", this.playing ? "M6 5h4v14H6zM14 5h4v14h-4z" : "M7 4.5v15l13-7.5z");
  }

  #refresh() {
    if (this.stage) this.stage.show(this.frames());
    this.curve.time = this.times[this.frame];
    this.curve.draw();
    at("scrub").value = this.frame;
    const small = document.createElement("small"), digits = this.end < 10 ? 2 : 1;
    small.textContent = `frame ${this.frame} / ${this.times.length - 1}`;
    at("scrub").setAttribute("aria-valuetext", `${this.times[this.frame].toFixed(digits)} seconds`);
    at("time").replaceChildren(`${this.times[this.frame].toFixed(digits)} / ${this.end.toFixed(digits)} s`, small);
  }

  #tick(now) {
    const passed = Math.min((now - this.now) / 1000, 0.25); // a tab that slept does not leap
    this.now = now;
    if (this.playing) {
      this.time += passed * Number(at("speed").value);
      if (this.time > this.end + (this.loops ? 0.6 : 0)) { // a breath at the end before it starts again
        this.time = this.loops ? 0 : this.end;
        if (!this.loops) this.pause();
      }
      const frame = frameAt(this.times, this.time);
      if (frame !== this.frame) {
        this.frame = frame;
        this.#refresh();
      }
    }
    if (this.stage) {
      this.stage.controls.update();
      this.stage.draw();
    }
    requestAnimationFrame((later) => this.#tick(later));
  }
}

loadTakes().then((takes) => {
  const player = new Player(takes);
  window.pliant = {
    tiles: () => player.stage.tiles(),
    get frame() { return player.frame; },
    get frames() { return player.times.length; },
    get time() { return player.times[player.frame]; },
    get playing() { return player.playing; },
    get marks() { return player.curve.marks(); },
    play: () => player.play(),
    pause: () => player.pause(),
    seek: (frame) => player.seek(frame),
    // The points of a body as they are shown now, [x, y, z, x, ...] in metres.
    positions(take = 0, body = 0) {
      const { positions } = player.takes[take].bodies[body];
      return Array.from(positions.points(player.frames()[take], new Float64Array(positions.row)));
    },
    // The pieces of line that outline the rest shape of a body now: pairs of points.
    rim(take = 0, body = 0) {
      const { attributes, drawRange } = player.stage.views[take][body].rim.geometry;
      return Array.from(attributes.position.array.subarray(0, 3 * drawRange.count));
    },
    // By how much each take is drawn larger than the largest.
    get scales() { return player.stage.framed.map(({ scale }) => scale); },
    // How many sharp edges of a body are drawn now: more where it is cut.
    edges: (take = 0, body = 0) => player.stage.views[take][body].outline.geometry.index.count / 2,
  };
  // "#frame=12" opens the page at a frame, paused; else it plays, unless the reader wants stillness.
  const wanted = /frame=(\d+)/.exec(location.hash);
  if (wanted) player.seek(Number(wanted[1]));
  else if (!matchMedia("(prefers-reduced-motion: reduce)").matches) player.play();
}).catch((error) => {
  at("problem").hidden = false;
  at("problem").textContent = `This page cannot be shown: ${error.message}`;
  throw error;
});
