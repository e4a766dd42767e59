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
    this.rim = new Silhouette(body, this.shown.creases, { transparent: true, opacity: 0.6, depthWrite: false });
    const shape = new THREE.BufferGeometry();
    shape.setIndex(new THREE.BufferAttribute(body.triangles, 1));
    shape.setAttribute("position", new THREE.BufferAttribute(this.rim.x, 3).setUsage(THREE.DynamicDrawUsage));
    // Blended, yet among the opaque things, which come first: the body then covers its ghost.
    const veil = {
      blending: THREE.CustomBlending, blendSrcAlpha: THREE.OneFactor, blendDstAlpha: THREE.OneMinusSrcAlphaFactor,
      opacity: 0.12, depthWrite: false, side: THREE.FrontSide,
    };
    this.ghost = new THREE.Group();
    const mesh = new THREE.Mesh(shape, new THREE.MeshBasicMaterial(veil));
    // Drawn unseen, after all else, so that the shape hides those of its lines that are behind it.
    const unseen = new THREE.MeshBasicMaterial({
      colorWrite: false, transparent: true, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 8,
    });
    this.veil = mesh.material;
    this.veilShape = shape;
    this.ghost.add(mesh, this.rim.lines);
    if (body.plane) this.veil.depthTest = this.rim.lines.material.depthTest = false;
    else this.ghost.add(new THREE.Mesh(shape, unseen));
    [mesh, this.rim.lines, ...this.ghost.children.slice(2)].forEach((part, i) => {
      part.frustumCulled = false;
      part.renderOrder = [-1, 3, 2][i];
    });
    this.group.add(this.ghost);
    this.ghostFrame = -1;
  }

  dress(looks) {
    this.coloured = looks.colour && Boolean(this.body.shares);
    this.lines.visible = looks.mesh;
    if (this.ghost) {
      this.ghost.visible = looks.ghost;
      for (const material of [this.veil, this.rim.lines.material]) material.color.set(css("--ink"));
    }
  }

  #outlineOf(frame) {
    const now = this.body.outlines.filter((outline) => outline.first <= frame).pop();
    if (now === this.shown) return;
    this.shown = now;
    this.outline.geometry.setIndex(new THREE.BufferAttribute(now.creases, 1));
    if (this.rim) this.rim.follow(now.creases);
  }

  show(frame) {
    const { body, points, surface } = this;
    this.#outlineOf(frame);
    body.positions.points(frame, points);
    const position = surface.attributes.position.array;
    spread(body.vertices, points, position);
    vertexNormals(body.triangles, position, surface.attributes.normal.array);
    this.#paint(frame, surface.attributes.color.array);
    for (const attribute of Object.values(surface.attributes)) attribute.needsUpdate = true;
    this.lines.geometry.attributes.position.needsUpdate = true;
    this.outline.geometry.attributes.position.needsUpdate = true;
    if (this.ghost && (this.ghostFrame < 0 || body.ghosts.count > 1)) {
      body.ghosts.points(frame, this.ghostPoints);
      this.rim.place(this.ghostPoints);
      this.veilShape.attributes.position.needsUpdate = true;
      this.ghostFrame = frame;
    }
  }

  // Draw the outline of the rest shape as this camera sees it.
  trace(camera) {
    if (!this.ghost || !this.ghost.visible || this.ghostFrame < 0) return;
    const eye = this.group.worldToLocal(camera.getWorldPosition(new THREE.Vector3()));
    const afar = Boolean(camera.isOrthographicCamera);
    if (afar) eye.sub(this.group.worldToLocal(camera.position.clone().add(camera.getWorldDirection(new THREE.Vector3()))));
    this.rim.trace(eye, afar);
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
