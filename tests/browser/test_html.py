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
    command = ["node", str(tool), "--config", str(settings), "--formatter", "json", f"{built_site}/**/*.html"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    found = [
        f"{Path(page['filePath']).relative_to(built_site)}:{m['line']}:{m['column']}: {m['ruleId']}: {m['message']}"
        for page in json.loads(done.stdout)
        for m in page["messages"]
    ]
    assert found[:20] == []
