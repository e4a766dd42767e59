// Colours: blue at rest, over sand, to coral far from it; and one colour per series of the chart.

const RAMP = ["#3b82b5", "#5fa8b8", "#e8d8a8", "#f2a65a", "#e4572e"];
const SERIES = ["#e4572e", "#2f78ad", "#dd9a1f", "#4f9d69", "#8e6bbf", "#3aa6a0", "#c25b8f"];

function css(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function channels(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
}

// 256 colours in the renderer's linear space, three numbers each.
function rampTable() {
  const stops = RAMP.map(channels), table = new Float32Array(256 * 3), colour = new THREE.Color();
  for (let i = 0; i < 256; i++) {
    const place = (i / 255) * (stops.length - 1), k = Math.min(Math.floor(place), stops.length - 2), t = place - k;
    const [r, g, b] = stops[k].map((c, j) => c + t * (stops[k + 1][j] - c));
    colour.setRGB(r, g, b, "srgb").toArray(table, 3 * i);
  }
  return table;
}
