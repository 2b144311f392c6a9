#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Describes the plugin in the JSON that hotdoc reads, GStreamer's "plugin cache".

usage: plugin_cache.py FILE          writes the file, which has to exist, anew
       plugin_cache.py --check FILE  fails, with the differences, if the file says something else

The plugin is the one that GStreamer finds (GST_PLUGIN_PATH). If it was built without CUDA, the caps
of its pads stay as they are in the file, because those of the plugin lack GPU memory. Runs with the
distribution's Python, which has GStreamer's bindings. GStreamer's own program for this is not in
Debian's packages.
"""
import difflib
import json
import pathlib
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GObject, Gst  # noqa: E402

PLUGIN = "mosaictemporal"
# From what may change in most states to what may change in fewest.
MUTABLE = [(Gst.PARAM_MUTABLE_PLAYING, "playing"), (Gst.PARAM_MUTABLE_PAUSED, "paused"),
           (Gst.PARAM_MUTABLE_READY, "ready")]
NUMBERS = {"gint": "%d", "guint": "%d", "gint64": "%d", "guint64": "%d", "gfloat": "%g",
           "gdouble": "%g"}


def is_plugin_api(gtype):
    """Whether the type belongs to the plugin, and its documentation into the plugin's."""
    return Gst.type_is_plugin_api(gtype)[0]


def default_of(element, spec):
    """{default, min, max} of a property of a new element, as far as it has them."""
    name, value = spec.value_type.name, element.get_property(spec.name)
    if name in NUMBERS:
        return {key: NUMBERS[name] % number for key, number in
                (("default", value), ("min", spec.minimum), ("max", spec.maximum))}
    if name == "gboolean":
        return {"default": "true" if value else "false"}
    if name == "gchararray":
        return {"default": "NULL" if value is None else value}
    if spec.value_type.is_a(GObject.TYPE_ENUM):
        return {"default": f"{value.value_nick} ({int(value)})"}
    if spec.value_type.is_a(GObject.TYPE_FLAGS):
        return {"default": "+".join(reversed(value.value_nicks)) or "(none)"}
    return {}  # structures and other boxed types, which are made while playing


def property_of(element, spec):
    flags = int(spec.flags)
    return {
        "blurb": spec.blurb,
        "conditionally-available": bool(flags & Gst.PARAM_CONDITIONALLY_AVAILABLE),
        "construct": bool(flags & GObject.ParamFlags.CONSTRUCT),
        "construct-only": bool(flags & GObject.ParamFlags.CONSTRUCT_ONLY),
        "controllable": bool(flags & Gst.PARAM_CONTROLLABLE),
        "mutable": next((name for flag, name in MUTABLE if flags & flag), "null"),
        "readable": bool(flags & GObject.ParamFlags.READABLE),
        "writable": bool(flags & GObject.ParamFlags.WRITABLE),
        "type": spec.value_type.name,
        **default_of(element, spec)}


def constants_of(gtype):
    """An enumeration or flags, of which GStreamer's format has the values as text."""
    of_enum = gtype.is_a(GObject.TYPE_ENUM)
    values = gtype.pytype.__enum_values__ if of_enum else gtype.pytype.__flags_values__
    return {"kind": "enum" if of_enum else "flags",
            "values": [{"name": value.value_nick if of_enum else value.value_nicks[0],
                        "value": str(int(value)) if of_enum else f"0x{int(value):08x}",
                        "desc": value.value_name if of_enum else value.value_names[0]}
                       for value in values.values()]}


def hierarchy_of(gtype):
    """The names of the type and of those that it is derived from."""
    names = [gtype.name]
    while gtype != GObject.TYPE_OBJECT:
        gtype = gtype.parent
        names.append(gtype.name)
    return names


def object_of(element, gtype, other_types):
    """What a class adds to the one it is derived from; collects the plugin's own types."""
    if GObject.signal_list_names(gtype):
        sys.exit(f"{gtype.name} has signals, which this script does not describe")
    properties = {}
    for spec in element.list_properties():
        if spec.owner_type == gtype:
            properties[spec.name] = property_of(element, spec)
            kind = spec.value_type
            if kind.is_a(GObject.TYPE_ENUM) or kind.is_a(GObject.TYPE_FLAGS):
                if is_plugin_api(kind):
                    other_types[kind.name] = constants_of(kind)
    if gtype != GObject.TYPE_OBJECT and is_plugin_api(gtype.parent):
        other_types[gtype.parent.name] = {
            "kind": "object", **object_of(element, gtype.parent, other_types)}
    return {"hierarchy": hierarchy_of(gtype), "properties": properties}


