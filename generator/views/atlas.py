"""Everything that pages from data look up, put together once for a site."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from generator.views.catalogue import Catalogue
from generator.views.fits import Fits
from generator.views.neighbours import Rivals
from generator.views.picks import Picks
from generator.views.site import Site


@dataclass(frozen=True, eq=False)  # one per site, so that what is made of it can be kept
class Atlas:
    """Who sells what, which models fit where, and which GPUs are weighed against each other."""

    catalogue: Catalogue
    fits: Fits
    rivals: Rivals
    picks: Picks

    @classmethod
    @lru_cache(maxsize=1)
    def of(cls, site: Site) -> Atlas:
        """Return the atlas of a site; its parts are computed when first asked for."""
        catalogue = Catalogue(site)
        fits = Fits(catalogue)
        return cls(catalogue, fits, Rivals(catalogue), Picks(fits))
