// The stage: one scene per take, side by side, seen by one camera.

// Takes are of unlike sizes if one is more than so many times as large as another.
const UNLIKE = 2;

// Takes in a row; the labels of main.js are laid out alike.
function tileColumns(count) {
  if (matchMedia("(max-width: 700px)").matches) return count > 4 ? 2 : 1;
  return count > 4 ? Math.ceil(Math.sqrt(count)) : count;
}

class Stage {
  constructor(canvas, takes) {
    this.canvas = canvas;
    this.takes = takes;
    this.flat = takes.every((t) => t.bodies.every((b) => b.plane));
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = !this.flat;
    this.renderer.shadowMap.type = THREE.VSMShadowMap;
    this.renderer.setScissorTest(true);
    const ramp = rampTable();
    this.views = takes.map((take) => take.bodies.map((body, i) => {
      const colour = new THREE.Color(take.bodies.length > 1 ? SERIES[(i + 1) % SERIES.length] : css("--plain"));
      return new BodyView(body, colour, ramp);
    }));
    this.stills = takes.map((take) => take.obstacles.map((still) => new StillView(still)));
    this.contacts = takes.map((take) => take.contacts ? [new ContactsView(take.contacts)] : []);
    this.framed = this.#frame(takes.map((take) => this.#measure(take)));
    this.box = this.framed.reduce((box, one) => box.union(one.shownBox), new THREE.Box3());
    this.cloud = this.framed.flatMap((one) => one.cloud.map((p) => one.into(p.clone())));
    this.radius = 0.5 * this.box.getSize(new THREE.Vector3()).length() || 1;
    this.sized = this.framed.map(({ scale, shift }) => {
      const group = new THREE.Group();
      group.scale.setScalar(scale);
      group.position.copy(shift);
      return group;
    });
    this.scenes = takes.map((take, i) => {
      const scene = new THREE.Scene(), turned = new THREE.Group();
      if (take.up === "z") turned.rotation.x = -Math.PI / 2;
      turned.add(...[...this.views[i], ...this.stills[i], ...this.contacts[i]].map((v) => v.group));
      this.sized[i].add(turned);
      scene.add(this.sized[i]);
      return scene;
    });
    this.camera = this.flat
      ? new THREE.OrthographicCamera(-1, 1, 1, -1, -1e3 * this.radius, 1e3 * this.radius)
      : new THREE.PerspectiveCamera(30, 1, 0.01 * this.radius, 200 * this.radius);
    this.controls = new THREE.OrbitControls(this.camera, canvas);
    this.controls.enableRotate = !this.flat;
    this.controls.maxPolarAngle = 0.92 * Math.PI;
    if (this.flat) this.controls.mouseButtons.LEFT = this.controls.mouseButtons.RIGHT;
    if (this.flat) this.controls.touches.ONE = 1; // pan
    this.controls.addEventListener("change", () => (this.stale = true));
    this.controls.addEventListener("start", () => (this.turned = true));
    this.grounds = this.flat ? [] : this.scenes.map((scene, i) => this.#light(scene, i));
    this.shown = [];
  }

  // The box around all frames of a take, and some points of all frames, to fit the picture to.
  #measure(take) {
    const box = new THREE.Box3(), point = new THREE.Vector3(), cloud = [];
    take.bodies.forEach((body) => {
      for (const frames of [body.positions, body.ghosts]) {
        if (!frames) continue;
        const points = new Float32Array(frames.row), low = [Infinity, Infinity, Infinity], high = low.map((v) => -v);
        for (let frame = 0; frame < frames.count; frame++) {
          frames.points(frame, points);
          const every = 3 * Math.ceil((points.length / 3) * (frames.count / 4000));
          for (let i = 3 * (frame % Math.max(1, every / 3)); i < points.length; i += every) {
            const [x, y, z] = points.subarray(i, i + 3);
            cloud.push(take.up === "z" ? new THREE.Vector3(x, z, -y) : new THREE.Vector3(x, y, z));
          }
          for (let i = 0; i < points.length; i++) {
            const k = i % 3;
            if (points[i] < low[k]) low[k] = points[i];
            if (points[i] > high[k]) high[k] = points[i];
          }
        }
        for (const [x, y, z] of [low, high]) box.expandByPoint(take.up === "z" ? point.set(x, z, -y) : point.set(x, y, z));
      }
    });
    take.obstacles.forEach(({ framed }) => framed.forEach(([x, y, z]) => {
      cloud.push(take.up === "z" ? new THREE.Vector3(x, z, -y) : new THREE.Vector3(x, y, z));
      box.expandByPoint(cloud[cloud.length - 1]);
    }));
    return { box, cloud };
  }

