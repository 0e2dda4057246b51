"""The engine's contenders: each computes beliefs and the gains of open phenomena for the same case.

Contenders that know only posteriors compute gains by hypothetical answers: one more posterior for a yes and one for a
no of every phenomenon. Peers are optional; `contenders` names those that are not installed.
"""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from services.engine.diagnose import bind_reasoner, diagnose
from services.engine.inference.evidence import read_answers
from services.engine.inference.reasoner import ReasoningModel
from services.engine.model import Diagnosis, ScoringRule
from services.engine.tables.numerics import Floats, Indices
from tests.benchmarks.engines.graphs import Case, Graph
from tests.benchmarks.engines.model import Model
from tests.benchmarks.engines.seed import SeedGraph, calculate_confidence, information_gain

# Rows of hypothetical answers in a batch where they are dense: all of the middle size would be 1.2 GB.
_DENSE_ROWS = 500


class Contender(Protocol):
    """One implementation. `kind` is engine, loops, formula (the engine's method, beliefs and gains only) or peer."""

    name: str
    kind: str

    def believe(self, case: Case) -> Floats:
        """The belief (R+1,)."""

    def expect(self, case: Case, phenomena: Indices) -> Floats:
        """The gains of these open phenomena, given the case believed last."""


class Loops:
    """The plain Python transcription."""

    name, kind = "the baseline's loops, plain Python", "loops"

    def __init__(self, graph: Graph) -> None:
        self._graph = SeedGraph(graph)

    def believe(self, case: Case) -> Floats:
        """See Contender; OTHER is 0."""
        self._hypotheses = calculate_confidence(self._graph, case)
        belief = np.zeros(len(self._graph.root_causes) + 1)
        for hypothesis in self._hypotheses:
            belief[hypothesis.root_cause] = hypothesis.confidence
        return belief

    def expect(self, case: Case, phenomena: Indices) -> Floats:
        """See Contender."""
        gains = {at: information_gain(self._graph, at, self._hypotheses) for at in phenomena.tolist()}
        sorted(gains, key=lambda at: gains[at], reverse=True)
        return np.array(list(gains.values()))


class Dense:
    """The engine's own closed form over full tables, logarithms and entropies computed in advance, BLAS allowed."""

    name, kind = "NumPy, dense, closed form", "formula"

    def __init__(self, model: Model) -> None:
        self._yes, self._prior = model.yes, np.log2(model.prior)
        self._bits = {True: np.log2(model.yes), False: np.log2(1.0 - model.yes)}
        self._entropy = -(model.yes * self._bits[True] + (1.0 - model.yes) * self._bits[False])

    def believe(self, case: Case) -> Floats:
        """See Contender."""
        bits = self._prior + self._bits[True][list(case.confirmed)].sum(axis=0)
        bits += self._bits[False][list(case.denied)].sum(axis=0)
        weights = np.exp2(bits - bits.max())
        self._belief: Floats = np.asarray(weights / weights.sum())
        return self._belief

    def expect(self, case: Case, phenomena: Indices) -> Floats:
        """See Contender; computes all gains at once."""
        yes = self._yes @ self._belief
        gains = -(yes * np.log2(yes) + (1.0 - yes) * np.log2(1.0 - yes)) - self._entropy @ self._belief
        return np.asarray(gains[phenomena])


def expected_fall(before: float, yes: Floats, if_yes: Floats, if_no: Floats) -> Floats:
    """Gains of hypothetical beliefs (phenomena, R+1)."""
    return before - yes * entropies(if_yes) - (1.0 - yes) * entropies(if_no)


def entropies(beliefs: Floats) -> Floats:
    """Of each row, in bits."""
    return np.asarray(-np.sum(beliefs * np.log2(beliefs), axis=-1))


