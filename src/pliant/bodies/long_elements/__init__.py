"""Bodies full of liquid, made of long elements."""

from .long_elements import LongElements as LongElements
