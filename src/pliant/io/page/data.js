// What Python packed: deflated differences between frames, bytes sorted by place value.

const KINDS = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f4: Uint32Array };

async function unpack(entry) {
  const zipped = Uint8Array.from(atob(entry.data), (c) => c.charCodeAt(0));
  entry.data = null;
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const kind = KINDS[entry.kind], width = kind.BYTES_PER_ELEMENT, count = bytes.length / width;
  const whole = new kind(count);
  for (let plane = 0; plane < width; plane++) {
    for (let i = 0; i < count; i++) whole[i] |= bytes[plane * count + i] << (8 * plane);
  }
  return whole;
}

// The differences run from frame to frame; `row` numbers make one frame.
function summed(whole, row) {
  for (let i = row; i < whole.length; i++) whole[i] += whole[i - row];
  return whole;
}

async function unpackIndices(entry) {
  return summed(await unpack(entry), 1);
}

// Frames of numbers that are read one at a time, so that 16 bits stay 16 bits in memory.
class Frames {
  constructor(entry, whole) {
    this.count = entry.shape[0];
    this.row = entry.shape.slice(1).reduce((a, b) => a * b, 1);
    summed(whole, this.row);
    this.values = entry.kind === "f4" ? new Float32Array(whole.buffer) : whole;
    this.low = entry.low || [0, 0, 0];
    this.step = entry.step || [1, 1, 1];
  }

  static async of(entry) {
    return new Frames(entry, await unpack(entry));
  }

  // Points (m, 3) of a frame, into an array.
  points(frame, into) {
    const { row, values, low, step } = this;
    const start = Math.min(frame, this.count - 1) * row;
    for (let i = 0; i < row; i += 3) {
      into[i] = low[0] + step[0] * values[start + i];
      into[i + 1] = low[1] + step[1] * values[start + i + 1];
      into[i + 2] = low[2] + step[2] * values[start + i + 2];
    }
    return into;
  }

  numbers(frame) {
    const start = Math.min(frame, this.count - 1) * this.row;
    return this.values.subarray(start, start + this.row);
  }
}

async function loadTakes() {
  const takes = JSON.parse(document.getElementById("facts").textContent);
  for (const take of takes) {
    for (const body of take.bodies) {
      for (const name of ["vertices", "triangles", "edges"]) body[name] = await unpackIndices(body[name]);
      for (const outline of body.outlines) outline.creases = await unpackIndices(outline.creases);
      for (const name of ["positions", "shares", "ghosts"]) {
        if (body[name]) body[name] = await Frames.of(body[name]);
      }
    }
    for (const still of take.obstacles) {
      for (const name of ["triangles", "rim"]) still[name] = await unpackIndices(still[name]);
      for (const name of ["points", "normals"]) still[name] = await Frames.of(still[name]);
    }
    if (take.contacts) {
      for (const name of ["points", "tips"]) take.contacts[name] = await Frames.of(take.contacts[name]);
    }
  }
  return takes;
}

// One clock for all takes: their common times, or steps as fine as the finest of them.
function clockTimes(takes) {
  const first = takes[0].times;
  const same = takes.every((t) => t.times.length === first.length && t.times.every((s, i) => s === first[i]));
  if (same) return first;
  const end = Math.max(...takes.map((t) => t.times[t.times.length - 1]));
  const steps = takes.filter((t) => t.times.length > 1).map((t) => t.times[1] - t.times[0]);
  const count = Math.round(end / Math.min(...steps));
  return Array.from({ length: count + 1 }, (_, i) => (end * i) / count);
}

// The last frame that is not later than a time; a hair is added because times are rounded.
function frameAt(times, time) {
  const hair = times.length > 1 ? 1e-6 * (times[1] - times[0]) : 0;
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time + hair) low = middle; else high = middle - 1;
  }
  return low;
}
