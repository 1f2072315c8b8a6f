"""Fuzzy c-means for many samples at once: every array has a leading axis of draws.

Bezdek, Ehrlich & Full, FCM: the fuzzy c-means clustering algorithm, 1984. Samples of unequal size are padded;
`present` says which rows count. Cluster centres and memberships are updated in turn, which never raises the
objective: the sum of membership**m times squared distance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from systems.text.arrays import Bools, Floats, Ints

MOST_CLUSTERS = 1000
"""More would say nothing about style, and take memory without end."""


@dataclass(frozen=True, slots=True)
class Clusters:
    """Fitted clusters of each draw, in the min-max scale of its own sample."""

    low: Floats  # draws x features
    span: Floats  # draws x features
    centres: Floats  # draws x clusters x features
    m: float
    objective: Floats  # draws
    iterations: Ints  # draws

    def draw(self, number: int) -> Clusters:
        """One draw alone, as a batch of one."""
        one = slice(number, number + 1)
        return replace(
            self,
            low=self.low[one],
            span=self.span[one],
            centres=self.centres[one],
            objective=self.objective[one],
            iterations=self.iterations[one],
        )


def draw_samples(
    groups: Sequence[Ints], *, share: float, draws: int, random: np.random.Generator
) -> tuple[Ints, Bools]:
    """Repeatedly, a share of the groups without replacement: the numbers in them (draws x longest), and which count."""
    size = max(1, round(share * len(groups)))
    samples = [np.concatenate([groups[i] for i in random.permutation(len(groups))[:size]]) for _ in range(draws)]
    lengths = np.array([len(sample) for sample in samples])
    present = np.arange(lengths.max()) < lengths[:, None]
    numbers = np.zeros(present.shape, dtype=np.int64)
    numbers[present] = np.concatenate(samples)
    return numbers, present


def fit_clusters(
    features: Floats,
    present: Bools | None = None,
    *,
    clusters: int,
    m: float,
    random: np.random.Generator,
    tolerance: float = 1e-5,
    most_iterations: int = 300,
) -> Clusters:
    """Scale each sample (draws x rows x features) to [0, 1] by its own extremes, and cluster it.

    Starts from random memberships and stops when none changes by `tolerance` or more, or after
    `most_iterations`. A feature that is the same all over a sample is scaled to 0.
    """
    check_parameters(clusters, m)
    present = np.ones(features.shape[:2], dtype=bool) if present is None else present
    low, span = _extremes(features, present)
    points = (features - low[:, None]) / span[:, None]
    counts_for = present.astype(np.float64)[:, None, :]
    shares = random.random((len(points), clusters, points.shape[1]))
    shares /= shares.sum(axis=1, keepdims=True)
    centres = np.zeros((len(points), clusters, points.shape[2]))
    objective, iterations = np.zeros(len(points)), np.zeros(len(points), dtype=np.int64)
    active = np.arange(len(points))
    for _ in range(most_iterations):
        new_centres, new_shares, value = step(points, shares, counts_for, m)
        centres[active], objective[active] = new_centres, value
        iterations[active] += 1
        moving = (np.abs(new_shares - shares) * counts_for).max(axis=(1, 2)) >= tolerance
        active, shares = active[moving], new_shares[moving]
        if not len(active):
            break
        if not moving.all():
            points, counts_for = points[moving], counts_for[moving]
    return Clusters(low, span, centres, m, objective, iterations)


def check_parameters(clusters: int, m: float) -> None:
    """The paper allows m = 1, where the exponent 2 / (m - 1) does not exist."""
    if not 1 <= clusters <= MOST_CLUSTERS:
        raise ValueError(f"clusters must be from 1 to {MOST_CLUSTERS}, not {clusters}")
    if not 1 < m < np.inf:
        raise ValueError(f"m must be greater than 1, not {m}: memberships are distances to the power 2 / (m - 1)")


def step(points: Floats, shares: Floats, counts_for: Floats, m: float) -> tuple[Floats, Floats, Floats]:
    """One round: centres from memberships, memberships from centres, and the objective of the two."""
    powers = shares**m * counts_for
    centres = _weighted_means(points, powers)
    distances = squared_distances(points, centres)
    updated = shares_of(distances, m)
    return centres, updated, (updated**m * counts_for * distances).sum(axis=(1, 2))


def _weighted_means(points: Floats, powers: Floats) -> Floats:
    """A cluster that no point belongs to at all lies at the origin of the scale."""
    totals = powers.sum(axis=2)[..., None]
    return np.asarray((powers @ points) / np.where(totals > 0, totals, 1.0))


def squared_distances(points: Floats, centres: Floats) -> Floats:
    """Draws x clusters x rows, by differences: the square of a sum would blur a distance of exactly 0."""
    distances = np.zeros((len(points), centres.shape[1], points.shape[1]))
    for feature in range(points.shape[2]):
        distances += (points[:, None, :, feature] - centres[:, :, None, feature]) ** 2
    return distances


def shares_of(distances: Floats, m: float) -> Floats:
    """Memberships from squared distances; a point on a centre belongs to the centres that it lies on, equally."""
    nearest = distances.min(axis=1, keepdims=True)
    relative = np.divide(nearest, distances, out=np.ones_like(distances), where=distances > 0) ** (1 / (m - 1))
    return np.asarray(relative / relative.sum(axis=1, keepdims=True))


def memberships(clusters: Clusters, features: Floats) -> Floats:
    """Of each row (rows x features) in each cluster of each draw (draws x clusters x rows), scaled but not clipped."""
    points = (features[None] - clusters.low[:, None]) / clusters.span[:, None]
    return shares_of(squared_distances(points, clusters.centres), clusters.m)


def similarities(shares: Floats, known: Sequence[Ints], questioned: Ints) -> Floats:
    """Cosine of the known texts' mean membership and the questioned text's, draws x problems."""
    if not len(known):
        return np.zeros((len(shares), 0))
    starts = np.cumsum([0, *(len(numbers) for numbers in known[:-1])])
    sums = np.add.reduceat(shares[..., np.concatenate(known)], starts, axis=-1)
    other = shares[..., questioned]
    lengths = np.sqrt((sums**2).sum(axis=1) * (other**2).sum(axis=1))
    return np.asarray(np.clip((sums * other).sum(axis=1) / lengths, 0.0, 1.0))


def _extremes(features: Floats, present: Bools) -> tuple[Floats, Floats]:
    low = np.where(present[..., None], features, np.inf).min(axis=1)
    span = np.where(present[..., None], features, -np.inf).max(axis=1) - low
    return low, np.where(span > 0, span, 1.0)
