"""Pages of others that embed ours, on an origin of their own, and the image proxy of GitHub."""

from __future__ import annotations

import re
import threading
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape, unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator

# What Camo answers with, whatever the origin said (github.com/atmos/camo, server.coffee).
CAMO_POLICY: Final = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
GITHUB_POLICY: Final = "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'"
BEGIN: Final = '<!doctype html><html lang="en"><meta name="color-scheme" content="light dark">'
PROXIED: Final = "/camo/"
# Elements and attributes that WordPress leaves of an oEmbed of a site that it does not know
# (wp-includes/embed.php, wp_filter_oembed_result).
LEFT_BY_WORDPRESS: Final = {
    "a": {"href"},
    "blockquote": set[str](),
    "iframe": {"src", "width", "height", "frameborder", "marginwidth", "marginheight", "scrolling",
               "title"},
}  # fmt: skip
ELEMENT: Final = re.compile(r"<(/?)([a-z]+)((?:\s+[a-z]+=\"[^\"]*\")*)\s*>")
ATTRIBUTE: Final = re.compile(r"([a-z]+)=\"([^\"]*)\"")


@dataclass
class Host:
    """A web server of somebody else: pages by their path, each with its policy."""

    port: int = 0
    pages: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """Another name than ours for the same machine: another site."""
        return f"http://localhost:{self.port}"

    def show(self, path: str, body: str, *, policy: str = "") -> str:
        """Keep a page under a path and return its address."""
        self.pages[path] = f"{BEGIN}{body}", policy
        return self.url + path


@contextmanager
def host() -> Iterator[Host]:
    """Run one."""
    known = Host()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith(PROXIED):
                self._proxy(bytes.fromhex(self.path.removeprefix(PROXIED)).decode())
                return
            body, policy = known.pages.get(self.path, ("", ""))
            self._send(body.encode(), "text/html; charset=utf-8", policy)

        def _proxy(self, url: str) -> None:
            request = urllib.request.Request(url, headers={"Accept": "image/*"})  # noqa: S310  ours
            with urllib.request.urlopen(request, timeout=4) as answer:  # noqa: S310  as above
                self._send(answer.read(), answer.headers["Content-Type"], CAMO_POLICY)

        def _send(self, body: bytes, kind: str, policy: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("X-Content-Type-Options", "nosniff")
            if policy:
                self.send_header("Content-Security-Policy", policy)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    known.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield known
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def as_github(markdown: str) -> str:
    """Return Markdown as GitHub shows it: every picture comes through its proxy."""
    shown = MarkdownIt("commonmark", {"html": False}).render(markdown)

    def proxied(match: re.Match[str]) -> str:
        return f'src="{PROXIED}{unescape(match[1]).encode().hex()}"'

    return re.sub(r'src="([^"]+)"', proxied, shown)


def as_wordpress(html: str) -> str:
    """Return the HTML of an oEmbed as WordPress shows that of a site that it does not know."""
    left = "".join(_left(match) for match in ELEMENT.finditer(html))
    found = re.search(r"(<blockquote>.*?</blockquote>)?.*(<iframe.*?></iframe>)", left, re.DOTALL)
    assert found, html
    quotation, frame = found[1] or "", found[2]
    frame = re.sub(r' src="([^"]*)"', r' src="\1#?secret=x" data-secret="x"', frame)
    if quotation:  # shown until the script of the frame has called
        frame = frame.replace("<iframe", '<iframe style="position: absolute; visibility: hidden;"')
    restricted = '<iframe class="wp-embedded-content" sandbox="allow-scripts" security="restricted"'
    return quotation + frame.replace("<iframe", restricted)


def _left(match: re.Match[str]) -> str:
    """Return what is left of an element; texts between elements go too."""
    end, name, attributes = match.groups()
    if name not in LEFT_BY_WORDPRESS:
        return ""
    known = LEFT_BY_WORDPRESS[name]
    pairs = (f' {each}="{value}"' for each, value in ATTRIBUTE.findall(attributes) if each in known)
    return f"<{end}{name}{''.join(pairs)}>"


def as_discourse(head: str) -> str:
    """Return the box that Discourse makes of a page by its Open Graph."""
    said = {
        name: unescape(text)
        for name, text in re.findall(r'<meta property="og:([a-z_:]+)"\s+content="([^"]*)"', head)
    }
    return (
        f'<aside class="onebox allowlistedgeneric"><header>{escape(said["site_name"])}</header>'
        f'<article><img src="{escape(said["image"])}" width="{said["image:width"]}" '
        f'alt="{escape(said["image:alt"])}" style="width: 600px; height: auto">'
        f'<h3><a href="{escape(said["url"])}">{escape(said["title"])}</a></h3>'
        f"<p>{escape(said['description'])}</p></article></aside>"
    )
