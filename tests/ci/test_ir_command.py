"""`pliant ir`: the instructions of a file, and one line where there are none."""

from __future__ import annotations

from pathlib import Path

from command_line import refused, run


def test_a_file_and_one_of_its_functions_are_printed(tmp_path: Path) -> None:
    file = tmp_path / "Box.java"
    file.write_text("class Box { Object held; Object get() { return held; } }")
    assert 'class class("Box") class' in run("ir", file).stdout
    assert run("ir", file, "Box.get").stdout.startswith('function "Box.get" class("Object", "java.lang")')


def test_a_file_that_costs_too_much_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "Box.java"
    file.write_text(f"class Box {{ boolean many() {{ return {'a<' * 20_000}a; }} }}")
    assert "costs too much to be translated: too many < are open in it at once" in refused("ir", file)


def test_a_function_that_is_left_out_is_said(tmp_path: Path) -> None:
    file = tmp_path / "box.py"
    file.write_text(f"def deep():\n    return {'f(' * 6000}1{')' * 6000}\n\ndef held(box):\n    return box.held\n")
    printed = run("ir", file)
    assert printed.stderr == f"pliant: {file}: its function deep is left out: nested too deeply\n"
    assert '= load %1, "held"' in printed.stdout


def test_a_file_of_c_is_printed_as_it_is_repaired(tmp_path: Path) -> None:
    file = tmp_path / "box.c"
    file.write_text("EXPORT struct box *held(struct box *b) { return b->held; }")
    assert '  %2 = load %1, "held"' in run("ir", file, "held").stdout
