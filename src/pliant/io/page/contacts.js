// What touches in each frame: a dot where, and a line along the force.

class ContactsView {
  constructor(contacts) {
    this.contacts = contacts;
    this.group = new THREE.Group();
    this.group.visible = false;
    const { ends } = contacts, most = ends.reduce((m, end, i) => Math.max(m, end - (ends[i - 1] || 0)), 0);
    this.points = new Float32Array(contacts.points.row);
    this.tips = new Float32Array(contacts.tips.row);
    contacts.points.points(0, this.points);
    contacts.tips.points(0, this.tips);
    const buffer = (count) => {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * count), 3).setUsage(THREE.DynamicDrawUsage));
      return geometry;
    };
    this.lines = buffer(2 * most);
    this.dots = buffer(most);
    const look = { color: 0xd02060, depthTest: false, transparent: true };
    const lines = new THREE.LineSegments(this.lines, new THREE.LineBasicMaterial(look));
    const dots = new THREE.Points(this.dots, new THREE.PointsMaterial({ ...look, size: 4, sizeAttenuation: false }));
    for (const thing of [lines, dots]) {
      thing.frustumCulled = false;
      this.group.add(thing);
    }
  }

  dress(looks) {
    this.group.visible = looks.contacts;
  }

  show(frame) {
    const { ends } = this.contacts, last = Math.min(frame, ends.length - 1);
    const start = last ? ends[last - 1] : 0, count = ends[last] - start;
    const line = this.lines.attributes.position, dot = this.dots.attributes.position;
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) {
        const p = this.points[3 * (start + i) + k];
        dot.array[3 * i + k] = p;
        line.array[6 * i + k] = p;
        line.array[6 * i + 3 + k] = this.tips[3 * (start + i) + k];
      }
    }
    this.lines.setDrawRange(0, 2 * count);
    this.dots.setDrawRange(0, count);
    line.needsUpdate = dot.needsUpdate = true;
  }
}
