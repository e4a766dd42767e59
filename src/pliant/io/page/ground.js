// The ground below 3D bodies, or the floor they fall on: a grid of round spacing that fades out, and their shadow.

const GRID_VERTEX = `
varying vec2 place;
void main() {
  place = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const GRID_FRAGMENT = `
uniform float spacing, reach, strength;
uniform vec3 colour;
varying vec2 place;
float lines(float every) {
  vec2 p = place / every;
  vec2 d = abs(fract(p - 0.5) - 0.5) / fwidth(p);
  return 1.0 - min(min(d.x, d.y), 1.0);
}
void main() {
  float fade = smoothstep(1.0, 0.15, length(place) / reach);
  float line = max(0.45 * lines(spacing), lines(5.0 * spacing));
  gl_FragColor = vec4(colour, strength * line * fade);
  #include <colorspace_fragment>
}`;

// 1, 2 or 5 times a power of ten, near a length.
function roundLength(length) {
  const power = 10 ** Math.floor(Math.log10(length)), lead = length / power;
  return (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * power;
}

class Ground {
  constructor(box, floor) {
    const size = box.getSize(new THREE.Vector3()), reach = 1.6 * size.length();
    this.spacing = roundLength(size.length() / 12);
    const plane = new THREE.PlaneGeometry(2 * reach, 2 * reach);
    this.material = new THREE.ShaderMaterial({
      vertexShader: GRID_VERTEX, fragmentShader: GRID_FRAGMENT, transparent: true, depthWrite: false, side: THREE.DoubleSide,
      uniforms: { spacing: { value: this.spacing }, reach: { value: reach }, strength: { value: 0.5 }, colour: { value: new THREE.Color() } },
    });
    this.shade = new THREE.ShadowMaterial({ depthWrite: false });
    this.group = new THREE.Group();
    const shadow = new THREE.Mesh(plane, this.shade), grid = new THREE.Mesh(plane, this.material);
    shadow.receiveShadow = true;
    grid.renderOrder = -2;
    shadow.renderOrder = -1;
    this.group.add(grid, shadow);
    this.group.rotation.x = -Math.PI / 2;
    const middle = box.getCenter(new THREE.Vector3());
    const height = floor === null ? box.min.y - 0.015 * size.length() : floor + 0.001 * size.length();
    this.group.position.set(middle.x, height, middle.z);
  }

  dress() {
    this.material.uniforms.colour.value.set(css("--grid"));
    this.shade.opacity = Number(css("--shadow"));
  }
}
