// Where a surface turns away from the eye: the outline of a shape, whatever the edges of its mesh are.

// Normals of vertices at x: the sum of their triangles' area vectors, of length one.
function vertexNormals(triangles, x, normals) {
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

// Points of a body as its vertices: a point on a crease is several.
function spread(vertices, points, into) {
  for (let v = 0; v < vertices.length; v++) {
    const from = 3 * vertices[v], to = 3 * v;
    into[to] = points[from];
    into[to + 1] = points[from + 1];
    into[to + 2] = points[from + 2];
  }
}

class Silhouette {
  constructor(body, creases, look) {
    const { vertices, triangles } = body;
    this.body = body;
    this.x = new Float32Array(3 * vertices.length);
    this.normals = new Float32Array(3 * vertices.length);
    this.values = new Float32Array(vertices.length);
    this.facing = new Uint8Array(triangles.length / 3);
    this.follow(creases);
    this.geometry = new THREE.BufferGeometry();
    const room = new Float32Array(6 * (triangles.length / 3 + body.outlines.reduce((n, o) => Math.max(n, o.creases.length / 2), 0)));
    this.geometry.setAttribute("position", new THREE.BufferAttribute(room, 3).setUsage(THREE.DynamicDrawUsage));
    this.lines = new THREE.LineSegments(this.geometry, new THREE.LineBasicMaterial(look));
    this.lines.frustumCulled = false;
  }

  // The creases from now on, each with the triangles on its two sides: -1 beyond an open end.
  follow(creases) {
    const { vertices, triangles } = this.body, places = new Map();
    const key = (p, q) => (p < q ? p * 4294967296 + q : q * 4294967296 + p);
    this.creases = creases;
    this.sides = new Int32Array(creases.length).fill(-1);
    for (let i = 0; i < creases.length; i += 2) places.set(key(creases[i], creases[i + 1]), i);
    for (let t = 0; t < triangles.length && places.size; t++) {
      const next = t % 3 === 2 ? t - 2 : t + 1;
      const at = places.get(key(vertices[triangles[t]], vertices[triangles[next]]));
      if (at !== undefined) this.sides[this.sides[at] < 0 ? at : at + 1] = Math.floor(t / 3);
    }
  }

  // The surface is at these points of the body.
  place(points) {
    spread(this.body.vertices, points, this.x);
    vertexNormals(this.body.triangles, this.x, this.normals);
    this.points = points;
  }

  // Find the outline for an eye at a place, or for one afar in a direction.
  trace(eye, afar) {
    const { x, normals, values, facing, creases, sides, points } = this, { triangles } = this.body;
    const [ex, ey, ez] = [eye.x, eye.y, eye.z], into = this.geometry.attributes.position.array;
    const toward = (i, k) => (afar ? (k === 0 ? ex : k === 1 ? ey : ez) : (k === 0 ? ex : k === 1 ? ey : ez) - x[i + k]);
    let count = 0;
    for (let v = 0, i = 0; v < values.length; v++, i += 3) {
      values[v] = normals[i] * toward(i, 0) + normals[i + 1] * toward(i, 1) + normals[i + 2] * toward(i, 2);
    }
    const cross = (i, j) => {
      const share = values[i] / (values[i] - values[j]);
      for (let k = 0; k < 3; k++) into[count++] = x[3 * i + k] + share * (x[3 * j + k] - x[3 * i + k]);
    };
    for (let t = 0; t < triangles.length; t += 3) {
      const [i, j, k] = [triangles[t], triangles[t + 1], triangles[t + 2]];
      const [a, b, c] = [values[i] > 0, values[j] > 0, values[k] > 0];
      if (a === b && b === c) continue;
      if (a !== b && a !== c) { cross(i, j); cross(i, k); }
      else if (b !== a && b !== c) { cross(j, i); cross(j, k); }
      else { cross(k, i); cross(k, j); }
    }
    if (creases.length) this.#face(toward, facing);
    for (let i = 0; i < creases.length; i += 2) {
      if (sides[i] >= 0 && sides[i + 1] >= 0 && facing[sides[i]] === facing[sides[i + 1]]) continue;
      for (const end of [creases[i], creases[i + 1]]) {
        for (let k = 0; k < 3; k++) into[count++] = points[3 * end + k];
      }
    }
    this.geometry.setDrawRange(0, count / 3);
    this.geometry.attributes.position.needsUpdate = true;
  }

  // Which triangles are turned to the eye.
  #face(toward, facing) {
    const { x } = this, { triangles } = this.body;
    for (let t = 0; t < triangles.length; t += 3) {
      const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
      const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
      const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
      const turned = (uy * vz - uz * vy) * toward(a, 0) + (uz * vx - ux * vz) * toward(a, 1) + (ux * vy - uy * vx) * toward(a, 2);
      facing[t / 3] = turned > 0 ? 1 : 0;
    }
  }
}
