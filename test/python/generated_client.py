"""Runs a job with the client that openapi-python-client makes from the document of the API."""

import json
import os

from placefleet_api import AuthenticatedClient
from placefleet_api.api.jobs import create_job, get_job
from placefleet_api.api.results import list_job_results
from placefleet_api.models import CreateJobRequest, CreateJobRequestLanguage

client = AuthenticatedClient(base_url=os.environ["PLACEFLEET_URL"], token=os.environ["PLACEFLEET_API_KEY"])
request = CreateJobRequest(
    name="Typed", keywords=["bakery"], language=CreateJobRequestLanguage.EN, max_results=5
)
job_id = create_job.sync(client=client, body=request).id

with client.get_httpx_client().stream("GET", f"/api/v1/jobs/{job_id}/stream") as stream:
    for line in stream.iter_lines():
        if line and json.loads(line)["type"] == "place":
            print(json.loads(line)["place"]["title"])

job = get_job.sync(job_id, client=client)
page = list_job_results.sync(job_id, client=client, limit=100)
print(job.status, job.total_cost, len(page.results))
print(get_job.sync("00000000-0000-4000-8000-000000000000", client=client).error)
