export {
  Box3, BufferAttribute, BufferGeometry, Color, CustomBlending, DirectionalLight, DoubleSide,
  DynamicDrawUsage, FrontSide, Group, HemisphereLight, LineBasicMaterial, LineSegments, Mesh,
  MeshBasicMaterial, MeshStandardMaterial, OneFactor, OneMinusSrcAlphaFactor, OrthographicCamera,
  PerspectiveCamera, PlaneGeometry, Scene, ShaderMaterial, ShadowMaterial, Vector3, VSMShadowMap, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/addons/controls/OrbitControls.js";
