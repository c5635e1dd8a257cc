"""The built pages are valid HTML."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

# What the standard allows and the validator's house style does not; everything else is an error.
RULES = {
    "extends": ["html-validate:standard"],
    "rules": {
        "no-trailing-whitespace": "off",
        "long-title": "off",
        "no-implicit-close": "off",
    },
}


def test_every_page_is_valid(built_site: Path, node_modules: Path, tmp_path: Path):
    settings = tmp_path / "rules.json"
    settings.write_text(json.dumps({"root": True, **RULES}), encoding="utf-8")
    tool = node_modules / "html-validate" / "bin" / "html-validate.mjs"
    report = tmp_path / "report.json"
    command = ["node", str(tool), "--config", str(settings), "-f", f"json={report}", f"{built_site}/**/*.html"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert report.is_file(), done.stderr
    found = [
        f"{Path(page['filePath']).relative_to(built_site)}:{m['line']}:{m['column']}: {m['ruleId']}: {m['message']}"
        for page in json.loads(report.read_text(encoding="utf-8"))
        for m in page["messages"]
    ]
    assert found[:20] == []
