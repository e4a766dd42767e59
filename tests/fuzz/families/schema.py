"""Values that the JSON schema of scene files allows, or nearly."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from .. import nasty

SCHEMA = json.loads((Path(__file__).parents[3] / "docs" / "scene.schema.json").read_text())
EXPRESSIONS = (
    "x < 0.5",
    "y > 0 and x < 1",
    "x**2 + y**2 < 1",
    "sin(t)",
    "0.1*x",
    "t",
    "z",
    "x <",
    "q",
)


def at(path: tuple[Any, ...], schema: dict[str, Any] | None = None) -> dict[str, Any] | None:
    """The schema of the value at a path, if the schema knows that path."""
    schema = _resolved(SCHEMA if schema is None else schema)
    if not path:
        return schema
    for option in (schema, *map(_resolved, schema.get("anyOf", ()))):
        if isinstance(path[0], str):
            extra = option.get("additionalProperties")
            below = option.get("properties", {}).get(path[0], extra)
        else:
            below = option.get("items")
        if isinstance(below, dict):
            return at(path[1:], below)
    return None


def instance(rng: random.Random, schema: dict[str, Any], depth: int = 5) -> Any:
    """A value for a schema: its fields have the right types, not always the right values."""
    schema = _resolved(schema)
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return instance(rng, rng.choice(schema[choice]), depth)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(schema["enum"])
    kind = schema.get("type")
    if kind == "object" and depth > 0:
        return _table(rng, schema, depth)
    if kind == "array":
        low = schema.get("minItems", 0)
        count = rng.randint(low, schema.get("maxItems", low + 2))
        return [instance(rng, schema.get("items", {}), depth - 1) for _ in range(count)]
    if kind in ("number", "integer"):
        return _number(rng, schema, kind == "integer")
    if kind == "boolean":
        return rng.random() < 0.5
    if kind == "string":
        return rng.choice(EXPRESSIONS) if rng.random() < 0.8 else nasty.text(rng)
    return nasty.value(rng, 1)


def _table(rng: random.Random, schema: dict[str, Any], depth: int) -> dict[str, Any]:
    fields = schema.get("properties", {})
    needed = set(schema.get("required", ()))
    chosen = [k for k in fields if k in needed or rng.random() < 1.5 / max(1, len(fields))]
    return {k: instance(rng, fields[k], depth - 1) for k in chosen}


def _number(rng: random.Random, schema: dict[str, Any], whole: bool) -> float:
    low = schema.get("minimum", schema.get("exclusiveMinimum", -2.0))
    high = schema.get("maximum", schema.get("exclusiveMaximum", low + 3.0))
    kind = rng.random()
    if kind < 0.15:
        return rng.choice((low, high))  # at an edge, which may belong to it or not
    if whole:
        return rng.randint(int(low), int(high))
    return rng.uniform(low, high) if kind < 0.9 else nasty.number(rng)


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]]
    return schema
