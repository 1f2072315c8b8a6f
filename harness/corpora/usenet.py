"""Usenet posts of 20 Newsgroups by author: in each group the most frequent ones, after Argamon, Šarić and Stein 2003.

A document is the subject as a first line `Subject: …`, an empty line, and what the author wrote. Of the headers nothing
else is kept, and authors have numbers for names: what a post is attributed to is a style, not an address.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from harness.corpora.archive import open_tree
from harness.corpora.attribution import notes_on, text_item
from harness.corpora.corpus import Corpus, Importer, Source
from harness.corpora.newsgroups import GROUPS, Post, distinct, merge_aliases, names_by_author, read_posts
from harness.corpora.own_words import own_words
from harness.errors import InputError, UsageError

CHOICES = ("2", "5", "20", "10+10")
MIN_WORDS = 3
"""Words that must be left of a post: the shortest one of the paper has three."""
MIN_POSTS = 10
"""Posts of the least frequent authors in `10+10`."""
FOLDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """The posts of one group that can be attributed, by author, and how many could not."""

    name: str
    posts: dict[str, list[Post]]
    short: int
    repeated: int


def read_corpus(identifier: str, sources: list[Source]) -> Corpus:
    """The posts of the chosen authors of one group, in folds."""
    group_name, choice = _named(identifier)
    if len(sources) != 1 or sources[0].split is not None:
        raise UsageError("20 Newsgroups is one archive without splits; give it once, as --from PATH")
    tree = open_tree(sources[0].path)
    posts = merge_aliases([post for post in distinct(read_posts(tree)) if post.author])
    group = _attributable(group_name, posts)
    if not group.posts:
        raise InputError(f"{tree.path}: no post of {group_name} with an author; use the whole archive")
    ranked = sorted(group.posts, key=lambda author: (-len(group.posts[author]), author))
    notes: list[str] = []
    chosen = _chosen(ranked, choice, group, notes)
    names = names_by_author(posts)
    naming = {author: _naming(names[author]) for author in chosen}
    labels = {author: f"author-{rank:02d}" for rank, author in enumerate(ranked, start=1)}
    items = [
        text_item(f"{post.group}/{post.number}", _text(post, naming[author]), labels[author])
        for author in chosen
        for post in group.posts[author]
    ]
    items.sort(key=lambda item: item.id)
    notes += _left_out(group)
    return Corpus(
        task="attribution",
        card=_card(group_name, choice, tree.path.name),
        splits={"train": items},
        folds=FOLDS,
        notes=notes + notes_on({"train": items}),
    )


def _named(identifier: str) -> tuple[str, str]:
    group, _, choice = identifier.removeprefix("usenet-").rpartition("-")
    return group, choice


def _attributable(name: str, posts: Iterable[Post]) -> _Group:
    """One group's posts with their authors' own words for a body, each text of an author once."""
    by_author: dict[str, list[Post]] = {}
    seen: set[tuple[str, str]] = set()
    short = repeated = 0
    for post in posts:
        if post.group != name:
            continue
        words = own_words(post.body)
        if len(words.split()) < MIN_WORDS:
            short += 1
        elif (post.author, words) in seen:
            repeated += 1
        else:
            seen.add((post.author, words))
            by_author.setdefault(post.author, []).append(replace(post, body=words))
    return _Group(name=name, posts=by_author, short=short, repeated=repeated)


def _chosen(ranked: Sequence[str], choice: str, group: _Group, notes: list[str]) -> list[str]:
    """The authors of a choice, most frequent first."""
    if choice != "10+10":
        if len(ranked) < int(choice):
            raise InputError(f"{group.name} has {len(ranked)} authors here, not {choice}; use the whole archive")
        return list(ranked[: int(choice)])
    frequent = [author for author in ranked if len(group.posts[author]) >= MIN_POSTS]
    if len(frequent) <= 10:
        raise InputError(
            f"{group.name} has {len(frequent)} authors with {MIN_POSTS} posts or more, so its most and least frequent "
            f"ten would be the same; use usenet-{group.name}-2, -5 or -20"
        )
    if len(frequent) < 20:
        notes.append(
            f"{len(frequent)} authors, not 20: so many have {MIN_POSTS} posts or more, and the ten most and the ten "
            f"least frequent of them overlap"
        )
    return [author for rank, author in enumerate(frequent) if rank < 10 or rank >= len(frequent) - 10]


def _left_out(group: _Group) -> Iterator[str]:
    reasons = {
        f"fewer than {MIN_WORDS} words are the author's own": group.short,
        "the author had posted the text before": group.repeated,
    }
    yield from (f"posts of the group left out because {why}: {count}" for why, count in reasons.items() if count)


def _naming(names: Iterable[str]) -> re.Pattern[str]:
    """An author's own addresses and full names, wherever they stand in a post."""
    words = [r"\s+".join(map(re.escape, name.split())) for name in sorted(names, key=lambda name: (-len(name), name))]
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE)


def _text(post: Post, own_name: re.Pattern[str]) -> str:
    return own_name.sub("", f"Subject: {post.subject}\n\n{post.body}")


def _card(group: str, choice: str, source: str) -> dict[str, object]:
    most = (
        "the ten most and the ten least frequent authors"
        if choice == "10+10"
        else f"the {choice} most frequent authors"
    )
    return {
        "family": "usenet",
        "title": f"Usenet posts to {group} (20 Newsgroups): {most}",
        "language": "en",
        "licence": "posts by their authors; as distributed with 20 Newsgroups, not redistributed here",
        "sources": [source],
        "primary": "accuracy",
        "about": (
            "A document is a line Subject: …, an empty line, and the author's own words: headers, quoted text, "
            "attribution lines, signatures, uuencoded files and the author's own name and address are removed. A "
            "Message-ID counts once, in the first of its groups by name. Addresses with the same user part and the "
            "same full name are one author; posts without an address are left out. Authors are numbered by their "
            "number of posts in the group. No split is given: ten folds. A first name under a post stays, and threads "
            "are not kept apart, so names and topics help."
        ),
    }


importer = Importer(
    family="usenet",
    task="attribution",
    ids=tuple(f"usenet-{group}-{choice}" for group in GROUPS for choice in CHOICES),
    summary="20 Newsgroups with full headers: posts of a group's most frequent authors",
    read=read_corpus,
)
