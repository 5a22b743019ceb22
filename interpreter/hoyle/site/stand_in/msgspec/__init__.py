"""Stand-in for msgspec in WebAssembly, which has no build of it: records with slots, and plain values to and from JSON.

It does what this package uses, more slowly. `convert` checks types as msgspec does, for the few types of orders and imports.
"""

from __future__ import annotations

import operator
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

__all__ = ["Meta", "MsgspecError", "Raw", "Struct", "ValidationError", "convert", "field", "to_builtins"]


class MsgspecError(ValueError):
    """Base of all errors."""


class ValidationError(MsgspecError):
    """A value has another type than expected."""


class Raw(bytes):
    """JSON that is already encoded."""


class Meta:
    """Bounds of a value in `Annotated`: `ge`, `le`, `lt`, `min_length`, `max_length`."""

    def __init__(self, **bounds: int) -> None:
        self._bounds = bounds

    def holds(self, value: Any) -> bool:
        return all(_TESTS[name](value, bound) for name, bound in self._bounds.items())


_TESTS: dict[str, Callable[[Any, int], bool]] = {
    "ge": operator.ge,
    "le": operator.le,
    "lt": operator.lt,
    "min_length": lambda value, bound: len(value) >= bound,
    "max_length": lambda value, bound: len(value) <= bound,
}


class _Factory:
    """A default that is made for each instance."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


def field(*, default: Any = None, default_factory: Callable[[], Any] | None = None, name: str | None = None) -> Any:
    """Return the default of a field."""
    return _Factory(default_factory) if default_factory is not None else default


# ---- records ---------------------------------------------------------------------------------------------------------


class _StructType(type):
    """Makes a record class: its fields are the annotated names, those of base classes first."""

    _defaults: dict[str, Any]
    _config: dict[str, Any]
    _keyword_only: frozenset[str]
    __struct_fields__: tuple[str, ...]

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any], **config: Any) -> _StructType:
        own = [key for key, text in _list_annotations(space) if "ClassVar" not in str(text)]
        defaults = {key: _copy_safely(space.pop(key)) for key in own if key in space}
        parent = next((base for base in bases if isinstance(base, _StructType)), None)
        inherited = parent.__struct_fields__ if parent is not None else ()
        space["__slots__"] = tuple(key for key in own if key not in inherited)
        cls = super().__new__(mcs, name, bases, space)
        cls._defaults = {**(parent._defaults if parent is not None else {}), **defaults}
        cls._config = {**(parent._config if parent is not None else {}), **config}
        cls._keyword_only = frozenset(own if config.get("kw_only") else ()) | (
            parent._keyword_only if parent else frozenset()
        )
        fields = (*inherited, *space["__slots__"])
        cls.__struct_fields__ = tuple(sorted(fields, key=cls._keyword_only.__contains__))
        setattr(cls, "__match_args__", tuple(k for k in cls.__struct_fields__ if k not in cls._keyword_only))  # noqa: B010
        if parent is not None:
            _add_methods(cls, space)
        return cls

    def __init__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any], **config: Any) -> None:
        super().__init__(name, bases, space)


def _list_annotations(space: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return the annotations of a class body. Since Python 3.14 a function makes them."""
    found = space.get("__annotations__")
    if found is None and (make := space.get("__annotate_func__") or space.get("__annotate__")) is not None:
        found = make(4)  # as text
    return list((found or {}).items())


def _copy_safely(default: Any) -> Any:
    return _Factory(type(default)) if type(default) in (list, dict, set) else default


def _add_methods(cls: _StructType, space: Mapping[str, Any]) -> None:
    methods: dict[str, Any] = {"__init__": _init_first}
    if cls._config.get("frozen"):
        methods |= {"__setattr__": _refuse, "__delattr__": _refuse}
    if cls._config.get("eq", True):
        methods["__eq__"] = _equal
        methods["__hash__"] = _hash if cls._config.get("frozen") else None
    else:
        methods |= {"__eq__": object.__eq__, "__hash__": object.__hash__}
    for name, method in methods.items():
        if name not in space:
            setattr(cls, name, method)


