"""The system that this process runs on."""

try:
    from service import unix as system
except ModuleNotFoundError:  # Windows has no fcntl
    from service import windows as system  # type: ignore[no-redef]

__all__ = ["system"]
