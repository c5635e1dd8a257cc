"""MkDocs events, each handed to the package; no logic lives here."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

from generator import clock
from generator.memory import PROGRAM
from generator.pages import front_matter, markdown, shell
from generator.pages.edition import Edition
from generator.pages.navigation import navigation
from generator.pages.output import write
from generator.pages.publisher import ASSETS, Publisher, finish
from generator.preview import Opener
from generator.problems import ProblemsError

OPENER = Opener()


def on_startup(command: str, dirty: bool) -> None:
    """Remember whether this is a preview, which goes on while a file is broken."""
    OPENER.is_preview = command == "serve"


def on_config(config: MkDocsConfig) -> None:
    """Check data and content, then lend MkDocs the site's Markdown."""
    try:
        publisher, config.extra["problemas"] = OPENER.publisher(Path(config.docs_dir).parent, clock.today())
    except ProblemsError as error:
        raise PluginError(f"dados ou conteúdo com problemas:\n{error}") from error
    config.edit_uri = config.edit_uri if config.repo_url else ""
    config.extra["guia"] = publisher
    config.extra["edicao"] = Edition(publisher, config.site_url or "")
    config.nav = navigation(config.nav or [], publisher.site.data.workloads.values())
    config.markdown_extensions = markdown.extensions(publisher.extension)  # type: ignore[assignment]
    config.mdx_configs = markdown.EXTENSIONS


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add our style sheets, scripts and the page that lends its shell, and leave out what Material brings."""
    for file in list(files):
        if file.src_uri.startswith("assets/javascripts/") or file.src_uri.endswith(".map"):
            files.remove(file)
    for asset in sorted(ASSETS.iterdir()):
        files.append(File.generated(config, f"assets/guia/{asset.name}", abs_src_path=str(asset)))
    files.append(File.generated(config, shell.SOURCE, content=shell.MARKDOWN, inclusion=InclusionLevel.NOT_IN_NAV))


def on_page_markdown(text: str, page: Page, config: MkDocsConfig, files: Files) -> None:
    """Tell the Markdown extension which file comes next."""
    config.extra["guia"].extension.start(f"content/{page.file.src_uri}", text)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Finish the body and attach the structured data for the template."""
    if page.file.src_uri == shell.SOURCE:
        page.meta["structured_data"] = (shell.DATA,)
        return shell.BODY
    publisher: Publisher = config.extra["guia"]
    html = finish(html, page.url, config.repo_url or "")
    meta, _ = front_matter.read(page.file.content_string, page.file.src_uri)
    config.extra["edicao"].keep_page(page.url, meta, html)
    page.meta["structured_data"] = publisher.structured_data(meta, html, page.canonical_url or "")
    return html


def on_env(env: Environment, config: MkDocsConfig, files: Files) -> None:
    """Let the template say how old the data are and what is wrong, and find Material's style sheet for text."""
    env.globals["problems"] = config.extra["problemas"]
    env.globals["freshness"] = config.extra["guia"].freshness
    env.globals["material_sheets"] = [file.src_uri for file in files if "/stylesheets/main." in file.src_uri]


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Keep the shell of the theme, which is not published."""
    if page.file.src_uri != shell.SOURCE:
        return output
    config.extra["edicao"].keep_shell(output)
    return ""


def on_post_build(config: MkDocsConfig) -> None:
    """Write the pages from data and the files for machines."""
    write(Path(config.site_dir), config.extra["edicao"].files())


def on_serve(server: LiveReloadServer, config: MkDocsConfig, builder: object) -> None:
    """Rebuild the preview when data or templates change too."""
    for folder in (Path(config.docs_dir).parent / "data", PROGRAM / "pages", Path(__file__).parent):
        server.watch(str(folder))
