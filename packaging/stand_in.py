"""Replacements of the packages that the files in this folder import, to load them without those packages."""

import pathlib
import sys
import types

here = pathlib.Path(__file__).parent


def module(name, **contents):
    """Makes a package with these contents, and the packages that contain it. A misspelt import fails."""
    for end, letter in enumerate(name + "."):
        if letter == ".":
            part = name[:end]
            sys.modules.setdefault(part, types.ModuleType(part)).__path__ = []
    sys.modules[name].__dict__.update(contents)


def recorder(*names):
    """Returns functions of these names, and the list of their calls: name, arguments, keywords."""
    calls = []

    def function(name):
        return lambda *arguments, **keywords: calls.append((name, arguments, keywords))

    return {name: function(name) for name in names}, calls


def load(path):
    """Executes a file of this folder and returns its names."""
    path = here / path
    names = {"__file__": str(path), "__name__": path.stem}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names
