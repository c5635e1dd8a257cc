"""Dated taxes and what each country means: `data/iof.csv`, `data/countries.csv`, `data/company_taxes.csv`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from decimal import Decimal

from generator import cells
from generator.cost_model import CompanyTax, CostRules, Country, IofRate
from generator.problems import Problem
from generator.records import Record, build, build_keyed, csv_records
from generator.tables.vocabularies import Vocabularies

IOF_COLUMNS = tuple(field.name for field in fields(IofRate))
TAX_COLUMNS = tuple(field.name for field in fields(CompanyTax))
COUNTRY_COLUMNS = ("country", *(field.name for field in fields(Country) if field.name != "code"))


def within(row: Record, name: str, value: Decimal | None, band: tuple[Decimal, Decimal], what: str) -> None:
    """Note a value outside its plausible band, which is how a wrong unit or a lost comma shows."""
    if value is not None and not band[0] <= value <= band[1]:
        row.note(
            name, f"«{name}» é {value}, fora do plausível", f"{what} entre {band[0]} e {band[1]}", "confira a unidade"
        )


def parse_iof(text: str, path: str, rules: CostRules) -> tuple[tuple[IofRate, ...], list[Problem]]:
    """Return the rates, oldest first."""
    records, problems = csv_records(text, path, IOF_COLUMNS)

    def make(row: Record) -> IofRate:
        percent = row.need("percent", cells.decimal)
        within(row, "percent", percent, rules.iof_percent, "porcentagem")
        return IofRate(
            row.need("in_force_from", cells.day),
            percent,
            row.need("checked_on", cells.day),
            row.need("source", cells.text),
        )

    rates, more = build_keyed(records, make, lambda rate: rate.in_force_from, "in_force_from")
    return tuple(rates[day] for day in sorted(rates)), problems + more


def parse_countries(text: str, path: str, vocabularies: Vocabularies) -> tuple[dict[str, Country], list[Problem]]:
    """Return the countries by code."""
    records, problems = csv_records(text, path, COUNTRY_COLUMNS)
    rows, more = build_keyed(records, lambda row: _country(row, vocabularies["lgpd"]), lambda row: row.code, "country")
    return rows, problems + more


def unknown_countries(path: str, countries: Mapping[str, Country], used: Iterable[str]) -> list[Problem]:
    """Return a problem when regions are in countries that the table does not class."""
    missing = sorted(set(used) - {""} - set(countries))
    if not missing:
        return []
    todo = "acrescente uma linha para cada um, com a fonte da classe"
    return [Problem(path, 0, 0, f"faltam {', '.join(missing)}", "todo país de data/regions.csv", todo)]


def _country(row: Record, classes: Iterable[str]) -> Country:
    country = Country(
        code=row.need("country", cells.country),
        lgpd=row.need("lgpd", cells.one_of(tuple(classes))),
        source=row.need("source", cells.text),
        read_on=row.need("read_on", cells.day),
        latency_min_ms=row.maybe("latency_min_ms", cells.positive),
        latency_max_ms=row.maybe("latency_max_ms", cells.positive),
        latency_route=row.maybe("latency_route", cells.text, ""),
        latency_source=row.maybe("latency_source", cells.text, ""),
    )
    told = (country.latency_min_ms, country.latency_max_ms, country.latency_route, country.latency_source)
    if any(told) and not all(told):
        row.note("latency_route", "latência pela metade", "mínimo, máximo, trecho e fonte juntos", "complete ou apague")
    return country


def parse_company_taxes(text: str, path: str) -> tuple[tuple[CompanyTax, ...], list[Problem]]:
    """Return the taxes in the order of the file."""
    records, problems = csv_records(text, path, TAX_COLUMNS)
    taxes, more = build(records, _company_tax)
    return tuple(taxes), problems + more


def _company_tax(row: Record) -> CompanyTax:
    return CompanyTax(
        tax=row.need("tax", cells.text),
        rate=row.need("rate", cells.sentence),
        until=row.maybe("until", cells.text, ""),
        source=row.need("source", cells.text),
        read_on=row.need("read_on", cells.day),
    )