  // Takes of about one size have one scale, so that they can be compared; of unlike sizes each fills its tile.
  #frame(takes) {
    const sizes = takes.map(({ box }) => box.getSize(new THREE.Vector3()).length() || 1);
    const largest = Math.max(...sizes), unlike = largest > UNLIKE * Math.min(...sizes);
    const middle = takes[sizes.indexOf(largest)].box.getCenter(new THREE.Vector3());
    return takes.map(({ box, cloud }, i) => {
      const scale = unlike ? largest / sizes[i] : 1, shift = new THREE.Vector3();
      if (unlike) shift.copy(middle).addScaledVector(box.getCenter(new THREE.Vector3()), -scale);
      const into = (point) => point.multiplyScalar(scale).add(shift);
      return { box, cloud, scale, shift, into, shownBox: new THREE.Box3(into(box.min.clone()), into(box.max.clone())) };
    });
  }

  #light(scene, number) {
    const middle = this.box.getCenter(new THREE.Vector3()), r = this.radius;
    scene.add(new THREE.HemisphereLight(0xffffff, 0x9aa7b2, 1.9));
    const sun = new THREE.DirectionalLight(0xfff4e6, 2.1);
    sun.position.copy(middle).add(new THREE.Vector3(-1.1, 2.6, 1.5).multiplyScalar(r));
    sun.target.position.copy(middle);
    sun.castShadow = true;
    sun.shadow.mapSize.set(512, 512);
    sun.shadow.radius = 5;
    sun.shadow.blurSamples = 8;
    sun.shadow.bias = -0.0008;
    sun.shadow.normalBias = 0.012 * r;
    Object.assign(sun.shadow.camera, { left: -1.7 * r, right: 1.7 * r, top: 1.7 * r, bottom: -1.7 * r, near: 0.1 * r, far: 8 * r });
    const fill = new THREE.DirectionalLight(0xdfeeff, 0.55);
    fill.position.copy(middle).add(new THREE.Vector3(2, 0.6, 1.2).multiplyScalar(r));
    fill.target.position.copy(middle);
    scene.add(sun, sun.target, fill, fill.target);
    const alike = this.framed.every((one) => one.scale === 1);
    const ground = new Ground(alike ? this.box : this.framed[number].box, this.takes[number].floor);
    this.sized[number].add(ground.group);
    return ground;
  }

  dress(looks) {
    this.views.flat().forEach((view) => view.dress(looks));
    this.stills.flat().forEach((view) => view.dress());
    this.contacts.flat().forEach((view) => view.dress(looks));
    this.grounds.forEach((ground) => ground.dress());
    this.shown = [];
  }

  // Frames, one per take.
  show(frames) {
    frames.forEach((frame, i) => {
      if (this.shown[i] === frame) return;
      for (const view of [...this.views[i], ...this.stills[i], ...this.contacts[i]]) view.show(frame);
      this.shown[i] = frame;
      this.stale = true;
    });
  }

  // Where each take is drawn: few beside each other, or below each other where the screen is narrow; many in rows.
  tiles() {
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight, n = this.takes.length;
    const columns = tileColumns(n), rows = Math.ceil(n / columns);
    return this.takes.map((_, i) => [
      (width * (i % columns)) / columns, (height * (rows - 1 - Math.floor(i / columns))) / rows, width / columns, height / rows,
    ]);
  }

  fit() {
    const [, , width, height] = this.tiles()[0], { camera } = this;
    const toward = this.flat ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(0.377, 0.375, 0.847);
    const right = new THREE.Vector3(0, 1, 0).cross(toward).normalize(), up = toward.clone().cross(right).normalize();
    const head = Math.min(76, 0.25 * height), foot = Math.min(width > 700 ? 44 : 92, 0.2 * height); // pixels of title and legend
    const tall = this.flat ? 1 : Math.tan((camera.fov * Math.PI) / 360);
    const slope = [(0.9 * tall * width) / height, 0.94 * tall * (1 - (head + foot) / height)]; // what bodies may fill
    const reach = this.#reach([right, up, toward], slope);
    const target = new THREE.Vector3().addScaledVector(right, reach.x).addScaledVector(up, reach.y);
    target.addScaledVector(toward, this.flat ? 0 : this.box.getCenter(new THREE.Vector3()).dot(toward));
    const distance = this.flat ? 10 * this.radius : reach.z - target.dot(toward);
    camera.userData.tall = reach.tall || 1;
    camera.zoom = 1;
    // The title needs more room than the legend, so the bodies stand below the middle.
    target.addScaledVector(up, ((head - foot) / height) * (this.flat ? camera.userData.tall : tall * distance));
    camera.position.copy(target).addScaledVector(toward, distance);
    this.controls.target.copy(target);
    this.controls.update();
    this.turned = false;
    this.stale = true;
  }

  // Where the eye has to be, along [right, up, toward], to see the cloud between the given slopes.
  #reach([right, up, toward], slope) {
    const sides = [-Infinity, -Infinity, -Infinity, -Infinity]; // of the cloud, seen along each edge of the view
    const cloud = this.cloud.map((p) => [p.dot(right), p.dot(up), p.dot(toward)]);
    const depth = this.flat ? 0 : 1;
    for (const [x, y, z] of cloud) {
      [x + depth * slope[0] * z, -x + depth * slope[0] * z, y + depth * slope[1] * z, -y + depth * slope[1] * z].forEach((v, k) => {
        if (v > sides[k]) sides[k] = v;
      });
    }
    const [wide, high] = [sides[0] + sides[1], sides[2] + sides[3]];
    return {
      x: 0.5 * (sides[0] - sides[1]), y: 0.5 * (sides[2] - sides[3]),
      z: 0.5 * Math.max(wide / slope[0], high / slope[1]), tall: 0.5 * Math.max(wide / slope[0], high / slope[1]),
    };
  }

  draw() {
    const { canvas, renderer, camera } = this;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (width !== this.width || height !== this.height) {
      renderer.setSize(width, height, false);
      this.width = width;
      this.height = height;
      this.stale = true;
      if (!this.turned && width && height) this.fit(); // until the reader has chosen a view
    }
    if (!this.stale || !width || !height) return;
    this.stale = false;
    camera.updateMatrixWorld();
    this.tiles().forEach((tile, i) => {
      this.scenes[i].updateMatrixWorld();
      this.views[i].forEach((view) => view.trace(camera));
      const aspect = tile[2] / tile[3];
      if (this.flat) {
        const tall = camera.userData.tall;
        Object.assign(camera, { left: -tall * aspect, right: tall * aspect, top: tall, bottom: -tall });
      } else camera.aspect = aspect;
      camera.updateProjectionMatrix();
      renderer.setViewport(...tile);
      renderer.setScissor(...tile);
      renderer.render(this.scenes[i], camera);
    });
  }
}
