"""The bodies that are not solids of finite elements: each a `Deformable` made of its own energies."""
