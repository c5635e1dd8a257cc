"""MkDocs events, each handed to the package; no logic lives here."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from generator import clock
from generator.check import open_publisher
from generator.pages import front_matter, markdown
from generator.pages.navigation import navigation
from generator.pages.publisher import ASSETS, Publisher, finish
from generator.problems import ProblemsError

ROOT = Path(__file__).parent.parent


def on_config(config: MkDocsConfig) -> None:
    """Check data and content, then lend MkDocs the site's Markdown."""
    try:
        publisher = open_publisher(Path(config.docs_dir).parent, clock.today())
    except ProblemsError as error:
        raise PluginError(f"dados ou conteúdo com problemas:\n{error}") from error
    config.edit_uri = config.edit_uri if config.repo_url else ""
    config.extra["guia"] = publisher
    config.nav = navigation(config.nav or [], publisher.site.data.workloads.values())
    config.markdown_extensions = markdown.extensions(publisher.extension)  # type: ignore[assignment]
    config.mdx_configs = markdown.EXTENSIONS


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the style sheet and the script of the tables."""
    for asset in sorted(ASSETS.iterdir()):
        files.append(File.generated(config, f"assets/guia/{asset.name}", abs_src_path=str(asset)))


def on_page_markdown(text: str, page: Page, config: MkDocsConfig, files: Files) -> None:
    """Tell the Markdown extension which file comes next."""
    publisher: Publisher = config.extra["guia"]
    publisher.extension.start(f"content/{page.file.src_uri}", text)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Finish the body and attach the structured data for the template."""
    publisher: Publisher = config.extra["guia"]
    html = finish(html, page.url)
    meta, _ = front_matter.read(page.file.content_string, page.file.src_uri)
    page.meta["structured_data"] = publisher.structured_data(meta, html, page.canonical_url or "")
    return html


def on_env(env: Environment, config: MkDocsConfig, files: Files) -> None:
    """Let the template say how old the data are."""
    env.globals["freshness"] = config.extra["guia"].freshness


def on_serve(server: LiveReloadServer, config: MkDocsConfig, builder: object) -> None:
    """Rebuild the preview when data or templates change too."""
    for folder in ("data", "generator/pages", "hooks"):
        server.watch(str(ROOT / folder))
