"""20 Newsgroups as distributed: posts with full headers, one of each Message-ID, the aliases of an author as one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from harness.corpora.archive import Tree
from harness.errors import FileFaultError, InputError
from harness.files import decode_text

GROUPS = (
    "alt.atheism",
    "comp.graphics",
    "comp.os.ms-windows.misc",
    "comp.sys.ibm.pc.hardware",
    "comp.sys.mac.hardware",
    "comp.windows.x",
    "misc.forsale",
    "rec.autos",
    "rec.motorcycles",
    "rec.sport.baseball",
    "rec.sport.hockey",
    "sci.crypt",
    "sci.electronics",
    "sci.med",
    "sci.space",
    "soc.religion.christian",
    "talk.politics.guns",
    "talk.politics.mideast",
    "talk.politics.misc",
    "talk.religion.misc",
)
_FIELD = re.compile(r"([!-9;-~]+):[ \t]*(.*)")
_ADDRESS = re.compile(r"[^\s<>()\",]+@[^\s<>()\",]+")
_IN_BRACKETS = re.compile(r"<([^<>]*@[^<>]*)>")
_IN_PARENTHESES = re.compile(r"\((.*)\)")
_NOT_OF_A_NAME = re.compile(r"[^\w\s.'-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """One post; `author` is its address until aliases are merged, `name` the one shown with it."""

    group: str
    number: str
    message_id: str
    address: str
    author: str
    name: str
    subject: str
    body: str


def read_posts(tree: Tree) -> list[Post]:
    """Every post, by group and number."""
    posts = []
    for name in tree.files():
        parts = PurePosixPath(name).parts
        if 2 <= len(parts) <= 3 and parts[-2] in GROUPS and parts[-1].isdecimal():
            text = decode_text(tree.read(name), tree.where(name), encoding="latin-1")
            posts.append(_parse(text, parts[-2], parts[-1], tree.where(name)))
    if not posts:
        raise InputError(f"{tree.path} holds no <newsgroup>/<number>; give 20_newsgroups.tar.gz or its folder")
    return posts


def _parse(text: str, group: str, number: str, where: str) -> Post:
    head, _, body = text.partition("\n\n")
    fields: dict[str, str] = {}
    last = ""
    for line in head.split("\n"):
        field = _FIELD.match(line)
        if field and not line.startswith((" ", "\t")):
            last = field[1].lower()
            fields.setdefault(last, field[2].strip())
        elif last and line.strip():
            fields[last] += f" {line.strip()}"
    if "from" not in fields or "message-id" not in fields:
        raise FileFaultError(where, "a post without From or Message-ID; use the distribution with full headers")
    address, name = author_of(fields["from"])
    return Post(
        group=group,
        number=number,
        message_id=fields["message-id"],
        address=address,
        author=address,
        name=name,
        subject=fields.get("subject", ""),
        body=body,
    )


def author_of(sender: str) -> tuple[str, str]:
    """Address and display name of a From line: `addr (Name)`, `Name <addr>` or a bare address; empty if it has none."""
    bracketed = _IN_BRACKETS.search(sender)
    found = bracketed[1] if bracketed else next((m[0] for m in _ADDRESS.finditer(sender)), "")
    if bracketed:
        name = sender[: bracketed.start()]
    else:
        commented = _IN_PARENTHESES.search(sender)
        name = commented[1] if commented else ""
    plain = " ".join(_NOT_OF_A_NAME.sub(" ", name).split())
    return found.strip().lower(), "" if "@" in plain else plain


def distinct(posts: Iterable[Post]) -> Iterator[Post]:
    """The first post of every Message-ID: a cross-post is kept in the first of its groups."""
    seen: set[str] = set()
    for post in posts:
        if post.message_id not in seen:
            seen.add(post.message_id)
            yield post


def merge_aliases(posts: list[Post]) -> list[Post]:
    """One author for addresses with the same user part and the same display name of two words or more.

    A first name alone merges nobody: `dave@a (Dave)` and `dave@b (Dave)` are most likely two people.
    """
    first: dict[tuple[str, str], str] = {}
    parent: dict[str, str] = {}

    def root(address: str) -> str:
        while parent.setdefault(address, address) != address:
            address = parent[address]
        return address

    for post in posts:
        if len(post.name.split()) > 1:
            same = first.setdefault((post.address.split("@")[0], post.name.lower()), post.author)
            one, other = sorted((root(same), root(post.author)))
            parent[other] = one
    return [replace(post, author=root(post.author)) for post in posts]


def names_by_author(posts: Iterable[Post]) -> dict[str, set[str]]:
    """The addresses, and the display names of two words or more, that every author was seen under."""
    names: dict[str, set[str]] = defaultdict(set)
    for post in posts:
        names[post.author].update([post.address, *([post.name] if len(post.name.split()) > 1 else [])])
    return names
