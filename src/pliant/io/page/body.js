// One body on the stage: its surface, its mesh lines, and the ghost of its rest shape.

class BodyView {
  constructor(body, colour, ramp) {
    this.body = body;
    this.ramp = ramp;
    this.group = new THREE.Group();
    this.points = new Float32Array(body.positions.row);
    this.colour = colour;
    const { vertices, triangles } = body;

    this.surface = new THREE.BufferGeometry();
    this.surface.setIndex(new THREE.BufferAttribute(triangles, 1));
    for (const name of ["position", "normal", "color"]) {
      const attribute = new THREE.BufferAttribute(new Float32Array(3 * vertices.length), 3);
      this.surface.setAttribute(name, attribute.setUsage(THREE.DynamicDrawUsage));
    }
    const look = { vertexColors: true, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
    this.material = body.plane
      ? new THREE.MeshBasicMaterial(look)
      : new THREE.MeshStandardMaterial({ ...look, roughness: 0.62, metalness: 0 });
    const mesh = new THREE.Mesh(this.surface, this.material);
    mesh.castShadow = !body.plane; // and receives none: on soft shapes a shadow map's own errors show
    mesh.frustumCulled = false; // its box would have to be measured in every frame
    this.group.add(mesh);

    this.lines = this.#lines(body.edges, this.points, { color: 0x10202c, transparent: true, opacity: 0.3 });
    this.shown = body.outlines[0]; // what is cut later has more sharp edges then
    this.outline = this.#lines(this.shown.creases, this.points, { color: 0x10202c, transparent: true, opacity: body.plane ? 0.75 : 0.22 });
    this.outline.visible = true;
    if (body.ghosts) this.#makeGhost();
  }

  #lines(pairs, points, look) {
    const geometry = new THREE.BufferGeometry();
    geometry.setIndex(new THREE.BufferAttribute(pairs, 1));
    geometry.setAttribute("position", new THREE.BufferAttribute(points, 3).setUsage(THREE.DynamicDrawUsage));
    const lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial(look));
    lines.frustumCulled = false;
    lines.visible = false;
    this.group.add(lines);
    return lines;
  }

  #makeGhost() {
    const { body } = this;
    this.ghostPoints = new Float32Array(body.ghosts.row);
    this.ghostLines = this.#lines(this.shown.creases, this.ghostPoints, { transparent: true, opacity: 0.55 });
    const shape = new THREE.BufferGeometry();
    shape.setIndex(new THREE.BufferAttribute(body.triangles.map((v) => body.vertices[v]), 1));
    shape.setAttribute("position", this.ghostLines.geometry.attributes.position);
    // Blended, yet among the opaque things, which come first: the body then covers its ghost.
    const veil = {
      blending: THREE.CustomBlending, blendSrcAlpha: THREE.OneFactor, blendDstAlpha: THREE.OneMinusSrcAlphaFactor,
      opacity: 0.12, depthWrite: false, side: THREE.FrontSide,
    };
    this.ghost = new THREE.Mesh(shape, new THREE.MeshBasicMaterial(veil));
    this.ghost.frustumCulled = false;
    this.ghost.renderOrder = -1;
    this.ghostLines.renderOrder = 1;
    if (body.plane) this.ghost.material.depthTest = this.ghostLines.material.depthTest = false;
    this.group.add(this.ghost);
    this.ghostFrame = -1;
  }

  dress(looks) {
    this.coloured = looks.colour && Boolean(this.body.shares);
    this.lines.visible = looks.mesh;
    if (this.ghost) {
      this.ghost.visible = this.ghostLines.visible = looks.ghost;
      const ink = new THREE.Color(css("--ink"));
      this.ghost.material.color.copy(ink);
      this.ghostLines.material.color.copy(ink);
    }
  }

  #outlineOf(frame) {
    const now = this.body.outlines.filter((outline) => outline.first <= frame).pop();
    if (now === this.shown) return;
    this.shown = now;
    for (const lines of [this.outline, this.ghostLines]) {
      if (lines) lines.geometry.setIndex(new THREE.BufferAttribute(now.creases, 1));
    }
  }

  show(frame) {
    const { body, points, surface } = this;
    this.#outlineOf(frame);
    body.positions.points(frame, points);
    const position = surface.attributes.position.array, { vertices } = body;
    for (let v = 0; v < vertices.length; v++) {
      const from = 3 * vertices[v], to = 3 * v;
      position[to] = points[from];
      position[to + 1] = points[from + 1];
      position[to + 2] = points[from + 2];
    }
    this.#shade(position, surface.attributes.normal.array);
    this.#paint(frame, surface.attributes.color.array);
    for (const attribute of Object.values(surface.attributes)) attribute.needsUpdate = true;
    this.lines.geometry.attributes.position.needsUpdate = true;
    this.outline.geometry.attributes.position.needsUpdate = true;
    if (this.ghost && (this.ghostFrame < 0 || body.ghosts.count > 1)) {
      body.ghosts.points(frame, this.ghostPoints);
      this.ghostLines.geometry.attributes.position.needsUpdate = true;
      this.ghostFrame = frame;
    }
  }

  // Normals of the vertices: the sum of their triangles' area vectors.
  #shade(x, normals) {
    const { triangles } = this.body;
    normals.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
      const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
      const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
      const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
      const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
      for (const i of [a, b, c]) {
        normals[i] += nx;
        normals[i + 1] += ny;
        normals[i + 2] += nz;
      }
    }
    for (let i = 0; i < normals.length; i += 3) {
      const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2]) || 1;
      normals[i] /= length;
      normals[i + 1] /= length;
      normals[i + 2] /= length;
    }
  }

  #paint(frame, colours) {
    const { vertices, shares } = this.body;
    if (!this.coloured) {
      for (let i = 0; i < colours.length; i += 3) this.colour.toArray(colours, i);
      return;
    }
    const share = shares.numbers(frame), { ramp } = this;
    for (let v = 0; v < vertices.length; v++) {
      const from = 3 * share[vertices[v]];
      colours[3 * v] = ramp[from];
      colours[3 * v + 1] = ramp[from + 1];
      colours[3 * v + 2] = ramp[from + 2];
    }
  }
}
