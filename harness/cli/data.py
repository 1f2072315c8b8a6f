"""`bakeoff datasets list | show | verify | export | add`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.output import JsonFlag, print_json, print_table

if TYPE_CHECKING:
    from harness.corpora import Source
    from harness.corpora.corpus import Split

app = typer.Typer(help="Datasets: list, show, verify, export, add.", no_args_is_help=True)
_SHOWN = 12
"""Names listed one by one before they are only counted."""
Identifier = Annotated[str, typer.Argument(metavar="ID", help="A dataset id.")]


@app.command("list")
def list_(json: JsonFlag = False) -> None:
    """List the datasets that are here, and the ids that can be added."""
    from harness.corpora import importers
    from harness.dataset import read_manifest
    from harness.store import dataset_ids

    manifests = [read_manifest(folder) for folder in dataset_ids().values()]
    addable = [identifier for importer in importers() for identifier in importer.ids]
    absent = [identifier for identifier in addable if identifier not in dataset_ids()]
    if json:
        print_json({"here": manifests, "addable": absent})
        return
    rows = [(m["id"], m["task"], _sizes(m), m.get("language", ""), m.get("title", "")) for m in manifests]
    print_table(["dataset", "task", "problems", "language", "title"], rows)
    typer.echo("To be added with bakeoff datasets add ID --from PATH:")
    for importer in importers():
        rest = [identifier for identifier in importer.ids if identifier in absent]
        more = f", … ({len(rest)} ids, all with --json)" if len(rest) > _SHOWN else ""
        if rest:
            typer.echo(f"  {', '.join(rest[:_SHOWN])}{more}: {importer.summary}")


def _sizes(manifest: dict[str, dict[str, dict[str, int]]]) -> str:
    counts = manifest.get("counts", {})
    return ", ".join(f"{split} {counts[split]['problems']}" for split in ("train", "test") if split in counts)


@app.command()
def show(identifier: Identifier, json: JsonFlag = False) -> None:
    """Show a dataset's card."""
    from harness.store import open_dataset

    dataset = open_dataset(identifier)
    card = {**dataset.manifest, "folder": str(dataset.folder), "fingerprint": dataset.fingerprint()}
    if json:
        print_json(card)
        return
    print_table(["", dataset.id], ((key, _plain(value)) for key, value in card.items() if key != "id"))


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return "\n".join(f"{key}: {item}" for key, item in value.items())
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value).strip()


@app.command()
def verify(identifier: Identifier, json: JsonFlag = False) -> None:
    """Check a dataset's files, counts, truths and folds."""
    from harness.store import open_dataset
    from harness.verify import verify as faults_of

    dataset = open_dataset(identifier)
    faults = list(faults_of(dataset))
    if json:
        print_json({"dataset": identifier, "faults": faults})
    else:
        for fault in faults:
            typer.echo(fault)
        typer.echo(f"{identifier}: {len(faults) or 'no'} fault{'' if len(faults) == 1 else 's'}")
    if faults:
        raise typer.Exit(1)


@app.command()
def export(
    identifier: Identifier,
    out: Annotated[Path, typer.Option("--out", help="A folder that does not exist yet.")],
    kind: Annotated[str, typer.Option("--format", help="tira or pan.")] = "tira",
    blind: Annotated[bool, typer.Option("--blind", help="Leave the truths out.")] = False,
    split: Annotated[str | None, typer.Option(help="train or test; the evaluated split unless given.")] = None,
) -> None:
    """Export a split in the format of a shared task."""
    from harness.errors import UnknownNameError
    from harness.export import export_dataset
    from harness.store import open_dataset

    if split not in (None, "train", "test"):
        raise UnknownNameError("split", str(split), ["train", "test"])
    count = export_dataset(open_dataset(identifier), kind, out, blind=blind, split=split)  # type: ignore[arg-type]
    typer.echo(f"{count} problems of {identifier} in {out}{' (blind)' if blind else ''}")


@app.command()
def add(
    identifier: Identifier,
    sources: Annotated[
        list[str],
        typer.Option("--from", metavar="PATH", help="Archive or folder; train=PATH or test=PATH says the split."),
    ],
    like: Annotated[str | None, typer.Option(help="For an id of your own: the corpus it is laid out like.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Put it in the place of the dataset of this id.")] = False,
    json: JsonFlag = False,
) -> None:
    """Import a corpus as distributed; several --from make one dataset."""
    from harness.cli.output import console
    from harness.store import add_dataset

    with console(stderr=True).status(f"adding {identifier}"):
        manifest = add_dataset(identifier, [_source(text) for text in sources], like=like, replace=replace)
    if json:
        print_json(manifest)
        return
    for split, counts in manifest["counts"].items():
        labels = counts.get("truths", {})
        truths = ", ".join(f"{n} {name}" for name, n in labels.items()) or "no truths"
        truths = f"{len(labels)} labels" if len(labels) > _SHOWN else truths
        typer.echo(f"{identifier} {split}: {counts['problems']} problems, {counts['documents']} documents, {truths}")
    for note in manifest.get("notes", []):
        typer.echo(f"note: {note}")


def _source(text: str) -> Source:
    from harness.corpora import Source

    splits: tuple[Split, ...] = ("train", "test")
    for split in splits:
        if text.startswith(f"{split}=") and not Path(text).exists():
            return Source(path=Path(text.removeprefix(f"{split}=")), split=split)
    return Source(path=Path(text))