def _init_first(self: Any, *args: Any, **named: Any) -> None:
    """Write the constructor of a class when its first instance is made: most classes of a program never have one."""
    cls = type(self)
    names: dict[str, Any] = {}
    keyword, positional, body = list[str](), list[str](), list[str]()
    for owner in cls.__mro__:
        names |= {
            f"_set_{key}": vars(owner)[key].__set__
            for key in vars(owner).get("__slots__", ())
            if key in cls.__struct_fields__
        }
    for key in cls.__struct_fields__:
        value, text = key, key
        if key in cls._defaults:
            default = cls._defaults[key]
            text = f"{key}=_default_{key}"
            names[f"_default_{key}"] = default
            if isinstance(default, _Factory):
                value = f"_default_{key}.make() if {key} is _default_{key} else {key}"
        (keyword if key in cls._keyword_only else positional).append(text)
        body.append(f"    _set_{key}(self, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("    self.__post_init__()")
    parameters = ", ".join(["self", *positional, *(["*", *keyword] if keyword else [])])
    exec("\n".join([f"def __init__({parameters}):", *(body or ["    pass"])]), names)  # noqa: S102 - names are identifiers of this program
    cls.__init__ = names["__init__"]
    cls.__init__(self, *args, **named)


def _refuse(self: Any, name: str, value: Any = None) -> None:
    raise AttributeError(f"immutable type: '{type(self).__name__}'")


def _get_values(record: Any) -> tuple[Any, ...]:
    return tuple([getattr(record, name) for name in record.__struct_fields__])


def _equal(self: Any, other: object) -> Any:
    return _get_values(self) == _get_values(other) if type(self) is type(other) else NotImplemented


def _hash(self: Any) -> int:
    return hash((type(self), _get_values(self)))


class Struct(metaclass=_StructType):
    """Base of records."""

    __struct_fields__ = tuple[str, ...]()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={getattr(self, k)!r}' for k in self.__struct_fields__)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), _get_values(self))

    def __copy__(self) -> Any:
        return _restore(type(self), _get_values(self))

    def __rich_repr__(self) -> Iterator[tuple[str, Any]]:
        return iter([(name, getattr(self, name)) for name in self.__struct_fields__])


def _restore(cls: Any, values: tuple[Any, ...]) -> Any:
    return cls(**dict(zip(cls.__struct_fields__, values, strict=True)))


# ---- plain values ----------------------------------------------------------------------------------------------------


def to_builtins(value: Any) -> Any:
    """Return a value made of dictionaries, lists, texts, numbers, truth values and None."""
    if isinstance(value, Struct):
        config, values = type(value)._config, {k: to_builtins(getattr(value, k)) for k in value.__struct_fields__}
        if config.get("array_like"):
            return list(values.values())
        if config.get("omit_defaults"):
            values = {
                k: v for k, v in values.items() if k not in type(value)._defaults or v != type(value)._defaults[k]
            }
        tag = config.get("tag")
        head = {config.get("tag_field") or "type": type(value).__name__ if tag is True else tag} if tag else {}
        return {**head, **values}
    if isinstance(value, Mapping):
        return {to_builtins(key): to_builtins(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [to_builtins(one) for one in value]
    return value


def convert(value: Any, type: Any) -> Any:
    """Return a plain value as a value of a type. Raises ValidationError."""
    origin, args = get_origin(type), get_args(type)
    if origin is Annotated:
        converted = convert(value, args[0])
        if not all(meta.holds(converted) for meta in args[1:] if isinstance(meta, Meta)):
            raise ValidationError(f"out of bounds: {value!r}")
        return converted
    if origin in (Union, types.UnionType):
        for choice in args:
            try:
                return convert(value, choice)
            except ValidationError:
                continue
    elif type is Any or (type is None and value is None) or (type is types.NoneType and value is None):
        return value
    elif origin is Literal:
        if any(value == choice and value.__class__ is choice.__class__ for choice in args):
            return value
    elif isinstance(type, _StructType) and isinstance(value, Mapping):
        return _convert_record(value, type)
    elif origin in (dict, Mapping) or getattr(origin, "__name__", "") == "Mapping":
        if isinstance(value, Mapping):
            return {convert(key, args[0]): convert(one, args[1]) for key, one in value.items()}
    elif isinstance(value, (list, tuple)):
        if origin is tuple and args[-1:] != (...,) and len(args) == len(value):
            return tuple(convert(one, arg) for one, arg in zip(value, args, strict=True))
        if origin in (list, tuple, set, frozenset) or getattr(origin, "__name__", "") == "Sequence":
            made = [convert(one, args[0]) for one in value]
            return made if origin not in (tuple, set, frozenset) else origin(made)
    elif type in (str, int, float, bool) and (value.__class__ is type or (type is float and value.__class__ is int)):
        return value
    raise ValidationError(f"Expected {type}, got {value!r}")


def _convert_record(value: Mapping[str, Any], cls: Any) -> Any:
    hints = get_type_hints(cls, vars(sys.modules[cls.__module__]), include_extras=True)
    config, fields = cls._config, cls.__struct_fields__
    tag = config.get("tag_field") if config.get("tag") else None
    if tag is not None and value.get(tag) != config["tag"]:
        raise ValidationError(f"Expected {config['tag']!r} in {tag!r}")
    unknown = [key for key in value if key not in fields and key != tag]
    missing = [key for key in fields if key not in value and key not in cls._defaults]
    if missing or (unknown and config.get("forbid_unknown_fields")):
        raise ValidationError(f"missing: {missing}, unknown: {unknown}")
    return cls(**{key: convert(value[key], hints[key]) for key in fields if key in value})


from msgspec import json, structs  # noqa: E402, F401 - part of the package, and they need what is above