class ScikitLearn:
    """Multinomial naive Bayes on one-hot columns: yes, no and, where rows are dense, not answered."""

    kind = "peer"

    def __init__(self, model: Model, dense: bool) -> None:
        self.name = f"scikit-learn MultinomialNB, {'dense' if dense else 'sparse'} rows"
        self._sparse = importlib.import_module("scipy.sparse")
        bayes = importlib.import_module("sklearn.naive_bayes").MultinomialNB()
        self._dense, self._yes = dense, model.yes
        tables = [np.log(model.yes.T), np.log(1.0 - model.yes.T)] + [np.zeros(model.yes.T.shape)] * dense
        bayes.feature_log_prob_ = np.concatenate(tables, axis=1)
        bayes.class_log_prior_ = np.log(model.prior)
        bayes.classes_, bayes.n_features_in_ = np.arange(len(model.prior)), bayes.feature_log_prob_.shape[1]
        self._bayes = bayes

    def believe(self, case: Case) -> Floats:
        """See Contender."""
        self._belief: Floats = np.asarray(
            np.exp(self._bayes.predict_log_proba(self._rows(case, np.empty(0, dtype=np.int64))))[0]
        )
        return self._belief

    def expect(self, case: Case, phenomena: Indices) -> Floats:
        """See Contender: hypothetical answers in batches, sparse rows in a single one."""
        batch = _DENSE_ROWS if self._dense else len(phenomena)
        return np.concatenate(
            [self._expect(case, phenomena[at : at + batch]) for at in range(0, len(phenomena), batch)]
        )

    def _expect(self, case: Case, phenomena: Indices) -> Floats:
        logs = self._bayes.predict_log_proba(self._rows(case, phenomena))
        after = -np.sum(np.exp(logs) * logs, axis=1) / np.log(2.0)
        yes = self._yes[phenomena] @ self._belief
        count = len(phenomena)
        return np.asarray(entropies(self._belief) - yes * after[:count] - (1.0 - yes) * after[count:])

    def _rows(self, case: Case, phenomena: Indices) -> Any:
        """The case alone, or with a yes of each phenomenon and then with a no of each."""
        size = len(self._yes)
        said = np.array([*case.confirmed, *(size + at for at in case.denied)], dtype=np.int64)
        more = np.concatenate((phenomena, size + phenomena))[:, np.newaxis]
        columns = np.hstack((np.tile(said, (len(more), 1)), more)) if len(more) else said[np.newaxis]
        if not self._dense:
            starts = np.arange(len(columns) + 1) * columns.shape[1]
            shape = (len(columns), 2 * size)
            return self._sparse.csr_matrix((np.ones(columns.size), columns.ravel(), starts), shape=shape)
        rows = np.zeros((len(columns), 3 * size))
        rows[:, 2 * size :] = 1.0
        lines = np.arange(len(columns))[:, np.newaxis]
        rows[lines, columns] = 1.0
        rows[lines, 2 * size + columns % size] = 0.0
        return rows


class PyAgrum:
    """A naive Bayes network under ShaferShenoy, the cause its only target: else one inference updates every node."""

    name, kind = "pyAgrum ShaferShenoy", "peer"

    def __init__(self, model: Model) -> None:
        gum = importlib.import_module("pyagrum")
        self._yes, network = model.yes, gum.BayesNet()
        cause = network.add(gum.LabelizedVariable("cause", "", len(model.prior)))
        for at, rates in enumerate(model.yes):
            node = network.add(gum.LabelizedVariable(f"p{at}", "", 2))
            network.addArc(cause, node)
            network.cpt(node)[:] = np.stack((1.0 - rates, rates), axis=1)
        network.cpt(cause).fillWith(model.prior.tolist())
        self._network, self._inference = network, gum.ShaferShenoyInference(network)
        self._inference.addTarget("cause")

    def believe(self, case: Case) -> Floats:
        """See Contender."""
        said = dict.fromkeys((f"p{at}" for at in case.confirmed), 1)
        self._inference.setEvidence(said | dict.fromkeys((f"p{at}" for at in case.denied), 0))
        self._belief = self._posterior()
        return self._belief

    def expect(self, case: Case, phenomena: Indices) -> Floats:
        """See Contender: two inferences a phenomenon."""
        if_yes, if_no = np.empty((2, len(phenomena), len(self._belief)))
        for at, phenomenon in enumerate(phenomena.tolist()):
            self._inference.addEvidence(f"p{phenomenon}", 1)
            if_yes[at] = self._posterior()
            self._inference.chgEvidence(f"p{phenomenon}", 0)
            if_no[at] = self._posterior()
            self._inference.eraseEvidence(f"p{phenomenon}")
        yes = self._yes[phenomena] @ self._belief
        return expected_fall(float(entropies(self._belief)), yes, if_yes, if_no)

    def _posterior(self) -> Floats:
        self._inference.makeInference()
        return np.asarray(self._inference.posterior("cause").toarray())


