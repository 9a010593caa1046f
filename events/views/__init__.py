"""Every blueprint, named by hand."""

from events.views import (
    account,
    desk,
    edition_desk,
    editions,
    forces,
    list_desk,
    pack,
    prints,
    public,
    registration,
    restrictions,
    results,
    rounds,
    scenarios,
    settings,
    sideboard,
)

BLUEPRINTS = (
    public.blueprint,
    account.blueprint,
    registration.blueprint,
    forces.blueprint,
    results.blueprint,
    desk.blueprint,
    list_desk.blueprint,
    settings.blueprint,
    restrictions.blueprint,
    rounds.blueprint,
    sideboard.blueprint,
    prints.blueprint,
    pack.blueprint,
    scenarios.blueprint,
    editions.blueprint,
    edition_desk.blueprint,
)
