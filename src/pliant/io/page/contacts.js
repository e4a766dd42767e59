// What touches in each frame: a line from there along the force.

class ContactsView {
  constructor(contacts) {
    this.contacts = contacts;
    this.group = new THREE.Group();
    this.group.visible = false;
    const { ends, points, tips } = contacts;
    const most = ends.reduce((m, end, i) => Math.max(m, end - (i ? ends[i - 1] : 0)), 0);
    this.points = points.points(0, new Float32Array(points.row));
    this.tips = tips.points(0, new Float32Array(tips.row));
    this.lines = new THREE.BufferGeometry();
    this.lines.setAttribute("position", new THREE.BufferAttribute(new Float32Array(6 * most), 3).setUsage(THREE.DynamicDrawUsage));
    const look = new THREE.LineBasicMaterial({ color: 0xd02060, depthTest: false, transparent: true });
    const lines = new THREE.LineSegments(this.lines, look);
    lines.frustumCulled = false;
    lines.renderOrder = 1;
    this.group.add(lines);
  }

  dress(looks) {
    this.group.visible = looks.contacts;
  }

  show(frame) {
    const { ends } = this.contacts, last = Math.min(frame, ends.length - 1);
    const start = last ? ends[last - 1] : 0, count = ends[last] - start;
    const { array } = this.lines.attributes.position;
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) {
        array[6 * i + k] = this.points[3 * (start + i) + k];
        array[6 * i + 3 + k] = this.tips[3 * (start + i) + k];
      }
    }
    this.lines.setDrawRange(0, 2 * count);
    this.lines.attributes.position.needsUpdate = true;
  }
}