class Pgmpy:
    """A naive Bayes network under variable elimination, which first drops the phenomena without an answer."""

    name, kind = "pgmpy VariableElimination", "peer"

    def __init__(self, model: Model) -> None:
        models = importlib.import_module("pgmpy.models")
        table = importlib.import_module("pgmpy.factors.discrete").TabularCPD
        names = [f"p{at}" for at in range(len(model.yes))]
        network = models.DiscreteBayesianNetwork([("cause", name) for name in names])
        states, shape = len(model.prior), ["cause"]
        network.add_cpds(table("cause", states, model.prior[:, np.newaxis]))
        for name, rates in zip(names, model.yes, strict=True):
            network.add_cpds(table(name, 2, np.stack((1.0 - rates, rates)), shape, [states]))
        self._yes, self._inference = (
            model.yes,
            importlib.import_module("pgmpy.inference").VariableElimination(network),
        )

    def believe(self, case: Case) -> Floats:
        """See Contender."""
        said = dict.fromkeys((f"p{at}" for at in case.confirmed), 1)
        self._said = said | dict.fromkeys((f"p{at}" for at in case.denied), 0)
        self._belief = self._posterior({})
        return self._belief

    def expect(self, case: Case, phenomena: Indices) -> Floats:
        """See Contender: two queries a phenomenon."""
        if_yes = np.stack([self._posterior({f"p{at}": 1}) for at in phenomena.tolist()])
        if_no = np.stack([self._posterior({f"p{at}": 0}) for at in phenomena.tolist()])
        yes = self._yes[phenomena] @ self._belief
        return expected_fall(float(entropies(self._belief)), yes, if_yes, if_no)

    def _posterior(self, more: dict[str, int]) -> Floats:
        found = self._inference.query(["cause"], self._said | more, elimination_order="greedy", show_progress=False)
        return np.asarray(found.values)


class Engine:
    """The engine: `believe` and `expect` for the comparison of numbers, `whole` for the time."""

    name, kind = "dbdiag, whole Diagnose", "engine"

    def __init__(self, library: ReasoningModel, rule: ScoringRule = ScoringRule.BAYES) -> None:
        self._library, self._reasoner = library, bind_reasoner(library, rule)

    def believe(self, case: Case) -> Floats:
        """See Contender."""
        self._state = self._reasoner.posterior(self._answers(case))
        return self._state.belief

    def expect(self, case: Case, phenomena: Indices) -> Floats:
        """See Contender."""
        return np.asarray(self._reasoner.gains(self._state).bits[phenomena])

    def reported(self, phenomena: Indices) -> Floats:
        """Their gains as Diagnose reports them, given the case believed last."""
        return self._reasoner.exact_gains(self._state, phenomena).bits

    def rank_all(self) -> object:
        """The gain of every phenomenon, given the case believed last; never cached."""
        return self._reasoner.gains(replace(self._state))

    def best(self, case: Case, count: int) -> list[int]:
        """The questions with the best gain for their cost, by exhaustive search."""
        self.believe(case)
        gains = self._reasoner.gains(self._state).bits.copy()
        gains[list(case.answered)] = -1.0
        price = 1.0 + 0.25 * (self._library.snapshot.costs - 1.0)
        likely = np.sort(np.argsort(-gains / price)[: 20 * count])
        worth = np.round(self.reported(likely) / price[likely], 12)
        return [int(at) for at in likely[np.argsort(-worth, kind="stable")][:count]]

    def whole(self, case: Case) -> Diagnosis:
        """The complete answer of Diagnose."""
        return diagnose(self._library, case.request())

    def _answers(self, case: Case) -> Any:
        return read_answers(self._library.snapshot, case.request().evidence)


class BeliefsAndGains(Engine):
    """The part of the engine that contenders compute: beliefs and gains."""

    name, kind = "dbdiag, beliefs and all gains only", "formula"
