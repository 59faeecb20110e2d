"""The typed client of the Placefleet API: `Placefleet`, and `AsyncPlacefleet` with the same calls."""

from ._async.client import AsyncPlacefleet
from ._sync.client import Placefleet
from .dataframe import to_dataframe
from .errors import (
    APIConnectionError,
    APITimeoutError,
    AuthenticationError,
    ConfigurationError,
    ConflictError,
    InsufficientCreditsError,
    InvalidRequestError,
    InvalidResponseError,
    JobFailedError,
    NotFoundError,
    PermissionDeniedError,
    PlacefleetError,
    RateLimitError,
    ServerError,
)
from .retry import Retry
from .types import Change, CreateJobRequest, Job, Monitor, WebhookEvent
from .types import Result as Place
from .types import StreamJobEvent as FollowEvent
from .types import StreamJobEventProgress as Progress
from .version import VERSION as __version__
from .webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "APIConnectionError",
    "APITimeoutError",
    "AsyncPlacefleet",
    "AuthenticationError",
    "Change",
    "ConfigurationError",
    "ConflictError",
    "CreateJobRequest",
    "FollowEvent",
    "InsufficientCreditsError",
    "InvalidRequestError",
    "InvalidResponseError",
    "Job",
    "JobFailedError",
    "Monitor",
    "NotFoundError",
    "PermissionDeniedError",
    "Place",
    "Placefleet",
    "PlacefleetError",
    "Progress",
    "RateLimitError",
    "Retry",
    "ServerError",
    "WebhookEvent",
    "WebhookVerificationError",
    "__version__",
    "to_dataframe",
    "verify_webhook",
]
