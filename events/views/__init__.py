"""Every blueprint, named by hand."""

from events.views import account, desk, forces, prints, public, registration, results, rounds, settings

BLUEPRINTS = (
    public.blueprint,
    account.blueprint,
    registration.blueprint,
    forces.blueprint,
    results.blueprint,
    desk.blueprint,
    settings.blueprint,
    rounds.blueprint,
    prints.blueprint,
)
