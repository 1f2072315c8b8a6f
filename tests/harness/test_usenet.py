"""20 Newsgroups by author: headers, quotes and signatures gone, aliases merged, repeats dropped."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from builders import News, newsgroups, tarred

from harness.corpora import Source, importers
from harness.corpora.archive import open_tree
from harness.corpora.newsgroups import GROUPS, author_of, distinct, merge_aliases, read_posts
from harness.corpora.own_words import own_words
from harness.dataset import Dataset
from harness.errors import FileFaultError, InputError, UsageError
from harness.store import add_dataset, open_dataset
from harness.verify import verify

pytestmark = pytest.mark.usefixtures("home")
GROUP = "sci.space"
PEOPLE = [f"user{letter}@host{letter}.example (Person {letter.upper()}son)" for letter in "abcdefghijklmnopqrstuvwxy"]


def many(sizes: list[int], *, start: int = 1000) -> list[News]:
    """So many posts by the first, so many by the second person, …"""
    posts = []
    for person, size in zip(PEOPLE, sizes, strict=False):
        for number in range(size):
            body = f"These are the words number {number} of {person[4].upper()}.\n"
            posts.append(News(GROUP, start + len(posts), person, body))
    return posts


def add(path: Path, choice: str = "2", group: str = GROUP) -> Dataset:
    identifier = f"usenet-{group}-{choice}"
    add_dataset(identifier, [Source(path=path)])
    return open_dataset(identifier)


def counts(dataset: Dataset) -> Counter[str]:
    return Counter(truth.author for truth in dataset.truths("train").values())


def test_there_are_eighty_ids() -> None:
    (importer,) = [importer for importer in importers() if importer.family == "usenet"]
    assert len(set(importer.ids)) == 80
    assert {"usenet-sci.space-10+10", "usenet-comp.os.ms-windows.misc-2"} <= set(importer.ids)


@pytest.mark.parametrize("packed", [True, False])
def test_the_most_frequent_authors_in_folds(tmp_path: Path, packed: bool) -> None:
    folder = newsgroups(tmp_path / "20_newsgroups", many([5, 12, 20, 1]))
    dataset = add(tarred(folder) if packed else folder)
    assert counts(dataset) == {"author-01": 20, "author-02": 12}
    assert dataset.splits == ["train"]
    assert {row["fold"] for row in dataset.folds().values()} == set(range(10))
    first = dataset.problems("train")[0]
    assert (first.id, first.document.id) == ("sci.space/1005", "sci.space/1005")
    assert first.document.text == "Subject: Re: a subject\n\nThese are the words number 0 of B."
    assert sum(len(part.test) for part in dataset.parts()) == 32
    assert list(verify(dataset)) == []


def test_no_header_and_no_name_reaches_the_inputs(tmp_path: Path) -> None:
    posts = [*many([4]), News(GROUP, 1, PEOPLE[0], "So says Person\nAson <usera@hosta.example>, as always here.")]
    posts += [News(GROUP, 10 + n, "userb@x.example (Person Bson)", f"words of b, number {n}") for n in range(3)]
    posts += [News(GROUP, 20, "userb@y.example (Person Bson)", "Write to userb@x.example or to userb@y.example.")]
    dataset = add(newsgroups(tmp_path / "posts", posts))
    written = "".join(
        (dataset.folder / name).read_text() for name in ("documents.jsonl", "train/inputs.jsonl", "dataset.toml")
    )
    for secret in ("Secret", "second line", "hosta", "usera", "x.example", "y.example", "Ason", "1993", "Path", "GMT"):
        assert secret not in written, secret
    texts = {problem.id: problem.document.text for problem in dataset.problems("train")}
    assert texts["sci.space/1"] == "Subject: Re: a subject\n\nSo says  <>, as always here."
    assert json.loads(written.split("\n")[0]).keys() == {"id", "text"}


def test_the_ten_most_and_the_ten_least_frequent(tmp_path: Path) -> None:
    dataset = add(newsgroups(tmp_path / "posts", many([*range(34, 9, -1)])), "10+10")
    assert counts(dataset) == {f"author-{r:02d}": 35 - r for r in (*range(1, 11), *range(16, 26))}
    assert "notes" not in dataset.manifest


def test_where_the_two_tens_overlap(tmp_path: Path) -> None:
    dataset = add(newsgroups(tmp_path / "posts", many([*range(22, 10, -1), 9, 9])), "10+10")
    assert len(counts(dataset)) == 12
    assert dataset.manifest["notes"][0].startswith("12 authors, not 20: so many have 10 posts or more")
    (tmp_path / "few").mkdir()
    with pytest.raises(InputError, match=r"sci.space has 10 authors with 10 posts or more.*; use usenet-sci.space-2"):
        add_dataset(
            "usenet-sci.space-10+10", [Source(path=newsgroups(tmp_path / "few", many([11] * 10)))], replace=True
        )


def test_too_few_authors_and_no_group_are_refused(tmp_path: Path) -> None:
    folder = newsgroups(tmp_path / "posts", many([3, 3]))
    with pytest.raises(InputError, match=r"sci.space has 2 authors here, not 5; use the whole archive"):
        add(folder, "5")
    with pytest.raises(InputError, match=r"no post of sci.med with an author"):
        add(folder, "2", "sci.med")
    with pytest.raises(UsageError, match="one archive without splits"):
        add_dataset("usenet-sci.space-2", [Source(path=folder, split="train")])
    (tmp_path / "other" / "sci.space").mkdir(parents=True)
    (tmp_path / "other" / "sci.space" / "readme").write_text("no post")
    with pytest.raises(InputError, match=r"other holds no <newsgroup>/<number>; give 20_newsgroups.tar.gz"):
        add(tmp_path / "other")


def test_a_post_without_its_headers_is_named(tmp_path: Path) -> None:
    folder = newsgroups(tmp_path / "posts", many([3, 3]))
    (folder / GROUP / "7").write_text("Subject: the by-date distribution has no From\n\ntext")
    with pytest.raises(FileFaultError, match=r"posts/sci.space/7: a post without From or Message-ID"):
        add(folder)


def test_a_message_counts_once_in_the_first_group(tmp_path: Path) -> None:
    posts = [News(group, 5, PEOPLE[0], "the same words", "<1@x>") for group in ("sci.space", "sci.med", "alt.atheism")]
    tree = open_tree(newsgroups(tmp_path / "posts", posts))
    assert [post.group for post in distinct(read_posts(tree))] == ["alt.atheism"]


def test_repeats_short_and_nameless_posts_are_left_out(tmp_path: Path) -> None:
    posts = [
        *many([4, 3]),
        News(GROUP, 1, PEOPLE[0], "These are the words number 0 of A.\n-- \nsig", subject="another subject"),
        News(GROUP, 2, PEOPLE[0], "> all quoted\nI agree"),
        News(GROUP, 3, PEOPLE[1], ""),
        News(GROUP, 4, "host!other!someone (Some One)", "words that nobody can be given"),
        News(GROUP, 5, "()", "words that nobody can be given"),
    ]
    dataset = add(newsgroups(tmp_path / "posts", posts))
    assert counts(dataset) == {"author-01": 4, "author-02": 3}
    assert dataset.manifest["notes"] == [
        "posts of the group left out because fewer than 3 words are the author's own: 2",
        "posts of the group left out because the author had posted the text before: 1",
    ]


def test_an_author_with_one_post_is_noted(tmp_path: Path) -> None:
    dataset = add(newsgroups(tmp_path / "posts", many([4, 1])))
    assert "train: one text alone by author-02" in dataset.manifest["notes"]
    assert list(verify(dataset)) == []


@pytest.mark.parametrize(
    "sender, address, name",
    [
        ("jdoe@Host.Example (Jane Doe)", "jdoe@host.example", "Jane Doe"),
        ("jdoe@host.example", "jdoe@host.example", ""),
        ('"Jane Doe" <jdoe@host.example>', "jdoe@host.example", "Jane Doe"),
        ("jdoe@host.example (Jane Doe, x4-1234 (home))", "jdoe@host.example", "Jane Doe x4-1234 home"),
        ("host!other!jdoe (Jane Doe)", "", "Jane Doe"),
        ("()", "", ""),
    ],
)
def test_senders(sender: str, address: str, name: str) -> None:
    assert author_of(sender) == (address, name)


def test_aliases(tmp_path: Path) -> None:
    senders = [
        "jdoe@a.example (Jane Doe)",
        "jdoe@b.example (jane doe)",
        "jane@b.example (Jane Doe)",  # another user part
        "dave@a.example (Dave)",
        "dave@b.example (Dave)",  # a first name alone
        "jdoe@c.example (John Doe)",
        "jdoe@c.example (Jane Doe)",  # joins c to a and b
    ]
    posts = [News(GROUP, 100 + n, sender, "words") for n, sender in enumerate(senders)]
    merged = merge_aliases(read_posts(open_tree(newsgroups(tmp_path / "posts", posts))))
    jane = "jdoe@a.example"
    assert [post.author for post in merged] == [
        jane, jane, "jane@b.example", "dave@a.example", "dave@b.example", jane, jane
    ]  # fmt: skip


@pytest.mark.parametrize(
    "body, own",
    [
        ("> quoted\nmine", "mine"),
        ("  >> deep\n|> bar\n: colon\n} brace\nJD> initials\nmine", "mine"),
        (":-) mine\n:) mine too\n:quoted", ":-) mine\n:) mine too"),
        ("# one line of code\nmine\n# two\n# in a row", "# one line of code\nmine"),
        ("% a comment\nmine\n%%% q\n%%% q", "% a comment\nmine"),
        ("In article <1@x> bob@y (Bob) writes:\n> q\nmine", "mine"),
        ("In article <1@x>, bob@y.example\n(Bob Builder) writes:\n> q\nmine", "mine"),
        ("In <1@x> bob@y writes:\n\n> q\nmine", "mine"),
        ("bob@y.example (Bob) wrote:\n>q\nmine", "mine"),
        ("bob@y.example writes: >\nmine", "mine"),
        ("Bob Builder says:\n\n> q\nmine", "mine"),
        ("As Bob writes:\nthis is no quote", "As Bob writes:\nthis is no quote"),
        ("Well said.\n> q", "Well said."),
        ("In Article I, Section 8, it says", "In Article I, Section 8, it says"),
        ("mine\n-- \nBob Builder\n> not even this", "mine"),
        ("mine\n--\nBob", "mine"),
        ("mine\n--not a signature", "mine\n--not a signature"),
        ("mine\nbegin 644 x.gif\nM:&5L;&\\L('=O\n--\n`\nend\nmore", "mine\nmore"),
        ("mine\nbegin 644 x.gif\nM:&5L;&\\L('=O", "mine"),
        ("begin the day well", "begin the day well"),
        ("one\n\n\n> q\n\n\ntwo  ", "one\n\ntwo"),
        ("", ""),
    ],
)
def test_own_words(body: str, own: str) -> None:
    assert own_words(body) == own


@pytest.mark.corpora
def test_the_counts_of_the_real_archive(corpora: Path) -> None:
    posts = read_posts(open_tree(corpora / "20_newsgroups.tar.gz"))
    assert len(posts) == 19_997
    assert Counter(Counter(post.group for post in posts).values()) == {1000: 19, 997: 1}
    assert len({post.address for post in posts if post.address}) == 8_551
    assert sum(not post.address for post in posts) == 75
    assert sum(not post.body.strip() for post in posts) == 41
    assert sum(re.search(r"^--[ \t]*$", post.body, re.MULTILINE) is not None for post in posts) == 7_017
    kept = list(distinct(posts))
    assert len(kept) == 19_466
    sizes = Counter(Counter(post.address for post in kept if post.address).values())
    frequent = {n: sum(many for size, many in sizes.items() if size >= n) for n in (10, 20, 50, 100)}
    assert frequent == {10: 274, 20: 71, 50: 11, 100: 1}
    assert sum(size * many for size, many in sizes.items() if size >= 10) == 5_084
    assert len({post.group for post in merge_aliases(kept)}) == len(GROUPS)


@pytest.mark.corpora
@pytest.mark.parametrize(
    "group, choice, authors, most, least",
    [
        ("talk.politics.mideast", "5", 5, 127, 33),
        ("alt.atheism", "10+10", 20, 70, 10),
        ("sci.space", "10+10", 15, 57, 10),
        ("comp.graphics", "20", 20, 10, 4),
    ],
)
def test_real_groups(corpora: Path, group: str, choice: str, authors: int, most: int, least: int) -> None:
    dataset = add(corpora / "20_newsgroups.tar.gz", choice, group)
    sizes = counts(dataset).values()
    assert (len(sizes), max(sizes), min(sizes)) == (authors, most, least)
    for problem in dataset.problems("train"):
        subject, empty, body = problem.document.text.split("\n", 2)
        assert subject.startswith("Subject: ")
        assert empty == ""
        assert len(body.split()) >= 2  # of three words or more, after names are gone
        assert not re.search(r"^(?:\s*[A-Za-z]{0,4}>|--[ \t]*$|In article <)", body, re.MULTILINE)
    assert list(verify(dataset)) == []
