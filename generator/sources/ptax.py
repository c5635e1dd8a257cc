"""PTAX of the Banco Central do Brasil: BRL for one USD, the sell rate of the closing bulletin.

Format, from the Banco Central's open data page of the PTAX service and the documentation of python-bcb: OData function
`CotacaoDolarPeriodo` with dates in US order and quotes (`@dataInicial='11-24-2026'`); answer
`{"value": [{cotacaoCompra, cotacaoVenda, dataHoraCotacao: "2026-04-16 13:11:33.123", Brasília time}]}`, empty on
weekends, holidays and before the first closing of the window. Sister functions add tipoBoletim (`Abertura`,
`Intermediário`, `Fechamento`): where it is there, only closings count. The body sometimes comes inside a comment,
`/*{…}*/`. 5xx is common.
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from generator.model import ExchangeRate
from generator.sources.answers import fail, read_json, rows_at, text
from generator.sources.http import Fetcher

ID = "ptax"
LABEL = "PTAX, Banco Central do Brasil"
_DAYS = 7
_FUNCTION = "CotacaoDolarPeriodo(dataInicial=@dataInicial,dataFinalCotacao=@dataFinalCotacao)"


def download(fetcher: Fetcher) -> bytes:
    """Return the rates of the last seven days."""
    end = fetcher.today
    start = end - timedelta(days=_DAYS)
    dates = f"@dataInicial='{start:%m-%d-%Y}'&@dataFinalCotacao='{end:%m-%d-%Y}'"
    return fetcher.get(f"{fetcher.source.url}{_FUNCTION}?{dates}&$format=json&$top=100")


def parse(payload: bytes) -> list[ExchangeRate]:
    """Return one rate per day, oldest first."""
    bare = payload.strip().removeprefix(b"/*").removesuffix(b"*/")
    rows = rows_at(ID, read_json(ID, bare), "value", ("cotacaoVenda", "dataHoraCotacao"))
    closings = [row for row in rows if text(row.get("tipoBoletim")) in {"", "Fechamento"}]
    if not closings:
        fail(ID, "nenhum boletim de fechamento na janela", payload)
    rates = [_rate(row) for row in sorted(closings, key=lambda row: text(row.get("dataHoraCotacao")))]
    return list({rate.day: rate for rate in rates}.values())


def _rate(row: dict[str, Any]) -> ExchangeRate:
    try:
        day = date.fromisoformat(text(row.get("dataHoraCotacao"))[:10])
        rate = Decimal(text(row.get("cotacaoVenda")))
    except (ValueError, InvalidOperation):
        fail(ID, f"cotação ilegível: {text(row)}")
    if not rate.is_finite() or rate <= 0:
        fail(ID, f"cotação impossível: {text(row)}")
    return ExchangeRate("USD", "BRL", day, rate, "sell", LABEL)
