"""Where an offer is: the table of regions first, then what marketplaces write, and never a guess."""

import pytest

from generator.normalise.places import Regions
from generator.tables.regions import Region

PLACES = Regions({("vast", "Marte, XX"): Region("BR", "Marte")}, frozenset({"BG", "BR", "IS", "NA", "US"}))


@pytest.mark.parametrize(
    ("name", "country", "place"),
    [
        ("Bulgaria, BG", "BG", "Bulgaria"),
        ("Hafnarfjarðarkaupstaður, IS, EU", "IS", "Hafnarfjarðarkaupstaður"),
        (", US, NA", "US", ""),
        ("California, US, NA", "US", "California"),
        ("California, US", "US", "California"),
        ("Windhoek, NA", "NA", "Windhoek"),
        ("Windhoek, NA, AF", "NA", "Windhoek"),
        ("Marte, XX", "BR", "Marte"),
        ("", "", ""),
    ],
)
def test_a_place_is_read_as_marketplaces_write_it(name, country, place):
    found = PLACES.find("vast", name)
    assert (found.country, found.place) == (country, place)


@pytest.mark.parametrize("name", ["Atlantis, ZZ", "BG", "somewhere", "Texas", "US-TX, XX, NA"])
def test_an_unknown_place_is_for_a_person_to_look_at(name):
    assert PLACES.find("vast", name) is None
