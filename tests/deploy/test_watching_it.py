"""What an operator watches: every figure that an alert or the page of it names is one that the service has."""

from __future__ import annotations

import re

import yaml
from standing import ROOT

from sayso.gateway.metrics import FIGURES, JUDGING, OPEN
from sayso.serving.metrics import Metrics

ALERTS = yaml.safe_load((ROOT / "deploy" / "prometheus" / "alerts.yaml").read_text("utf-8"))
RUN = (ROOT / "docs" / "operate" / "run.md").read_text("utf-8")
PAGE = RUN[RUN.index("## Monitor") : RUN.index("## Back up")]


def figures():
    families = Metrics(()).registry.collect()
    own = {sample for f in families for sample in (f.name, f"{f.name}_total", f"{f.name}_bucket", f"{f.name}_count")}
    return own | {*FIGURES, OPEN, JUDGING}


def test_alerts_ask_for_figures_that_there_are():
    for rule in ALERTS["groups"][0]["rules"]:
        named = set(re.findall(r"sayso_\w+", rule["expr"]))
        assert named <= figures(), rule["alert"]
        assert rule["annotations"]["summary"]
        assert rule["labels"]["severity"] in ("page", "ticket")


def test_the_page_says_what_to_do_about_every_alert_and_what_every_figure_tells():
    for rule in ALERTS["groups"][0]["rules"]:
        assert f"`{rule['alert']}`" in PAGE
    assert set(re.findall(r"`(sayso_\w+)`", PAGE)) <= figures()
    for family in Metrics(()).registry.collect():
        assert family.name in PAGE
