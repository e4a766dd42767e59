// What stands still on the stage: an obstacle. A wall is seen from the side where bodies are.

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
    const mesh = new THREE.Mesh(shape, this.material);
    mesh.castShadow = !still.flat && !still.wall;
    this.group.add(mesh);
    if (!still.flat) return;
    const rim = new THREE.BufferGeometry();
    rim.setIndex(new THREE.BufferAttribute(still.rim, 1));
    rim.setAttribute("position", shape.attributes.position);
    this.rim = new THREE.LineSegments(rim, new THREE.LineBasicMaterial({ color: 0x10202c, transparent: true, opacity: 0.45 }));
    this.group.add(this.rim);
  }

  dress() {
    this.material.color.set(css(this.still.wall ? "--wall" : "--still"));
  }
}