def caps_text(caps):
    """Caps as GStreamer's documentation shows them: a line for each field."""
    lines = []
    for index in range(caps.get_size()):
        structure, features = caps.get_structure(index), caps.get_features(index)
        kind = "" if features.to_string() == Gst.CAPS_FEATURE_MEMORY_SYSTEM_MEMORY else \
            f"({features.to_string()})"
        lines += [""] * (index > 0) + [f"{structure.get_name()}{kind}:"]
        # Only as text does a structure show its fields to Python, as "name=(type)value, ...".
        _, *fields = Gst.Structure.to_string(structure).rstrip(";").split(", ")
        text = ", ".join(fields)
        for number in range(structure.n_fields()):
            name = structure.nth_field_name(number)
            start = text.index(f"{name}=") + len(name) + 1
            end = len(text) if number + 1 == structure.n_fields() else \
                text.index(f", {structure.nth_field_name(number + 1)}=")
            value = text[start:end]
            value = value.split(")", 1)[1] if value.startswith("(") else value
            lines.append(f"{name:>15}: {value.replace('(string)', '')}")
    return "\n".join(lines) + "\n"


def pad_template_of(template):
    return {"caps": caps_text(template.get_caps()),
            "direction": template.direction.value_nick,
            "presence": template.presence.value_nick}


def element_of(factory, other_types):
    element = factory.create(None)
    return {
        **{key: factory.get_metadata(key) for key in ("author", "description", "klass")},
        "rank": {Gst.Rank.NONE: "none", Gst.Rank.PRIMARY: "primary"}[factory.get_rank()],
        "interfaces": [interface.name for interface in element.__gtype__.interfaces],
        "pad-templates": {template.name_template: pad_template_of(template)
                          for template in element.get_pad_template_list()},
        **object_of(element, element.__gtype__, other_types)}


def plugin_of(plugin):
    """The description of a plugin, without its version and what depends on how it was built."""
    other_types = {}
    features = Gst.Registry.get().get_feature_list_by_plugin(PLUGIN)
    return {PLUGIN: {
        "description": plugin.get_description(), "filename": f"gst{PLUGIN}",
        "source": plugin.get_source(), "package": plugin.get_package(),
        "license": plugin.get_license(), "url": "", "tracers": {},
        "elements": {feature.get_name(): element_of(feature.load(), other_types)
                     for feature in features if isinstance(feature, Gst.ElementFactory)},
        "other-types": other_types}}


def text_of(node, indent=""):
    """JSON in which what contains no further object is on one line: a line for each property."""
    inner = indent + "    "
    if not isinstance(node, dict) or not any(isinstance(value, dict) for value in node.values()):
        return json.dumps(node, sort_keys=True)
    lines = [f"{inner}{json.dumps(key)}: {text_of(value, inner)}" for key, value in
             sorted(node.items())]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def complete_caps(description, stored):
    """Takes the pads from the stored description if those of the plugin lack GPU memory."""
    elements, stored_elements = (plugin[PLUGIN]["elements"] for plugin in (description, stored))
    for element in elements.keys() & stored_elements.keys():
        pads = elements[element]["pad-templates"]
        for name, stored_pad in stored_elements[element]["pad-templates"].items():
            if "memory:CUDAMemory" in stored_pad["caps"] and "memory:CUDAMemory" not in pads[name]["caps"]:
                pads[name] = stored_pad


def main():
    if len(sys.argv) != (3 if "--check" in sys.argv[1:2] else 2):
        sys.exit(__doc__)
    Gst.init(None)
    plugin = Gst.Registry.get().find_plugin(PLUGIN)
    if plugin is None:
        sys.exit(f"GStreamer finds no plugin {PLUGIN}; set GST_PLUGIN_PATH")
    file = pathlib.Path(sys.argv[-1])
    stored = file.read_text(encoding="utf-8")
    description = plugin_of(plugin)
    complete_caps(description, json.loads(stored))
    text = text_of(description) + "\n"
    if sys.argv[1] != "--check":
        file.write_text(text, encoding="utf-8")
    elif stored != text:
        sys.stdout.writelines(difflib.unified_diff(
            stored.splitlines(True), text.splitlines(True), str(file), "the plugin", n=0))
        sys.exit(f"{file} is not what the plugin registers: ./run reference writes it anew")


main()
