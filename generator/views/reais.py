"""Reais in the words of a reader: how much, at which rate of which day, with or without the tax."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from generator import formatting as fmt
from generator.cost.reais import Reais, in_reais, iof_is_stale, iof_on, regime_of
from generator.cost_model import IofRate
from generator.dataset import Dataset
from generator.model import ExchangeRate

RATE_KINDS = {"sell": ", venda", "buy": ", compra", "mid": ", média", "": ""}
SHORT = {"foreign_card": "com IOF", "national_brl": "em fatura nacional", "native_brl": "preço em reais", "": "sem IOF"}
LONG = {
    "foreign_card": "cartão internacional, IOF incluído, sem o spread do banco",
    "national_brl": "fatura em reais, sem IOF de cartão; tributos conforme o contrato",
    "native_brl": "preço publicado em reais",
    "": "forma de cobrança não informada; sem IOF nem spread",
}


def offer_reais(offer: dict[str, Any], data: Dataset, day: date) -> Reais | None:
    """Return what one GPU of an offer costs for an hour in reais, from the currency in which it was published.

    Nothing for a slice of a GPU, and nothing where the currency has no rate.
    """
    if fmt.is_missing(offer["price_hour"]) or not offer["gpu_count"] >= 1:
        return None
    price = Decimal(str(offer["price_hour"])) / Decimal(str(offer["gpu_count"]))
    return in_reais(price, offer["currency"], regime_of(data.providers[offer["provider"]]), data, day)


def billing(reais: Reais) -> str:
    """Return the way of billing that an amount really follows, as the keys of `SHORT` and `LONG`."""
    if not reais.rates:
        return "native_brl"
    if reais.iof:
        return "foreign_card"
    return reais.regime if reais.regime == "national_brl" else ""


def short(reais: Reais | None) -> str:
    """Return an amount for a table: `R$ 10,30 com IOF`; nothing where there is none."""
    return "" if reais is None else f"{fmt.money(reais.amount, 'BRL')} {SHORT[billing(reais)]}"


def long(reais: Reais | None) -> str:
    """Return an amount with everything it includes and leaves out."""
    return "" if reais is None else f"{fmt.money(reais.amount, 'BRL')} ({LONG[billing(reais)]})"


def rate_in_words(rate: ExchangeRate) -> str:
    """Return a rate with its day and source: `R$ 5,0007 por dólar, venda, em 16 de abril de 2026 (PTAX…)`."""
    base = {"USD": "dólar", "EUR": "euro", "CNY": "yuan"}.get(rate.base, rate.base)
    amount = fmt.exchange_rate(rate.rate, rate.quote)
    return f"{amount} por {base}{RATE_KINDS[rate.kind]}, em {fmt.day_long(rate.day)} ({rate.source})"


def iof_in_words(iof: IofRate, day: date, check_days: int) -> str:
    """Return the tax with since when it holds and when it was last checked, and a warning when that is long ago."""
    days = (day - iof.checked_on).days
    late = f", {fmt.age(days)}: confirme antes de usar" if days > check_days else ""
    since, checked = fmt.day_long(iof.in_force_from), fmt.day_long(iof.checked_on)
    return f"{iof_percent(iof)} (em vigor desde {since}; conferido em {checked}{late})"


def iof_percent(iof: IofRate) -> str:
    """Return the rate of the tax: `3,5%`."""
    return fmt.percent(iof.percent / 100, 2)


def notices(data: Dataset, today: date) -> list[str]:
    """Return what should be checked by a person and does not stop the build."""
    if not iof_is_stale(data, today):
        return []
    iof = iof_on(data.cost.iof, today)
    when = "nunca foi conferida" if iof is None else f"foi conferida em {fmt.day_short(iof.checked_on)}"
    limit = fmt.count(data.cost.rules.iof_check_days, "dia", "dias")
    todo = "confira no site da Receita Federal e atualize checked_on, ou acrescente a alíquota nova"
    return [f"aviso: data/iof.csv — a alíquota em vigor {when}, há mais de {limit} — {todo}"]


def how_reais_are_made(data: Dataset, today: date) -> str:
    """Return the sentence beside every table with reais; nothing where no rate is known."""
    rate, iof = data.rate("USD", "BRL", today), iof_on(data.cost.iof, today)
    if rate is None:
        return ""
    tax = f" O IOF é de {iof_in_words(iof, today, data.cost.rules.iof_check_days)}." if iof else ""
    return (
        f"Valores em reais à cotação de {rate_in_words(rate)}. “Com IOF” é a cobrança em cartão internacional, sem o "
        "spread do banco; “em fatura nacional”, a conversão sem IOF de cartão; “sem IOF”, a de quem não informa como "
        f"cobra.{tax}"
    )
