// An obstacle on the stage. A wall is seen from the side where bodies are.

class StillView {
  constructor(still) {
    this.still = still;
    this.group = new THREE.Group();
    const shape = new THREE.BufferGeometry();
    shape.setIndex(new THREE.BufferAttribute(still.triangles, 1));
    for (const [name, frames] of [["position", still.points], ["normal", still.normals]]) {
      shape.setAttribute(name, new THREE.BufferAttribute(frames.points(0, new Float32Array(frames.row)), 3));
    }
    const look = { side: still.wall && !still.flat ? THREE.FrontSide : THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
    this.material = still.flat || still.wall
      ? new THREE.MeshBasicMaterial(look)
      : new THREE.MeshStandardMaterial({ ...look, roughness: 0.7, metalness: 0 });
    this.shape = shape;
    const mesh = new THREE.Mesh(shape, this.material);
    mesh.frustumCulled = still.points.count === 1;
    mesh.castShadow = !still.flat && !still.wall;
    this.group.add(mesh);
    if (!still.flat) return;
    const rim = new THREE.BufferGeometry();
    rim.setIndex(new THREE.BufferAttribute(still.rim, 1));
    rim.setAttribute("position", shape.attributes.position);
    this.rim = new THREE.LineSegments(rim, new THREE.LineBasicMaterial({ color: 0x10202c, transparent: true, opacity: 0.45 }));
    this.group.add(this.rim);
  }

  show(frame) {
    const { points, normals } = this.still;
    if (points.count === 1) return;
    for (const [name, frames] of [["position", points], ["normal", normals]]) {
      frames.points(frame, this.shape.attributes[name].array);
      this.shape.attributes[name].needsUpdate = true;
    }
  }

  dress() {
    this.material.color.set(css(this.still.wall ? "--wall" : "--still"));
  }
}
