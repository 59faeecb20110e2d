// Made by `npm run api:types` from the API's own document; do not edit.

export interface paths {
    "/api/v1/admin/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the work of the fleet by hours: places, and refusals of the map site */
        get: operations["getFleetActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the agents of the last week and all enrolled agents */
        get: operations["listAgents"];
        put?: never;
        /** Enrol an agent and create its token */
        post: operations["enrolAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/agents/{name}/drain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop an enrolled agent from taking new tasks */
        post: operations["drainAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/agents/{name}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a drained agent take tasks again */
        post: operations["resumeAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/agents/{name}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke the token of an enrolled agent, and give its tasks to other agents */
        post: operations["revokeAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/agents/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the last hour of an agent */
        get: operations["getAgentActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Diagnose the deployment */
        get: operations["getDiagnosis"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/exits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the addresses and proxies of the fleet: pace, pauses and answers of each */
        get: operations["listExits"];
        put?: never;
        /** Add proxies to the pool, for jobs that bring none; those that are in it change nothing */
        post: operations["addExits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/exits/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take a proxy out of the pool */
        delete: operations["removeExit"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/exits/{id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let an agent check the paths to the map site through its own address; `check` in the list has the result */
        post: operations["checkExit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/exits/{id}/wake": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the pause of an address or proxy, such as after a change of its address; one request goes first */
        post: operations["wakeExit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Grant or correct credits of a user */
        post: operations["grantCredits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the jobs of all users, newest first */
        get: operations["listAllJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a job of any user */
        get: operations["getAnyJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/jobs/{id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tasks of a job of any user */
        get: operations["listAnyJobTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all prices */
        get: operations["listPrices"];
        put?: never;
        /** Set future prices */
        post: operations["setPrices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/prices/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the prices at a time */
        get: operations["previewPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the backlog of jobs and tasks */
        get: operations["getQueue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/support": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List support requests */
        get: operations["listSupportRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/tasks/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a failed task of a running job
         * @description It has all its attempts again.
         */
        post: operations["retryTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/tasks/dead": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tasks that failed in all their attempts */
        get: operations["listDeadTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/unknown-answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the last answers of the map site that no agent understood */
        get: operations["listUnknownAnswers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all users, newest first */
        get: operations["listUsers"];
        put?: never;
        /** Create a user */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a user */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the role of a user */
        patch: operations["setUserRole"];
        trace?: never;
    };
    "/api/v1/admin/users/{id}/identity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Unlink a user from the identity provider */
        delete: operations["unlinkUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End all sessions of a user */
        delete: operations["endUserSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/sign-in-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a one-time sign-in link for a user */
        post: operations["createSignInLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List API keys */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description A key with `limits` creates jobs only within them, runs, changes and deletes only its own monitors, deletes only its own jobs, and neither creates keys, forgets known places nor changes webhooks.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description No request with it is accepted from now on. Its jobs and monitors go on, and a spending limit of the key still applies to them. To stop a monitor, pause or delete it. A key with limits revokes only itself.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        /**
         * Change the spending limits of an API key
         * @description Requires a session or an operator: a key cannot raise its own limit.
         */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/api/v1/credits/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Credit balance */
        get: operations["getCreditBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credits/checkout-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Buy credits */
        post: operations["createCheckoutSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credits/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Credit transactions, newest first */
        get: operations["listCreditTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credits/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Credit a paid checkout at once */
        post: operations["reconcileCheckoutSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credits/spending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Charges of jobs by day */
        get: operations["getDailySpending"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Key figures and latest jobs */
        get: operations["getDashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your jobs
         * @description For the next page send the id of the last job as `after`: then no job is shown twice or left out because others were created or deleted meanwhile. `search` looks through your 10000 newest jobs, or those of the `status`.
         */
        get: operations["listJobs"];
        put?: never;
        /**
         * Create a job
         * @description Billable. With an `Idempotency-Key`, a repeated request within 24 hours creates no second job and gets the same response, with the header `Idempotent-Replayed: true`.
         */
        post: operations["createJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One job
         * @description With `wait` the response comes when the status changes, or after that many seconds.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        /**
         * Delete a job and its places
         * @description An active job is cancelled first. The ledger keeps what the job cost.
         */
        delete: operations["deleteJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job
         * @description A pending job is cancelled at once, a running one within 10 seconds. Its stored places stay and are billed.
         */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Cost report of a job */
        get: operations["getJobCosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/coverage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How completely a job searched its area
         * @description The certificate of coverage. `coverage: audited` adds an estimate of how many places there are. It cannot see places that the map site hides from every signed-out search. Without an area it knows only whether a search was cut.
         */
        get: operations["getJobCoverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the deliveries of a job */
        get: operations["listJobDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the results of a job */
        get: operations["downloadJobResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/download-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link to the results of a job
         * @description Whoever has the link can download this file of this job for ten minutes, without an API key.
         */
        post: operations["createDownloadLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a job as server-sent events
         * @description For `EventSource`: each event carries one object of the NDJSON stream; its id is the cursor. Browsers reconnect with `Last-Event-ID` and miss nothing. After the end they get 204 and stop.
         */
        get: operations["streamJobEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/inputs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what became of the named places of a job
         * @description The entries of `places` in their order, also while the job runs. Empty for a job without `places`.
         */
        get: operations["listJobInputs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the results of a job */
        get: operations["listJobResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a job as NDJSON
         * @description One JSON object a line: places in order, progress, and the end. An empty line is a heartbeat. The stream ends after five minutes or when this server stops. Without an `end` event, request it again with the last `position` as `after`.
         */
        get: operations["streamJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tasks of a job and their attempts
         * @description What the job does, or did: each search and each group of places, when it was tried and how that ended. They are kept for a week after their end.
         */
        get: operations["listJobTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/costs/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cost reports of up to 100 jobs */
        post: operations["getCostsOfJobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/estimates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Estimate the cost of a job */
        post: operations["estimateJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/known-places": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List known places
         * @description The places that your jobs stored and those that you uploaded. They stay when a job is deleted.
         */
        get: operations["listKnownPlaces"];
        put?: never;
        /**
         * Upload known places
         * @description Jobs with `only_new` drop these places. The body is a CSV or XLSX file of at most 16 MiB, an export of Placefleet or of another tool. A user uploads one file at a time and three a minute.
         */
        post: operations["uploadKnownPlaces"];
        /**
         * Forget all known places
         * @description Every place counts as new again. Jobs and their results stay.
         */
        delete: operations["forgetKnownPlaces"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List monitors */
        get: operations["listMonitors"];
        put?: never;
        /**
         * Create a monitor
         * @description Each run is billed like a job. A user has at most 50 monitors. The spending limits of the API key that creates a monitor apply to its jobs, also after the key is revoked. With an `Idempotency-Key`, a repeated request within 24 hours creates no second monitor and gets the same one, with the header `Idempotent-Replayed: true`.
         */
        post: operations["createMonitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a monitor */
        get: operations["getMonitor"];
        put?: never;
        post?: never;
        /**
         * Delete a monitor
         * @description Its jobs and their places stay. A job that runs goes on.
         */
        delete: operations["deleteMonitor"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a monitor
         * @description A new schedule counts from now on. A job that runs is not affected.
         */
        patch: operations["updateMonitor"];
        trace?: never;
    };
    "/api/v1/monitors/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes that a monitor found
         * @description Oldest first; `order=desc` lists the newest first. A new place is reported once the monitor knows its area. A place is `gone` when two to five runs in a row missed it and then a direct look does not find it, or when its page says that it is closed.
         */
        get: operations["listMonitorChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/changes/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the changes that a monitor found */
        get: operations["downloadMonitorChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a monitor now
         * @description Creates its job at once, beside the schedule, also while the monitor is paused. Billable. One run at a time: `run_in_progress` (409) while another has not ended. With an `Idempotency-Key`, a repeated request within 24 hours begins no second run and gets the same response, with the header `Idempotent-Replayed: true`.
         */
        post: operations["runMonitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a monitor
         * @description Also the runs that were skipped or missed, and why.
         */
        get: operations["listMonitorRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the results of all jobs */
        get: operations["listResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/results/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the results of many jobs
         * @description One file with the results of all your ended jobs, of one monitor, or of the jobs that a search finds. Oldest job first; a place that several jobs found has a row for each.
         */
        get: operations["downloadResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/support": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a support request
         * @description Limited to one per minute, with a burst of three.
         */
        post: operations["createSupportRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/towns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Find a town by the beginning of its name */
        get: operations["searchTowns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The build version */
        get: operations["getVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhooks */
        get: operations["listWebhooks"];
        put?: never;
        /** Register a webhook */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a webhook */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description A new `url` is unverified until its first successful delivery. `reenable` enables a disabled webhook again.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List deliveries of a webhook */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{delivery_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a delivery
         * @description Makes one more attempt for a delivery that ended, with the same X-Webhook-ID.
         */
        post: operations["retryWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/retry-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry all failed deliveries since a time
         * @description Makes one more attempt for each failed delivery of a job event, with the same X-Webhook-ID. Repeats take half of the hourly limits at most, and go behind new events: more wait for the next hour.
         */
        post: operations["retryFailedWebhookDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret
         * @description The new secret is shown only once. The old one signs as well for 24 hours.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test delivery
         * @description Sends a signed `webhook.test` in one attempt. The deliveries of the webhook show the result. A user sends 10 tests an hour.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in as the first operator with ADMIN_TOKEN
         * @description Works once, for installations without a shell. The user with the email ADMIN_EMAIL becomes an operator.
         */
        post: operations["claimDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin a login by pairing code */
        post: operations["beginDeviceLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/device/{user_code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the program that waits with a pairing code */
        get: operations["getDeviceLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/device/{user_code}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve the login: the program gets an API key of yours */
        post: operations["approveDeviceLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/device/{user_code}/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject the login */
        post: operations["denyDeviceLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/device/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the API key of an approved login
         * @description 400 with `authorization_pending` until a person decides, then once the key or `access_denied`. The key never has the rights of an operator.
         */
        post: operations["redeemDeviceLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a one-time link */
        post: operations["redeemSignInLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the identity providers */
        get: operations["listSignInProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the current session */
        get: operations["getCurrentSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your sessions */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /** End all other sessions */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a session */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Health of the service */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liveness of the process
         * @description Answers while the process runs, even when the database is down. Restart the process when it does not.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    delivery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A signed delivery to your webhook */
        post: operations["receiveDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description One property of a place. */
        AboutOption: {
            enabled: boolean;
            name: string;
            values?: string[];
        };
        /** @description Properties of a place under one heading. */
        AboutSection: {
            id: string;
            name: string;
            options: components["schemas"]["AboutOption"][];
        };
        /** @description Added proxies. */
        AddedExits: {
            /** @description their ids, in the order of the request */
            ids: string[];
        };
        /** @description Proxies of the operator. */
        AddExitsRequest: {
            /** @description URLs (http, https, socks5, socks5h), or host:port, host:port:user:password, user:password@host:port */
            proxies: string[];
        };
        /** @description A member of the fleet. */
        Agent: {
            /** @description the share of places and pages that the map site refused in the last five minutes */
            block_rate?: number;
            /** @description slots in use, as last reported */
            busy?: number;
            /** @description why the agent cannot start Chromium; absent while it can, or never needs it */
            chromium_problem?: components["schemas"]["ChromiumProblem"];
            /** @description payload paths of the map site that had too little data in its last hundred places */
            drifted?: string[];
            /** @description whether it has its own token and obeys commands */
            enrolled: boolean;
            /** @description where the requests of jobs without proxies leave; agents with the same address share its pace and pauses */
            exit?: {
                /**
                 * @description how it is known. `name`: the EXIT_NAME of the agent; `address`: where the coordinator sees it; `forwarded`: the address that a trusted proxy names; `network`: the coordinator sees a private address, and all such agents count as one address
                 * @enum {string}
                 */
                by: "name" | "address" | "forwarded" | "network";
                /** @description as in `GET /api/v1/admin/exits` */
                id: string;
                name: string;
            };
            /** Format: date-time */
            first_seen_at?: string;
            /** @description tasks that it handed back; many of them without a restart are suspicious */
            handed_back?: number;
            host?: string;
            /** @description id of the process; absent for an enrolled agent that has never connected */
            id?: string;
            /** Format: date-time */
            last_seen_at?: string;
            name: string;
            /** @description average of the last five minutes */
            places_per_minute: number;
            protocol?: number;
            /** @description the own address and proxies that pause now, by reason */
            resting?: {
                count: number;
                /** @enum {string} */
                reason: "blocked" | "consent" | "failed" | "unknown";
            }[];
            /** @description tasks that the agent runs */
            running: number;
            /** @description tasks that it can run at once */
            slots?: number;
            /**
             * @description `silent`: connected, but it sends no heartbeat; `enrolled`: never connected
             * @enum {string}
             */
            state: "connected" | "draining" | "silent" | "gone" | "enrolled" | "revoked";
            version?: string;
        };
        /** @description What an agent did in the last hour. Minutes without work are left out. */
        AgentActivity: {
            /** @description its work in the minutes of the last hour, oldest first */
            minutes: {
                /**
                 * Format: date-time
                 * @description when the hour or minute begins
                 */
                at: string;
                /** @description those of them that the map site refused */
                blocked: number;
                /** @description stored places */
                places: number;
                /** @description tasks that waited because the map site refused them */
                refused_tasks: number;
                /** @description places and pages that agents have ended with */
                visited: number;
            }[];
            /** @description those that it runs, and the last that it ended */
            tasks: components["schemas"]["AnyTask"][];
        };
        /** @description The fleet, by name. */
        AgentList: {
            agents: components["schemas"]["Agent"][];
        };
        /** @description A job and its user. */
        AnyJob: {
            /** @enum {string} */
            cancel_reason?: "user" | "timeout";
            /** @description only with `exhaust`: how complete it is */
            coverage?: {
                /** @description of an ended job */
                estimate?: {
                    /** @constant */
                    confidence: 0.95;
                    /** @description the total is between `low` and `high` in 95 of 100 cases */
                    high: number;
                    low: number;
                    /** @description likely number of places in the area, found or not */
                    total: number;
                };
                /** @description whether its searches found next to no new place at the end */
                exhausted: boolean;
                /** @description places stored so far */
                found: number;
            };
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["JobData"];
            /** @description of its user; absent when the user was erased */
            email?: string;
            /** Format: date-time */
            ended_at?: string;
            /** @description only when failed; begins with an identifier, e.g. `blocked: …` */
            failure_reason?: string;
            /** Format: uuid */
            id: string;
            /**
             * @description why places are `limited` or missing, when it was not only the map site; `chromium_unavailable`: an agent needed Chromium for more, and could not start it
             * @enum {string}
             */
            limited_reason?: "chromium_unavailable";
            /**
             * Format: uuid
             * @description the monitor that created it
             */
            monitor_id?: string;
            /** @description the name from the request */
            name: string;
            outcomes: components["schemas"]["OutcomeCounts"];
            /** @description true when places may be missing: some tasks failed, or `max_cost` or the credits were used up */
            partial?: boolean;
            /**
             * @description with `exhaust`, when it is partial: the limit that ended it, or `blocked`: the map site did not answer for parts of the area
             * @enum {string}
             */
            partial_reason?: "max_cost" | "max_results" | "max_time" | "blocked";
            progress: {
                collected: number;
                discovered: number;
                /**
                 * Format: date-time
                 * @description when the job likely ends, by its speed so far; absent while that is unknown
                 */
                eta?: string;
                tasks_done: number;
                tasks_total: number;
                /**
                 * @description why the job waits; `blocked`: the map site refuses every address and proxy for now; waiting spends no attempt. `unknown`: it sends only answers that nobody knows, and requests pause as after a block. `no_agent`: no agent is connected that may take the job
                 * @enum {string}
                 */
                waiting_reason?: "blocked" | "unknown" | "no_agent";
                /**
                 * Format: date-time
                 * @description when a waiting job continues; this time does not count against `max_time`, within its bounds
                 */
                waiting_until?: string;
            };
            /** @description places stored so far */
            result_count: number;
            /**
             * @description created with an API key, or from the console
             * @enum {string}
             */
            source: "api" | "web";
            /** Format: date-time */
            started_at?: string;
            /**
             * @description `completed`, `failed` and `cancelled` are final
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed" | "cancelled" | "aborting";
            /** @description credits, with 6 decimals */
            total_cost: string;
            /**
             * Format: date-time
             * @description when the status last changed
             */
            updated_at: string;
            /** Format: uuid */
            user_id: string;
            /** @description only with `include_emails` */
            website_visits?: components["schemas"]["WebsiteVisits"];
        };
        /** @description Jobs of all users, newest first. */
        AnyJobList: {
            /** @description whether another page follows */
            has_more: boolean;
            jobs: components["schemas"]["AnyJob"][];
            limit: number;
            page: number;
        };
        /** @description One unit of work of a job of any user, and its attempts. */
        AnyTask: {
            /** @description its latest ten, oldest first */
            attempts: {
                /** @description the name of its agent; only operators see it */
                agent?: string;
                /** @description the process of its agent; only operators see it */
                agent_id?: string;
                /** @description the cause in the words of the agent; only operators see it */
                detail?: string;
                /**
                 * Format: date-time
                 * @description absent while it runs
                 */
                ended_at?: string;
                /** @description the name of the address of its agent, if the task has no proxies; only operators see it */
                exit?: string;
                message?: string;
                number: number;
                /**
                 * @description why it failed
                 * @enum {string}
                 */
                reason?: "blocked" | "proxies_failed" | "source_unavailable" | "layout_changed" | "chromium_unavailable" | "agent_crashed";
                /**
                 * @description absent while it runs. `refused`: the map site refused it for now; `handed_back`: its agent gave it back, as when it stops; `lost`: its agent stopped answering
                 * @enum {string}
                 */
                result?: "finished" | "failed" | "refused" | "handed_back" | "lost" | "cancelled";
                /** Format: date-time */
                started_at: string;
            }[];
            /** @description true for a search that only estimates how many places there are */
            audit?: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            job_id: string;
            /** @description of a search */
            keyword?: string;
            /**
             * @description `discover`: one search; `collect`: a group of up to 20 places
             * @enum {string}
             */
            kind: "discover" | "collect";
            /**
             * Format: date-time
             * @description of `waiting`: it is not tried before this time
             */
            not_before?: string;
            /** @description its number among the tasks of its kind, from 0 */
            ordinal: number;
            /**
             * @description `waiting`: not in the queue yet; `released`: in the queue
             * @enum {string}
             */
            state: "waiting" | "released" | "running" | "done" | "failed" | "cancelled";
            /** @description places that its latest attempt stored */
            stored: number;
        };
        /** @description An API key without its secret. */
        ApiKey: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** @description one end of the key, to recognize it */
            key_hint_prefix: string;
            /** @description one end of the key, to recognize it */
            key_hint_suffix: string;
            /**
             * Format: date-time
             * @description absent until the first use
             */
            last_used_at?: string;
            /** @description absent without limits */
            limits?: components["schemas"]["SpendingLimits"];
            name: string;
            /**
             * Format: date-time
             * @description absent while the key is active
             */
            revoked_at?: string;
            /** @description number of granted requests */
            usage_count: number;
        };
        /** @description A GeoJSON Polygon or MultiPolygon (RFC 7946): positions of longitude and latitude, at most 2000 of them, in closed rings; the first ring of a polygon is its outline, the others are holes. No ring crosses itself. Edges are straight in degrees, and belong to the area. An edge over more than 270 degrees of longitude means the short way, over the date line. */
        Area: {
            coordinates: number[][][];
            /** @constant */
            type: "Polygon";
        } | {
            coordinates: number[][][][];
            /** @constant */
            type: "MultiPolygon";
        };
        /** @description A GeoJSON Polygon or MultiPolygon (RFC 7946): positions of longitude and latitude, at most 2000 of them, in closed rings; the first ring of a polygon is its outline, the others are holes. No ring crosses itself. Edges are straight in degrees, and belong to the area. An edge over more than 270 degrees of longitude means the short way, over the date line. */
        AreaInput: {
            coordinates: number[][][];
            /** @constant */
            type: "Polygon";
        } | {
            coordinates: number[][][][];
            /** @constant */
            type: "MultiPolygon";
        };
        /** @description A program that requests a login. */
        BeginDeviceLogin: {
            /** @description name of the program, and of its API key */
            client_name: string;
        };
        /** @description What happened to a place. */
        Change: {
            /** @description of `changed`: each changed field before and after; absent where the place had none. Of a place that is `gone` because it closed, or `back` because it is open again: `closed` */
            fields?: {
                [key: string]: {
                    after?: unknown;
                    before?: unknown;
                };
            };
            /** @description the job of the run that saw it */
            job_id: string;
            /** @description to four decimals, about 11 metres */
            latitude?: number;
            longitude?: number;
            /** @description the id of the place; exports have it as `data_id`. Begins with `erased:` once the operator erased the place */
            place_key: string;
            /** Format: date-time */
            seen_at: string;
            /** @description 1, 2, 3 … within the monitor */
            sequence: number;
            title?: string;
            /**
             * @description `gone`: closed permanently, or no longer within the circle and filter of the job; `back`: found again after that
             * @enum {string}
             */
            type: "new" | "changed" | "gone" | "back";
        };
        /** @description New limits of a key. */
        ChangeApiKeyRequest: {
            /** @description replace the current limits; `{}` removes them */
            limits: components["schemas"]["SpendingLimitsInput"];
        };
        /** @description Changes in order. */
        ChangeList: {
            changes: components["schemas"]["Change"][];
            /** @description whether more changes follow */
            has_more: boolean;
        };
        /** @description The fields of a monitor to change. */
        ChangeMonitorRequest: {
            /** @description no run begins after this time; null: no end */
            ends_at?: string | null;
            /** @description largest delay of a run in seconds; spreads the runs of many monitors */
            jitter_seconds?: number;
            /** @description the job that each run creates, as for `POST /jobs` */
            job?: components["schemas"]["CreateJobRequest"];
            /** @description a name for you */
            name?: string;
            /** @description with `paused: true`: why */
            pause_reason?: string;
            /** @description true pauses it; false resumes it, without the missed runs */
            paused?: boolean;
            /** @description when it runs: by `cron` and `timezone`, or at intervals with `every`; at most every 15 minutes */
            schedule?: {
                /** @description five fields: minute, hour, day of month, month, day of week */
                cron: string;
                /** @description name of the time zone of `cron`, e.g. Europe/Nicosia */
                timezone: string;
            } | {
                /** @description interval in minutes, hours or days: `90m`, `12h`, `7d` */
                every: string;
            };
            /** @description also report changes of the rating and of the number of reviews */
            watch_ratings?: boolean;
        };
        /** @description The fields to change. Absent fields stay unchanged. */
        ChangeWebhookRequest: {
            /** @description the events to send; `monitor.paused`: the service paused a monitor */
            event_types?: ("job.completed" | "job.failed" | "job.cancelled" | "monitor.paused")[];
            /** @description purpose of the webhook */
            name?: string;
            /** @description true enables a disabled webhook again */
            reenable?: boolean;
            /** @description an https URL at a public address, without credentials */
            url?: string;
        };
        /** @description The number of credits to buy. */
        CheckoutRequest: {
            /** @description whole credits, 1 to 10000 */
            credits: string;
            /**
             * @description 1 credit is 1 USD
             * @constant
             */
            currency: "USD";
        };
        /** @description The payment page to send the user to. */
        CheckoutSession: {
            session_id: string;
            /** Format: uri */
            url: string;
        };
        /** @description Why an agent cannot start Chromium, and what mends it. */
        ChromiumProblem: {
            /** @enum {string} */
            cause: "root" | "user_namespaces" | "apparmor" | "filter" | "library" | "not_found" | "other";
            message: string;
        };
        /** @description The token of the first operator. */
        ClaimRequest: {
            /** @description the value of ADMIN_TOKEN */
            token: string;
        };
        /** @description An address in its parts. */
        CompleteAddress: {
            borough?: string;
            city?: string;
            /** @description ISO 3166 code of two letters */
            country?: string;
            postal_code?: string;
            state?: string;
            street?: string;
        };
        /** @description Cost reports by job. */
        CostBatchAnswer: {
            costs: {
                [key: string]: components["schemas"]["CostReport"];
            };
        };
        /** @description The jobs to report on. */
        CostBatchRequest: {
            /** @description unknown jobs and those of other users are ignored */
            job_ids: string[];
        };
        /** @description The cost of a job by item; for a running job, its cost so far. */
        CostReport: {
            /** @description credits held when the job was created, with 6 decimals; the job never costs more */
            held_credits: string;
            items: {
                /** @description credits, with 6 decimals */
                cost_credits: string;
                /** @enum {string} */
                event_type: "job_start" | "place_scraped" | "contact_details" | "review" | "image" | "filters_applied";
                quantity: number;
            }[];
            /** Format: uuid */
            job_id: string;
            /** @description credits, with 6 decimals */
            total_credits: string;
            /** @description whole credits, rounded half up */
            total_rounded: number;
        };
        /** @description The parts of the area that a job searched. */
        CoverageCells: {
            features: {
                /** @description null for a search without an area */
                geometry: {
                    coordinates: number[][][];
                    /** @constant */
                    type: "Polygon";
                } | null;
                properties: {
                    /** @description whether its quarters were searched as well */
                    divided: boolean;
                    keyword: string;
                    /** @description height of the cell */
                    metres?: number;
                    /** @description places of the cell that its search listed */
                    places: number;
                    /** @enum {string} */
                    state: "searched" | "cut" | "blocked" | "unsearched";
                };
                /** @constant */
                type: "Feature";
            }[];
            /** @constant */
            type: "FeatureCollection";
        };
        /** @description How completely a job searched its area. It cannot see places that the map site hides from every signed-out search (its limited view). The site says that it hides some only on pages in Chromium: then the search counts as `limited`. Over plain HTTP it does not say so. */
        CoverageCertificate: {
            /** @description parts of the area */
            cells: {
                /** @description parts that the map site did not answer for */
                blocked: number;
                /** @description those of them that hit the limit of a search; their parts were searched next */
                cut: number;
                /** @description searches of parts of the area that were answered, over all keywords */
                searched: number;
                /** @description height of the smallest part that is still cut; absent when every cut part was searched further */
                smallest_cut_metres?: number;
                /** @description parts that were not searched, because the job ended before */
                unsearched: number;
            };
            /**
             * @description what the job records
             * @enum {string}
             */
            coverage: "none" | "cells" | "audited";
            /** @description only of an ended job that exhausted its area, or with `coverage: audited` whose audit was answered; not when it ended at `max_results` in fast mode or with a filter */
            estimate?: {
                /** @constant */
                confidence: 0.95;
                /** @description the total is between `low` and `high` in 95 of 100 cases */
                high: number;
                low: number;
                method: string;
                /** @description likely number of places that searches of the area can list, found or not */
                total: number;
            };
            /** @description places stored */
            found: number;
        };
        /** @description A key to create. */
        CreateApiKeyRequest: {
            /** @description the most that its jobs may cost; absent: no limit */
            limits?: components["schemas"]["SpendingLimitsInput"];
            /** @description purpose of the key */
            name: string;
        };
        /** @description The job that was created. */
        CreatedJob: {
            /** Format: uuid */
            id: string;
        };
        /** @description The search, the fields to collect, and the limits of a job. */
        CreateJobRequest: {
            /** @description the area as GeoJSON; places outside are dropped. Instead of `lat`, `lon` and `radius` */
            area?: components["schemas"]["AreaInput"];
            /** @description the area as a box `[west, south, east, north]` in degrees; places outside are dropped. With `west` above `east` it lies across the date line. Instead of `lat`, `lon` and `radius` */
            bbox?: number[];
            /** @description keep only places of one of these categories, in the language of the job, in any case */
            categories?: string[];
            /** @description country whose view of the map is used (ISO 3166, lower case); default: the country of `lat`, `lon` */
            country?: string;
            /**
             * @description what `GET /jobs/{id}/coverage` tells: `cells` records which parts of the area were searched, `audited` also searches some of them once more, in other ways, to estimate how many places were missed. Default: `cells` with an area, else `none`. With `exhaust` always `cells`
             * @enum {string}
             */
            coverage?: "none" | "cells" | "audited";
            /** @description collect from the simulated city of `npm start`, at no cost; other deployments have no such city */
            demo?: boolean;
            /** @description pages of each search, about 20 places each. Default: 5. */
            depth?: number;
            /** @description drop places that are closed, permanently or temporarily */
            exclude_closed?: boolean;
            /** @description search on until the searches of the area find next to no new place; needs an area (`area`, `bbox`, `near`, or `lat`, `lon` and `radius`) and `max_cost` */
            exhaust?: boolean;
            /** @description collect only the fields of the search results; several times faster. Default: false. */
            fast_mode?: boolean;
            /** @description true: keep only places with a phone; false: only those without one */
            has_phone?: boolean;
            /** @description visit business websites for emails, phones and profiles; `contact_details` is billed for every place, with or without a website. Default: false. */
            include_emails?: boolean;
            /** @description what to search for, 1 to 5; none beside `places`. Each keyword is a separate search. A link of a search on the map site means its words, its centre and its zoom. Default: []. */
            keywords?: string[];
            /**
             * @description the language of the map site and of its texts about places
             * @enum {string}
             */
            language: "ar" | "bg" | "cs" | "da" | "de" | "el" | "en" | "es" | "et" | "fi" | "fr" | "he" | "hr" | "hu" | "id" | "it" | "ja" | "ko" | "lt" | "lv" | "ms" | "nl" | "no" | "pl" | "pt" | "ro" | "ru" | "sk" | "sl" | "sv" | "th" | "tr" | "uk" | "vi" | "zh";
            /** @description latitude of the centre of the search. Default: "". */
            lat?: string;
            /** @description longitude of the centre of the search. Default: "". */
            lon?: string;
            /** @description the most credits that the job may cost; at this limit it ends as completed and `partial` */
            max_cost?: string;
            /** @description images per place; 0 collects none. Default: 0. */
            max_images?: number;
            /** @description places for the whole job: 1 to 500, by default 50; with `places` up to 1000, by default their number; with `exhaust` up to 100000, which is also the default */
            max_results?: number;
            /** @description reviews per place; 0 collects none. An estimate without this field assumes 50. Default: 0. */
            max_reviews?: number;
            /** @description the longest duration in seconds, counted from `started_at`; then the job ends and keeps its stored places: 1 to 3600, by default 1800; with `exhaust` up to 86400, which is also the default. Time in which the map site refuses every address and proxy of the job does not count, up to `max_time` once more and a day at most; `progress.waiting_until` says until when. A pending job that no connected agent may take fails after a day (`no_agent`), or the time that the operator chose, and is not billed */
            max_time?: number;
            /** @description keep only places with this rating or a better one; above 0 unrated places are dropped */
            min_rating?: number;
            /** @description keep only places with so many reviews or more; a place whose count is hidden is kept as `limited` */
            min_review_count?: number;
            /** @description a name for you; exported files are named after it */
            name: string;
            /** @description a town as the centre, instead of `lat` and `lon`: its name, e.g. "Limassol", and where several have it also its region or country, e.g. "Berlin, DE" or "Springfield, IL, US". Without a `radius`, one by its size is used: 2 to 50 km. The job then has the `lat`, `lon` and `radius`. Several towns: 400 with the candidates */
            near?: string;
            /** @description drop places that you know from earlier jobs or uploads; they cost nothing and do not count for `max_results` */
            only_new?: boolean;
            /** @description places to collect without a search, beside `keywords` or instead of them: links of the map site, also short ones, place ids (`ChIJ…`), CIDs and data ids (`0x…:0x…`). `GET /jobs/{id}/inputs` tells what became of each */
            places?: string[];
            /** @description your own proxies, all together at most 32 KiB: URLs (http, https, socks5, socks5h), or host:port, host:port:user:password, user:password@host:port. Default: []. */
            proxies?: string[];
            /** @description metres around `lat`, `lon`; places outside are dropped. 0 is unlimited. Default: 0. */
            radius?: number;
            /** @description with `only_new`: days after which a known place counts as new again */
            recheck_after?: number;
            /** @description false: reviews are stored without the name, link and picture of their writers. Default: true. */
            reviewer_names?: boolean;
            /** @description store and bill only reviews with these stars, e.g. `[1, 2]` */
            reviews_ratings?: number[];
            /**
             * Format: date
             * @description older reviews are neither stored nor billed: a date in UTC, e.g. `2026-01-31`
             */
            reviews_since?: string;
            /**
             * @description order in which reviews are read, up to `max_reviews`. With `newest` and `relevant` the reviews that the page of the place shows come first (`user_reviews`). Default: "newest".
             * @enum {string}
             */
            reviews_sort?: "newest" | "relevant" | "highest" | "lowest";
            /**
             * @description keep only places with, or only places without their own website. Default: "all".
             * @enum {string}
             */
            website_filter?: "all" | "no_website" | "has_website";
            /** @description zoom of the map; 0: the closest that shows `radius`, and without a radius 14, about a town quarter. Default: 0. */
            zoom?: number;
        };
        /** @description A job that runs on a schedule. */
        CreateMonitorRequest: {
            /**
             * Format: date-time
             * @description no run begins after this time
             */
            ends_at?: string;
            /** @description largest delay of a run in seconds; spreads the runs of many monitors. Default: 0. */
            jitter_seconds?: number;
            /** @description the job that each run creates, as for `POST /jobs` */
            job: components["schemas"]["CreateJobRequest"];
            /** @description a name for you */
            name: string;
            /** @description with `paused: true`: why */
            pause_reason?: string;
            /** @description true creates it paused. Default: false. */
            paused?: boolean;
            /** @description when it runs: by `cron` and `timezone`, or at intervals with `every`; at most every 15 minutes */
            schedule: {
                /** @description five fields: minute, hour, day of month, month, day of week */
                cron: string;
                /** @description name of the time zone of `cron`, e.g. Europe/Nicosia */
                timezone: string;
            } | {
                /** @description interval in minutes, hours or days: `90m`, `12h`, `7d` */
                every: string;
            };
            /** @description also report changes of the rating and of the number of reviews. Default: false. */
            watch_ratings?: boolean;
        };
        /** @description A question to the operators of the service. */
        CreateSupportRequest: {
            /**
             * @description topic of the request
             * @enum {string}
             */
            category: "bug" | "feature" | "billing" | "account" | "other";
            /** @description what happened, and what you expected instead */
            message: string;
            /** @description a short summary */
            subject?: string;
        };
        /** @description The user to create. */
        CreateUserRequest: {
            /** @description the address of the user; unique in any letter case */
            email: string & (unknown & unknown);
        };
        /** @description A webhook to register. */
        CreateWebhookRequest: {
            /** @description the events to send; absent: the three of jobs */
            event_types?: ("job.completed" | "job.failed" | "job.cancelled" | "monitor.paused")[];
            /** @description purpose of the webhook */
            name: string;
            /** @description an https URL at a public address, without credentials */
            url: string;
        };
        /** @description The credits of a user. */
        CreditBalance: {
            /** @description credits for new jobs: the balance without what is held and what a refund still takes back */
            available: string;
            /** @description credits, with 6 decimals */
            credit_balance: string;
            /** @description credits reserved for jobs that have not ended */
            held: string;
            /** @description credits, with 6 decimals */
            total_credits_purchased: string;
            user_id: string;
        };
        /** @description A page of credit transactions. */
        CreditHistory: {
            /** @description whether another page follows */
            has_more: boolean;
            limit: number;
            page: number;
            /** @description items on all pages */
            total: number;
            transactions: components["schemas"]["CreditTransaction"][];
        };
        /** @description A change of the balance. */
        CreditTransaction: {
            /** @description credits, with 6 decimals */
            amount: string;
            /** @description credits, with 6 decimals */
            balance_after: string;
            /** @description credits, with 6 decimals */
            balance_before: string;
            /** Format: date-time */
            created_at: string;
            description: string;
            /** Format: uuid */
            id: string;
            /** @description the job; for a purchase, the checkout session */
            reference_id: string;
            reference_type: string;
            /** @enum {string} */
            type: "purchase" | "consumption" | "bonus" | "refund" | "adjustment" | "refund_deficit" | "deficit_paydown";
        };
        /** @description The session of this browser. */
        CurrentSession: {
            /**
             * @description changes must come from a page of this site; no token is needed
             * @constant
             */
            csrf: "same-origin";
            /**
             * Format: date-time
             * @description when the session ends if it is not used before
             */
            expires_at: string;
            limits: {
                /** @description jobs of the user at one time */
                active_jobs: number;
                /** @description requests of this session at once */
                burst: number;
                /** @description requests of each API key at once */
                key_burst: number;
                /** @description of each API key, on average */
                key_requests_per_second: number;
                /** @description of this session, on average */
                requests_per_second: number;
            };
            /** @description whether credits can be bought here; otherwise the operator grants them */
            sells_credits: boolean;
            user: {
                email: string;
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                role: "user" | "operator";
            };
        };
        /** @description The charges of jobs by UTC day, oldest first. Days without a charge have 0. */
        DailySpending: {
            days: {
                /** @description credits, with 6 decimals */
                credits: string;
                /**
                 * Format: date
                 * @description the UTC day of the charge
                 */
                date: string;
            }[];
        };
        /** @description The key figures and the latest jobs. */
        Dashboard: {
            kpi: {
                /** @description jobs that are running or pending */
                active_jobs: number;
                /** @description jobs created since midnight UTC */
                jobs_today: number;
                /** @description places of all your jobs, except deleted ones */
                places_scraped_total: number;
            };
            recent_jobs: {
                /** Format: date-time */
                created_at: string;
                /** Format: uuid */
                id: string;
                /** @description the name from the request */
                name: string;
                /** @description places stored so far */
                result_count: number;
                /**
                 * @description created with an API key, or from the console
                 * @enum {string}
                 */
                source: "api" | "web";
                /**
                 * @description `completed`, `failed` and `cancelled` are final
                 * @enum {string}
                 */
                status: "pending" | "running" | "completed" | "failed" | "cancelled" | "aborting";
                /** @description credits, with 6 decimals */
                total_cost: string;
                /**
                 * Format: date-time
                 * @description when the status last changed
                 */
                updated_at: string;
            }[];
        };
        /** @description Tasks that failed in all their attempts, latest first. */
        DeadTaskList: {
            tasks: components["schemas"]["AnyTask"][];
        };
        /** @description The API key of an approved login. */
        DeviceKey: {
            /** @description an API key of the person; shown only once */
            key: string;
        };
        /** @description A program that waits for approval. */
        DeviceLogin: {
            /** @description IP address from which the program asked */
            client_address: string;
            /** @description name of the program, and of its API key */
            client_name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @description of an assistant that runs elsewhere (OAuth): the host to which the browser returns. It shows no code */
            returns_to?: string;
            /** @description the pairing code that the program shows */
            user_code: string;
        };
        /** @description The codes of a login by pairing code (RFC 8628). */
        DeviceLoginCodes: {
            /** @description the secret with which the program asks for its API key */
            device_code: string;
            /** @description seconds until the codes are no longer valid */
            expires_in: number;
            /** @description seconds to wait between two requests for the key */
            interval: number;
            /** @description the pairing code that the program shows */
            user_code: string;
            /**
             * Format: uri
             * @description page on which a signed-in person enters the pairing code
             */
            verification_uri: string;
            /**
             * Format: uri
             * @description the same with the code in it
             */
            verification_uri_complete: string;
        };
        /** @description Whether the deployment works, and why not. */
        Diagnosis: {
            /** @description why work is idle, if it is, and what to do */
            advice: string[];
            checks: {
                detail: string;
                /** @description the parts of `detail`, for programs; absent when `detail` has the words of a server */
                findings?: components["schemas"]["Finding"][];
                name: string;
                ok: boolean;
                /** @description true when it works, but an operator should look */
                warning?: boolean;
            }[];
            /** @description the latest tasks that failed in all their attempts, of any age */
            failed_tasks: components["schemas"]["AnyTask"][];
            healthy: boolean;
            /** @description each advice for programs, in the same order */
            reasons: components["schemas"]["Finding"][];
        };
        /** @description A dish that visitors show in their photos. */
        Dish: {
            image?: string;
            name: string;
        };
        /** @description A link that works for ten minutes. */
        DownloadLink: {
            /** Format: date-time */
            expires_at: string;
            /** @description downloads the file without a header */
            url: string;
        };
        /** @description The file that a link downloads. */
        DownloadLinkRequest: {
            /** @description the columns in the order of the file, as a list or separated by commas; absent: all */
            columns?: string | ("id" | "user_id" | "job_id" | "title" | "category" | "address" | "website" | "phone" | "emails" | "web_presence" | "review_count" | "rating" | "open_hours" | "images" | "user_reviews" | "created_at" | "reviews_link" | "popular_times" | "reviews_per_rating" | "user_reviews_extended" | "reservations" | "order_online" | "menu" | "owner" | "latitude" | "longitude" | "description" | "timezone" | "price_range" | "complete_address" | "about" | "place_id" | "data_id" | "cid" | "link" | "plus_code" | "status" | "thumbnail" | "street_view_url" | "categories" | "credit_cards_accepted" | "social_links" | "phones" | "closed" | "claimed" | "local_title" | "local_address" | "phone_e164" | "time_spent" | "booking_links" | "posts" | "services" | "questions" | "popular_dishes" | "also_searched" | "review_topics" | "email_list" | "email_details" | "limited" | "open_intervals" | "input")[];
            /**
             * @description the file format
             * @enum {string}
             */
            format: "csv" | "xlsx" | "jsonl" | "geojson" | "parquet";
            /** @description tiers, `all`, `no_website` or `has_website`, as a list or separated by commas */
            web_presence?: string | string[];
        };
        /** @description An email address of a place, and what is known about it. */
        EmailDetail: {
            email: string;
            /** @description whether it names a role (`info@`), not a person */
            generic: boolean;
            /** @description whether its domain has a mail server; absent when nobody was asked, as in jobs with proxies */
            mx?: boolean;
        };
        /** @description The agent to enrol. */
        EnrolAgentRequest: {
            /** @description the name of the agent */
            name: string;
        };
        /** @description An agent with its own token. */
        EnrolledAgent: {
            /** @description starts the agent from a checkout with the same file */
            checkout_command: string;
            /** @description starts the agent in Docker with the settings in `NAME.env` */
            command: string;
            /** @description the settings of the agent, a line each: save them as `NAME.env`, and add the address of NATS */
            environment: string;
            name: string;
            /** @description its AGENT_TOKEN, shown only once */
            token: string;
        };
        /** @description An error. */
        Error: {
            /** @description repeats the HTTP status */
            code: number;
            /** @description for validation errors: each wrong field */
            details?: {
                message: string;
                path: string;
            }[];
            /** @description an identifier for programs, for example `insufficient_credits` */
            error: string;
            /** @description what is wrong and what to do */
            message: string;
            /** @description same as the header X-Request-Id; quote it when you ask for help */
            request_id: string;
        };
        /** @description The likely cost of a job. */
        Estimate: {
            /** @description with `coverage: audited`: the most searches that the audit adds. They cost nothing; places that only they find are billed */
            audit_searches?: number;
            breakdown: {
                /** @description credits */
                contact_details_cost: number;
                /** @description credits */
                filter_cost: number;
                /** @description credits */
                images_cost: number;
                /** @description credits */
                job_start_cost: number;
                /** @description credits */
                places_cost: number;
                /** @description credits */
                reviews_cost: number;
            };
            /** @constant */
            currency: "credits";
            description: string;
            /** @description Unix time until which the estimate holds */
            expires_at: number;
            /** @description how long it likely takes with `fast_mode`, which brings only the fields of search results. Only for a job without reviews, images and emails that needs ten times the requests without it */
            fast_mode_seconds?: number;
            images: number;
            includes_emails: boolean;
            keyword_count: number;
            max_results_provided: boolean;
            /** @constant */
            object: "job_estimate";
            /** @description likely number of places */
            places: number;
            /** @description with `only_new`: places of the same keywords and area that you know, at most as many as its searches list; the other counts leave them out */
            places_known?: number;
            places_max: number;
            places_min: number;
            places_per_keyword: number;
            /** @description places that `max_cost` pays for, at the reviews and images assumed here; absent without `max_cost` */
            places_within_max_cost?: number;
            reviews: number;
            /** @description how long the job takes: the requests that it needs, at the pace of its addresses and proxies. One that pauses now counts from the end of its pause; blocks are not predicted */
            seconds: {
                high: number;
                likely: number;
                low: number;
            };
            /** @description what `seconds` follow from */
            time_assumes: {
                /** @description addresses that send them: your proxies, else those of the operator, else the addresses of the agents, at least 1 */
                exits: number;
                /** @description requests to the map site, for `places` */
                requests: number;
                /** @description of the first exit: now, and at most. For an agent without a limit, as of a simulated site, 600 are assumed */
                requests_per_minute: {
                    first: number;
                    most: number;
                };
            };
            /** @description credits */
            total: number;
            /** @description credits */
            total_max: number;
            /** @description credits */
            total_min: number;
            unit_prices: {
                /** @description credits */
                contact_details: number;
                /** @description credits */
                filters_applied: number;
                /** @description credits */
                image: number;
                /** @description credits */
                job_start: number;
                /** @description credits */
                place_scraped: number;
                /** @description credits */
                review: number;
            };
        };
        /** @description The likely cost of a job, and whether the account covers it. */
        EstimateAnswer: {
            balance: {
                /** @description available credits: balance minus holds */
                current: number;
                /** @description whether the available credits cover `total_min` */
                sufficient: boolean;
            };
            estimate: components["schemas"]["Estimate"];
        };
        /** @description The job to estimate. */
        EstimateRequest: {
            /** @description an area takes more searches; does not affect the cost */
            area?: unknown;
            /** @description an area takes more searches; does not affect the cost */
            bbox?: unknown;
            /** @description with a filter more places are looked at; does not affect the cost */
            categories?: unknown;
            /** @description accepted, so that one body serves both calls; does not affect the cost */
            country?: unknown;
            /**
             * @description what `GET /jobs/{id}/coverage` tells: `cells` records which parts of the area were searched, `audited` also searches some of them once more, in other ways, to estimate how many places were missed. Default: `cells` with an area, else `none`. With `exhaust` always `cells`
             * @enum {string}
             */
            coverage?: "none" | "cells" | "audited";
            /** @description collect from the simulated city of `npm start`, at no cost; other deployments have no such city */
            demo?: boolean;
            /** @description pages of each search, about 20 places each. Default: 5. */
            depth?: number;
            /** @description with a filter more places are looked at; does not affect the cost */
            exclude_closed?: unknown;
            /** @description search on until the searches of the area find next to no new place; needs an area (`area`, `bbox`, `near`, or `lat`, `lon` and `radius`) and `max_cost` */
            exhaust?: boolean;
            /** @description true takes fewer requests; does not affect the cost */
            fast_mode?: unknown;
            /** @description with a filter more places are looked at; does not affect the cost */
            has_phone?: unknown;
            /** @description visit business websites for emails, phones and profiles; `contact_details` is billed for every place, with or without a website. Default: false. */
            include_emails?: boolean;
            /** @description what to search for, 1 to 5; none beside `places`. Each keyword is a separate search. A link of a search on the map site means its words, its centre and its zoom. Default: []. */
            keywords?: string[];
            /** @description accepted, so that one body serves both calls; does not affect the cost */
            language?: unknown;
            /** @description accepted, so that one body serves both calls; does not affect the cost */
            lat?: unknown;
            /** @description accepted, so that one body serves both calls; does not affect the cost */
            lon?: unknown;
            /** @description the most credits that the job may cost; at this limit it ends as completed and `partial` */
            max_cost?: string;
            /** @description images per place; 0 collects none. Default: 0. */
            max_images?: number;
            /** @description maximum number of places; follows from `depth` when absent */
            max_results?: number;
            /** @description reviews per place; 50 are assumed when absent, although a job without it collects none */
            max_reviews?: number;
            /** @description accepted, so that one body serves both calls; does not affect the cost */
            max_time?: unknown;
            /** @description with a filter more places are looked at; does not affect the cost */
            min_rating?: unknown;
            /** @description with a filter more places are looked at; does not affect the cost */
            min_review_count?: unknown;
            /** @description accepted, so that one body serves both calls; does not affect the cost */
            name?: unknown;
            /** @description a town as the centre, instead of `lat` and `lon`: its name, e.g. "Limassol", and where several have it also its region or country, e.g. "Berlin, DE" or "Springfield, IL, US". Without a `radius`, one by its size is used: 2 to 50 km. The job then has the `lat`, `lon` and `radius`. Several towns: 400 with the candidates */
            near?: string;
            /** @description drop places that you know from earlier jobs or uploads; they cost nothing and do not count for `max_results` */
            only_new?: boolean;
            /** @description places to collect without a search, beside `keywords` or instead of them: links of the map site, also short ones, place ids (`ChIJ…`), CIDs and data ids (`0x…:0x…`). `GET /jobs/{id}/inputs` tells what became of each */
            places?: string[];
            /** @description their number decides how long the job takes; does not affect the cost */
            proxies?: unknown;
            /** @description an area takes more searches; does not affect the cost */
            radius?: unknown;
            /** @description with `only_new`: days after which a known place counts as new again */
            recheck_after?: number;
            /** @description accepted, so that one body serves both calls; does not affect the cost */
            reviewer_names?: unknown;
            /** @description accepted, so that one body serves both calls; does not affect the cost */
            reviews_ratings?: unknown;
            /** @description accepted, so that one body serves both calls; does not affect the cost */
            reviews_since?: unknown;
            /** @description accepted, so that one body serves both calls; does not affect the cost */
            reviews_sort?: unknown;
            /**
             * @description keep only places with, or only places without their own website. Default: "all".
             * @enum {string}
             */
            website_filter?: "all" | "no_website" | "has_website";
            /** @description accepted, so that one body serves both calls; does not affect the cost */
            zoom?: unknown;
        };
        /** @description An address from which agents send requests to the map site: a proxy, or their own. */
        Exit: {
            /** @description the names of the agents that share it: the connected ones, and those that used a proxy in the last ten minutes */
            agents: string[];
            /** @description the last check of the paths to the map site that an operator asked for */
            check?: {
                /** Format: date-time */
                asked_at: string;
                /** @description absent until an agent has made it */
                report?: components["schemas"]["PathReport"];
            };
            /** @description says nothing about the URL of a proxy */
            id: string;
            /**
             * @description `direct`: the own address of agents
             * @enum {string}
             */
            kind: "direct" | "proxy";
            /**
             * @description of an own address with agents: by what they share it; see `exit` of an agent
             * @enum {string}
             */
            known_by?: "name" | "address" | "forwarded" | "network";
            /** @description what the last answer was; absent before the first request */
            last_verdict?: string;
            /** @description of an own address: the address, or the EXIT_NAME of its agents */
            name?: string;
            /** @description true for a proxy of the pool, which jobs without proxies use; absent for others */
            pooled?: boolean;
            /** @description requests of all its agents; 0: no limit, as for simulated sites, or not used yet */
            rate_per_minute: number;
            /**
             * @description why it pauses. `blocked`: the map site refused it; `consent`: the site shows only its consent form; `failed`: the proxy does not work; `unknown`: the site sends answers that nobody knows
             * @enum {string}
             */
            resting_reason?: "blocked" | "consent" | "failed" | "unknown";
            /**
             * Format: date-time
             * @description until when it pauses and sends nothing; absent while it does not pause
             */
            resting_until?: string;
            /** @description what the answers of the last day were, with how many of each */
            verdicts: {
                [key: string]: number;
            };
        };
        /** @description The addresses and proxies of the fleet, those that pause first. */
        ExitList: {
            exits: components["schemas"]["Exit"][];
        };
        /** @description A part of a check, or an advice, for programs that say it in another language. */
        Finding: {
            /**
             * @description what was found
             * @enum {string}
             */
            id: "mongodb_works" | "mongodb_rejects_writes" | "nats_works" | "nats_without_stream" | "coordinators" | "no_active_job" | "last_sweep" | "agents" | "no_agent_connected" | "jobs_wait" | "other_agents" | "addresses" | "address_paused" | "address_shared" | "chromium_unknown" | "chromium_works" | "chromium_fails" | "jobs" | "oldest_job" | "tasks" | "clocks_agree" | "clock_ahead" | "clock_behind" | "no_failed_tasks" | "failed_tasks" | "last_failure" | "database_disk_full" | "start_mongodb" | "make_mongodb_writable" | "late_jobs" | "nothing_to_do" | "work_in_progress" | "nats_down" | "start_coordinator" | "agents_drain" | "agents_silent" | "start_agent" | "slots_busy" | "proxy_agents_absent" | "agents_listen_elsewhere" | "claims_fail" | "map_site_refuses" | "own_addresses_paused" | "private_addresses_count_as_one" | "chromium_missing" | "tasks_failed" | "set_clocks";
            /** @description the names and numbers of its sentence, as text */
            values: {
                [key: string]: string;
            };
        };
        /** @description The work of the fleet in the hours of the last week, oldest first. Hours without work are left out. */
        FleetActivity: {
            hours: {
                /**
                 * Format: date-time
                 * @description when the hour or minute begins
                 */
                at: string;
                /** @description those of them that the map site refused */
                blocked: number;
                /** @description stored places */
                places: number;
                /** @description tasks that waited because the map site refused them */
                refused_tasks: number;
                /** @description places and pages that agents have ended with */
                visited: number;
            }[];
        };
        /** @description Credits that an operator granted or corrected. */
        Grant: {
            /** @description credits, with 6 decimals */
            amount: string;
            /** Format: date-time */
            created_at: string;
            /** @description the current balance of the user */
            credit_balance: string;
            description: string;
            /** Format: uuid */
            id: string;
            reference_id: string;
            /** @description true when it was granted before and this call changed nothing */
            repeated: boolean;
            type: string;
            /** Format: uuid */
            user_id: string;
        };
        /** @description Credits to grant or correct. */
        GrantRequest: {
            /** @description credits, e.g. 25 or 2.50 */
            amount: string;
            /** @description shown to the user in their history */
            reason: string;
            /** @description the cause, e.g. a ticket; a second grant with the same reference changes nothing */
            reference?: string;
            /**
             * @description an adjustment may be negative. Default: "bonus".
             * @enum {string}
             */
            type?: "bonus" | "adjustment";
            /** @description id or email of the user */
            user: string;
        };
        /** @description The state of the service. */
        Health: {
            /**
             * @description `down` also when it rejects writes
             * @enum {string}
             */
            db: "ok" | "down";
            /**
             * @description present while NATS or its JetStream does not answer; then jobs wait
             * @constant
             */
            queue?: "down";
            /** @enum {string} */
            status: "ok" | "draining" | "unavailable";
            version: string;
        };
        /** @description A photo of a place. */
        Image: {
            title?: string;
            url: string;
        };
        /** @description A job and its results so far. */
        Job: {
            /** @enum {string} */
            cancel_reason?: "user" | "timeout";
            /** @description only with `exhaust`: how complete it is */
            coverage?: {
                /** @description of an ended job */
                estimate?: {
                    /** @constant */
                    confidence: 0.95;
                    /** @description the total is between `low` and `high` in 95 of 100 cases */
                    high: number;
                    low: number;
                    /** @description likely number of places in the area, found or not */
                    total: number;
                };
                /** @description whether its searches found next to no new place at the end */
                exhausted: boolean;
                /** @description places stored so far */
                found: number;
            };
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["JobData"];
            /** Format: date-time */
            ended_at?: string;
            /** @description only when failed; begins with an identifier, e.g. `blocked: …` */
            failure_reason?: string;
            /** Format: uuid */
            id: string;
            /**
             * @description why places are `limited` or missing, when it was not only the map site; `chromium_unavailable`: an agent needed Chromium for more, and could not start it
             * @enum {string}
             */
            limited_reason?: "chromium_unavailable";
            /**
             * Format: uuid
             * @description the monitor that created it
             */
            monitor_id?: string;
            /** @description the name from the request */
            name: string;
            outcomes: components["schemas"]["OutcomeCounts"];
            /** @description true when places may be missing: some tasks failed, or `max_cost` or the credits were used up */
            partial?: boolean;
            /**
             * @description with `exhaust`, when it is partial: the limit that ended it, or `blocked`: the map site did not answer for parts of the area
             * @enum {string}
             */
            partial_reason?: "max_cost" | "max_results" | "max_time" | "blocked";
            progress: {
                collected: number;
                discovered: number;
                /**
                 * Format: date-time
                 * @description when the job likely ends, by its speed so far; absent while that is unknown
                 */
                eta?: string;
                tasks_done: number;
                tasks_total: number;
                /**
                 * @description why the job waits; `blocked`: the map site refuses every address and proxy for now; waiting spends no attempt. `unknown`: it sends only answers that nobody knows, and requests pause as after a block. `no_agent`: no agent is connected that may take the job
                 * @enum {string}
                 */
                waiting_reason?: "blocked" | "unknown" | "no_agent";
                /**
                 * Format: date-time
                 * @description when a waiting job continues; this time does not count against `max_time`, within its bounds
                 */
                waiting_until?: string;
            };
            /** @description places stored so far */
            result_count: number;
            /**
             * @description created with an API key, or from the console
             * @enum {string}
             */
            source: "api" | "web";
            /** Format: date-time */
            started_at?: string;
            /**
             * @description `completed`, `failed` and `cancelled` are final
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed" | "cancelled" | "aborting";
            /** @description credits, with 6 decimals */
            total_cost: string;
            /**
             * Format: date-time
             * @description when the status last changed
             */
            updated_at: string;
            /** @description only with `include_emails` */
            website_visits?: components["schemas"]["WebsiteVisits"];
        };
        /** @description The configuration of a job as it was submitted. */
        JobData: {
            /** @description the area as GeoJSON; places outside are dropped. Instead of `lat`, `lon` and `radius` */
            area?: components["schemas"]["Area"];
            /** @description the area as a box `[west, south, east, north]` in degrees; places outside are dropped. With `west` above `east` it lies across the date line. Instead of `lat`, `lon` and `radius` */
            bbox?: number[];
            /** @description keep only places of one of these categories, in the language of the job, in any case */
            categories?: string[];
            /** @description country whose view of the map is used (ISO 3166, lower case); default: the country of `lat`, `lon` */
            country?: string;
            /**
             * @description what `GET /jobs/{id}/coverage` tells: `cells` records which parts of the area were searched, `audited` also searches some of them once more, in other ways, to estimate how many places were missed. Default: `cells` with an area, else `none`. With `exhaust` always `cells`
             * @enum {string}
             */
            coverage?: "none" | "cells" | "audited";
            /** @description collect from the simulated city of `npm start`, at no cost; other deployments have no such city */
            demo?: boolean;
            /**
             * @description pages of each search, about 20 places each
             * @default 5
             */
            depth: number;
            /** @description drop places that are closed, permanently or temporarily */
            exclude_closed?: boolean;
            /** @description search on until the searches of the area find next to no new place; needs an area (`area`, `bbox`, `near`, or `lat`, `lon` and `radius`) and `max_cost` */
            exhaust?: boolean;
            /**
             * @description collect only the fields of the search results; several times faster
             * @default false
             */
            fast_mode: boolean;
            /** @description true: keep only places with a phone; false: only those without one */
            has_phone?: boolean;
            /**
             * @description visit business websites for emails, phones and profiles; `contact_details` is billed for every place, with or without a website
             * @default false
             */
            include_emails: boolean;
            /** @description empty for a job that has only `places` */
            keywords: string[];
            /**
             * @description the language of the map site and of its texts about places
             * @enum {string}
             */
            language: "ar" | "bg" | "cs" | "da" | "de" | "el" | "en" | "es" | "et" | "fi" | "fr" | "he" | "hr" | "hu" | "id" | "it" | "ja" | "ko" | "lt" | "lv" | "ms" | "nl" | "no" | "pl" | "pt" | "ro" | "ru" | "sk" | "sl" | "sv" | "th" | "tr" | "uk" | "vi" | "zh";
            /**
             * @description latitude of the centre of the search
             * @default
             */
            lat: string;
            /**
             * @description longitude of the centre of the search
             * @default
             */
            lon: string;
            /** @description the most credits that the job may cost; at this limit it ends as completed and `partial` */
            max_cost?: string;
            /**
             * @description images per place; 0 collects none
             * @default 0
             */
            max_images: number;
            max_results: number;
            /**
             * @description reviews per place; 0 collects none. An estimate without this field assumes 50
             * @default 0
             */
            max_reviews: number;
            max_time: number;
            /** @description keep only places with this rating or a better one; above 0 unrated places are dropped */
            min_rating?: number;
            /** @description keep only places with so many reviews or more; a place whose count is hidden is kept as `limited` */
            min_review_count?: number;
            /** @description drop places that you know from earlier jobs or uploads; they cost nothing and do not count for `max_results` */
            only_new?: boolean;
            /** @description places to collect without a search, beside `keywords` or instead of them: links of the map site, also short ones, place ids (`ChIJ…`), CIDs and data ids (`0x…:0x…`). `GET /jobs/{id}/inputs` tells what became of each */
            places?: string[];
            /** @description number of proxies; their addresses are never shown */
            proxy_count: number;
            /**
             * @description metres around `lat`, `lon`; places outside are dropped. 0 is unlimited
             * @default 0
             */
            radius: number;
            /** @description with `only_new`: days after which a known place counts as new again */
            recheck_after?: number;
            /**
             * @description false: reviews are stored without the name, link and picture of their writers
             * @default true
             */
            reviewer_names: boolean;
            /** @description store and bill only reviews with these stars, e.g. `[1, 2]` */
            reviews_ratings?: number[];
            /**
             * Format: date
             * @description older reviews are neither stored nor billed: a date in UTC, e.g. `2026-01-31`
             */
            reviews_since?: string;
            /**
             * @description order in which reviews are read, up to `max_reviews`. With `newest` and `relevant` the reviews that the page of the place shows come first (`user_reviews`)
             * @default newest
             * @enum {string}
             */
            reviews_sort: "newest" | "relevant" | "highest" | "lowest";
            /**
             * @description keep only places with, or only places without their own website
             * @default all
             * @enum {string}
             */
            website_filter: "all" | "no_website" | "has_website";
            /**
             * @description zoom of the map; 0: the closest that shows `radius`, and without a radius 14, about a town quarter
             * @default 0
             */
            zoom: number;
        };
        /** @description The deliveries that the end of a job caused. */
        JobDeliveries: {
            deliveries: {
                attempt_count: number;
                /** @description oldest first, at most the latest 20 */
                attempts: {
                    /** Format: date-time */
                    at: string;
                    /** @description from the lookup of the name to the end of the response */
                    duration_ms?: number;
                    /** @description what went wrong; absent after a 2xx and while the attempt is in flight */
                    error?: string;
                    /** @description the headers that were sent; absent when the URL was refused */
                    headers?: {
                        [key: string]: string;
                    };
                    number: number;
                    /** @description the first kilobyte of the response; absent when it was empty */
                    response_body?: string;
                    /** @description absent without a response */
                    status_code?: number;
                }[];
                /** @description the JSON that is sent, byte for byte */
                body: string;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                ended_at?: string;
                /** @enum {string} */
                event_type: "job.completed" | "job.failed" | "job.cancelled" | "monitor.paused" | "webhook.test";
                /** @description the headers of the latest request; absent before the first one */
                headers?: {
                    [key: string]: string;
                };
                /**
                 * Format: uuid
                 * @description same as X-Webhook-ID
                 */
                id: string;
                /**
                 * Format: uuid
                 * @description the job that ended; absent for other events
                 */
                job_id?: string;
                /**
                 * Format: date-time
                 * @description absent when no attempt is due
                 */
                next_attempt_at?: string;
                /**
                 * @description `dropped`: the webhook was revoked or disabled first
                 * @enum {string}
                 */
                status: "pending" | "delivered" | "failed" | "dropped";
                /**
                 * Format: uuid
                 * @description the webhook that receives it
                 */
                webhook_id: string;
            }[];
        };
        /** @description A job has ended. */
        JobEndedEvent: {
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ended_at: string;
            /** @enum {string} */
            event_type: "job.completed" | "job.failed" | "job.cancelled";
            /** Format: uuid */
            job_id: string;
            job_name: string;
            /** @description the stored places; 0 for a failed job */
            result_count: number;
            /** @enum {string} */
            status: "completed" | "failed" | "cancelled";
        };
        /** @description A page of jobs. */
        JobList: {
            /** @description whether another page follows */
            has_more: boolean;
            jobs: components["schemas"]["Job"][];
            limit: number;
            page: number;
            /** @description jobs on all pages */
            total: number;
        };
        /** @description One unit of work of a job, and its attempts. */
        JobTask: {
            /** @description its latest ten, oldest first */
            attempts: {
                /** @description the name of its agent; only operators see it */
                agent?: string;
                /** @description the process of its agent; only operators see it */
                agent_id?: string;
                /** @description the cause in the words of the agent; only operators see it */
                detail?: string;
                /**
                 * Format: date-time
                 * @description absent while it runs
                 */
                ended_at?: string;
                /** @description the name of the address of its agent, if the task has no proxies; only operators see it */
                exit?: string;
                message?: string;
                number: number;
                /**
                 * @description why it failed
                 * @enum {string}
                 */
                reason?: "blocked" | "proxies_failed" | "source_unavailable" | "layout_changed" | "chromium_unavailable" | "agent_crashed";
                /**
                 * @description absent while it runs. `refused`: the map site refused it for now; `handed_back`: its agent gave it back, as when it stops; `lost`: its agent stopped answering
                 * @enum {string}
                 */
                result?: "finished" | "failed" | "refused" | "handed_back" | "lost" | "cancelled";
                /** Format: date-time */
                started_at: string;
            }[];
            /** @description true for a search that only estimates how many places there are */
            audit?: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** @description of a search */
            keyword?: string;
            /**
             * @description `discover`: one search; `collect`: a group of up to 20 places
             * @enum {string}
             */
            kind: "discover" | "collect";
            /**
             * Format: date-time
             * @description of `waiting`: it is not tried before this time
             */
            not_before?: string;
            /** @description its number among the tasks of its kind, from 0 */
            ordinal: number;
            /**
             * @description `waiting`: not in the queue yet; `released`: in the queue
             * @enum {string}
             */
            state: "waiting" | "released" | "running" | "done" | "failed" | "cancelled";
            /** @description places that its latest attempt stored */
            stored: number;
        };
        /** @description Tasks in their order, searches first. */
        JobTaskList: {
            /** @description whether more tasks follow */
            has_more: boolean;
            tasks: components["schemas"]["JobTask"][];
        };
        /** @description A place that you have already. */
        KnownPlace: {
            city?: string;
            /**
             * Format: date-time
             * @description when a job last stored it, or when it was uploaded
             */
            collected_at: string;
            /** Format: date-time */
            first_seen_at: string;
            /** @description absent when no job saw it since it was uploaded */
            last_job_id?: string;
            /** Format: date-time */
            last_seen_at: string;
            /** @description the id of the place; exports have it as `data_id`. `0x0:0x…` when only its CID was uploaded */
            place_key: string;
            /** @description absent when no job stored it, or when the job that last did is deleted */
            title?: string;
        };
        /** @description Known places in the order of their keys. */
        KnownPlaceList: {
            /** @description whether more places follow */
            has_more: boolean;
            known_places: components["schemas"]["KnownPlace"][];
        };
        /** @description A page about a place. */
        Link: {
            link: string;
            source?: string;
        };
        /** @description The process runs. */
        Live: {
            /** @constant */
            status: "ok";
        };
        /** @description A job that is created again and again. */
        Monitor: {
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ends_at?: string;
            /** Format: uuid */
            id: string;
            jitter_seconds: number;
            /** @description the job that each run creates */
            job: {
                /** @description the area as GeoJSON; places outside are dropped. Instead of `lat`, `lon` and `radius` */
                area?: components["schemas"]["Area"];
                /** @description the area as a box `[west, south, east, north]` in degrees; places outside are dropped. With `west` above `east` it lies across the date line. Instead of `lat`, `lon` and `radius` */
                bbox?: number[];
                /** @description keep only places of one of these categories, in the language of the job, in any case */
                categories?: string[];
                /** @description country whose view of the map is used (ISO 3166, lower case); default: the country of `lat`, `lon` */
                country?: string;
                /**
                 * @description what `GET /jobs/{id}/coverage` tells: `cells` records which parts of the area were searched, `audited` also searches some of them once more, in other ways, to estimate how many places were missed. Default: `cells` with an area, else `none`. With `exhaust` always `cells`
                 * @enum {string}
                 */
                coverage?: "none" | "cells" | "audited";
                /** @description collect from the simulated city of `npm start`, at no cost; other deployments have no such city */
                demo?: boolean;
                /**
                 * @description pages of each search, about 20 places each
                 * @default 5
                 */
                depth: number;
                /** @description drop places that are closed, permanently or temporarily */
                exclude_closed?: boolean;
                /** @description search on until the searches of the area find next to no new place; needs an area (`area`, `bbox`, `near`, or `lat`, `lon` and `radius`) and `max_cost` */
                exhaust?: boolean;
                /**
                 * @description collect only the fields of the search results; several times faster
                 * @default false
                 */
                fast_mode: boolean;
                /** @description true: keep only places with a phone; false: only those without one */
                has_phone?: boolean;
                /**
                 * @description visit business websites for emails, phones and profiles; `contact_details` is billed for every place, with or without a website
                 * @default false
                 */
                include_emails: boolean;
                /** @description empty for a job that has only `places` */
                keywords: string[];
                /**
                 * @description the language of the map site and of its texts about places
                 * @enum {string}
                 */
                language: "ar" | "bg" | "cs" | "da" | "de" | "el" | "en" | "es" | "et" | "fi" | "fr" | "he" | "hr" | "hu" | "id" | "it" | "ja" | "ko" | "lt" | "lv" | "ms" | "nl" | "no" | "pl" | "pt" | "ro" | "ru" | "sk" | "sl" | "sv" | "th" | "tr" | "uk" | "vi" | "zh";
                /**
                 * @description latitude of the centre of the search
                 * @default
                 */
                lat: string;
                /**
                 * @description longitude of the centre of the search
                 * @default
                 */
                lon: string;
                /** @description the most credits that the job may cost; at this limit it ends as completed and `partial` */
                max_cost?: string;
                /**
                 * @description images per place; 0 collects none
                 * @default 0
                 */
                max_images: number;
                max_results: number;
                /**
                 * @description reviews per place; 0 collects none. An estimate without this field assumes 50
                 * @default 0
                 */
                max_reviews: number;
                max_time: number;
                /** @description keep only places with this rating or a better one; above 0 unrated places are dropped */
                min_rating?: number;
                /** @description keep only places with so many reviews or more; a place whose count is hidden is kept as `limited` */
                min_review_count?: number;
                name: string;
                /** @description drop places that you know from earlier jobs or uploads; they cost nothing and do not count for `max_results` */
                only_new?: boolean;
                /** @description places to collect without a search, beside `keywords` or instead of them: links of the map site, also short ones, place ids (`ChIJ…`), CIDs and data ids (`0x…:0x…`). `GET /jobs/{id}/inputs` tells what became of each */
                places?: string[];
                /** @description number of proxies; their addresses are never shown */
                proxy_count: number;
                /**
                 * @description metres around `lat`, `lon`; places outside are dropped. 0 is unlimited
                 * @default 0
                 */
                radius: number;
                /** @description with `only_new`: days after which a known place counts as new again */
                recheck_after?: number;
                /**
                 * @description false: reviews are stored without the name, link and picture of their writers
                 * @default true
                 */
                reviewer_names: boolean;
                /** @description store and bill only reviews with these stars, e.g. `[1, 2]` */
                reviews_ratings?: number[];
                /**
                 * Format: date
                 * @description older reviews are neither stored nor billed: a date in UTC, e.g. `2026-01-31`
                 */
                reviews_since?: string;
                /**
                 * @description order in which reviews are read, up to `max_reviews`. With `newest` and `relevant` the reviews that the page of the place shows come first (`user_reviews`)
                 * @default newest
                 * @enum {string}
                 */
                reviews_sort: "newest" | "relevant" | "highest" | "lowest";
                /**
                 * @description keep only places with, or only places without their own website
                 * @default all
                 * @enum {string}
                 */
                website_filter: "all" | "no_website" | "has_website";
                /**
                 * @description zoom of the map; 0: the closest that shows `radius`, and without a radius 14, about a town quarter
                 * @default 0
                 */
                zoom: number;
            };
            /** @description whether its runs have found nearly all places; until then no place counts as `new` */
            knows_area: boolean;
            last_run?: components["schemas"]["MonitorRun"];
            name: string;
            /** @description when the next five runs begin; empty while it is paused */
            next_runs: string[];
            /** @description begins with `insufficient_credits`, `key_limit` or `failures` when the service paused it */
            pause_reason?: string;
            paused: boolean;
            /** @description when it runs: by `cron` and `timezone`, or at intervals with `every`; at most every 15 minutes */
            schedule: {
                /** @description five fields: minute, hour, day of month, month, day of week */
                cron: string;
                /** @description name of the time zone of `cron`, e.g. Europe/Nicosia */
                timezone: string;
            } | {
                /** @description interval in minutes, hours or days: `90m`, `12h`, `7d` */
                every: string;
            };
            /** Format: date-time */
            updated_at: string;
            watch_ratings: boolean;
        };
        /** @description All monitors, oldest first. */
        MonitorList: {
            monitors: components["schemas"]["Monitor"][];
        };
        /** @description The service paused a monitor. */
        MonitorPausedEvent: {
            /** @constant */
            event_type: "monitor.paused";
            /** Format: uuid */
            monitor_id: string;
            monitor_name: string;
            /** Format: date-time */
            paused_at: string;
            /** @description why the service paused the monitor */
            reason: string;
        };
        /** @description One run of a monitor. */
        MonitorRun: {
            back: number;
            changed: number;
            /** @description what it cost: credits, with 6 decimals */
            cost: string;
            /**
             * Format: date-time
             * @description when it was due; for a run by hand, when it was requested
             */
            due_at: string;
            /** Format: date-time */
            ended_at?: string;
            gone: number;
            /** @description its job */
            job_id?: string;
            /** @description places that its monitor reports as new */
            new: number;
            /** @description places that it stored; this and the next five count once it has ended */
            places: number;
            /** @description of `failed`: as for a job. Of `skipped`: begins with `overlap` (the previous run had not ended), `missed` (no coordinator ran at that time), `paused`, or the error of the creation, such as `insufficient_credits` or `concurrent_job_limit` */
            reason?: string;
            /** Format: date-time */
            started_at?: string;
            /**
             * @description `due`: its job is being created; `skipped`: it got no job, see `reason`
             * @enum {string}
             */
            state: "due" | "started" | "completed" | "failed" | "cancelled" | "skipped";
        };
        /** @description Runs, newest first. */
        MonitorRuns: {
            runs: components["schemas"]["MonitorRun"][];
        };
        /** @description What became of one of the named places. */
        NamedPlace: {
            /** @description an entry of `places`, as it was sent */
            input: string;
            /** @description the `id` of the stored place, also for a duplicate */
            result_id?: number;
            /**
             * @description `duplicate`: another entry or a search brought the place; `not_found`: the map site has no such place; `filtered`: a filter or `only_new` dropped it; `blocked`: the map site refused it; `failed`: there was no usable answer, or the job ended first
             * @enum {string}
             */
            status: "pending" | "stored" | "duplicate" | "not_found" | "filtered" | "out_of_area" | "blocked" | "failed";
        };
        /** @description Named places in the order of the request. */
        NamedPlaceList: {
            /** @description send it as `after` for those that follow */
            after: number;
            /** @description whether more follow */
            has_more: boolean;
            inputs: components["schemas"]["NamedPlace"][];
        };
        /** @description A new API key. It is shown only once. */
        NewApiKey: {
            /** Format: uuid */
            id: string;
            /** @description shown only once */
            key: string;
            /** @description one end of the key, to recognize it */
            key_hint_prefix: string;
            /** @description one end of the key, to recognize it */
            key_hint_suffix: string;
            name: string;
        };
        /** @description A one-time link. */
        NewSignInLink: {
            /** Format: date-time */
            expires_at: string;
            /** @description signs in one browser, once */
            url: string;
        };
        /** @description A webhook with its secret, which is shown only once. */
        NewWebhook: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description signs the deliveries; shown only once */
            secret: string;
            url: string;
        };
        /** @description A time in which a place is open, in its own time zone. */
        OpenInterval: {
            /** @description the weekday on which it begins: 1 is Monday, 7 Sunday */
            day: number;
            /** @description minutes after midnight */
            from: number;
            /** @description minutes after the midnight before `from`; above 1440 on the next day */
            to: number;
        };
        /** @description The number of places and pages of a job by outcome. */
        OutcomeCounts: {
            /** @description pages that the map site refused */
            blocked: number;
            /** @description pages that could not be read */
            broken: number;
            /** @description pages that showed only a consent form */
            consent: number;
            /** @description places found more than once */
            duplicate: number;
            /** @description searches that found nothing */
            empty: number;
            /** @description places dropped by a filter */
            filtered: number;
            /** @description places dropped by `only_new`, because you have them already */
            known: number;
            /** @description pages that the map site cut short, or sends in another language only */
            limited: number;
            /** @description places stored */
            ok: number;
            /** @description places outside `radius` */
            out_of_area: number;
            /** @description pages that timed out */
            timeout: number;
        };
        /** @description The map account that owns the listing. Absent for a place that nobody has claimed. */
        Owner: {
            id?: string;
            link?: string;
            name?: string;
        };
        /** @description What each way of requesting something from the map site brought. */
        PathReport: {
            /** Format: date-time */
            checked_at: string;
            /** @description why Chromium does not start, and what mends it */
            chromium_problem?: string;
            conclusion: string;
            exits: {
                /** @description its address as the site names it, which it does only in refusals */
                address?: string;
                /** @description why not all is well, the most serious first; empty when search and place are */
                causes: ("proxy" | "network" | "refused" | "consent" | "unknown" | "scripts" | "fields" | "limited" | "empty" | "chromium" | "resting")[];
                /** @description `own address`, or host and port of a proxy */
                exit: string;
                paths: {
                    /** @description the size of all answers, decompressed */
                    bytes: number;
                    /** @description whether the consent form came */
                    consent: boolean;
                    /** @description the names of the cookies that the answers set */
                    cookies: string[];
                    /**
                     * @description what was requested, or the address that lists reviews
                     * @enum {string}
                     */
                    door: "front page" | "search" | "place" | "GetLocalBoqProxy" | "reviews in the page" | "photos in the page";
                    /** @description how many places, reviews or photos came */
                    found?: number;
                    /** @description the kind of that answer: payload, place, consent, blocked, unmarked, … */
                    kind?: string;
                    /** @description whether the page said that it shows only a part */
                    limited: boolean;
                    /** @description how long the answers took together, without waits for the pace */
                    milliseconds: number;
                    /** @description fields and parts that did not come */
                    missing: string[];
                    /** @description why nothing was requested, or why no answer came */
                    note?: string;
                    /** @description how many requests it took */
                    requests: number;
                    /**
                     * @description plain HTTP, or Chromium
                     * @enum {string}
                     */
                    rung: "http" | "browser";
                    /** @description the HTTP status of the answer that tells most; absent without an answer */
                    status?: number;
                    /** @description what the answer means, as in `verdicts` of `GET /api/v1/admin/exits`; `not_asked`: nothing was requested */
                    verdict: string;
                }[];
            }[];
            /** @description whether plain HTTP and Chromium each got a whole search and a whole place through every address and proxy */
            healthy: boolean;
            /** @description the address of the map site */
            site: string;
        };
        /** @description What the owner has posted on the map site. */
        Post: {
            image?: string;
            /** @description the page of the post */
            link?: string;
            /** Format: date-time */
            published_at?: string;
            text: string;
        };
        /** @description Unit prices, and when they begin. */
        PriceLine: {
            /**
             * Format: date-time
             * @description when they begin; absent for the first prices
             */
            from?: string;
            prices: {
                /** @description credits per unit, with 6 decimals */
                contact_details: string;
                /** @description credits per unit, with 6 decimals */
                filters_applied: string;
                /** @description credits per unit, with 6 decimals */
                image: string;
                /** @description credits per unit, with 6 decimals */
                job_start: string;
                /** @description credits per unit, with 6 decimals */
                place_scraped: string;
                /** @description credits per unit, with 6 decimals */
                review: string;
            };
            /** @enum {string} */
            state: "past" | "in force" | "coming";
        };
        /** @description All prices, in the order in which they begin. */
        PriceList: {
            prices: components["schemas"]["PriceLine"][];
        };
        /** @description The prices of a job that is created at the given time. */
        PricePreview: {
            /** Format: date-time */
            at: string;
            prices: {
                /** @description credits per unit, with 6 decimals */
                contact_details: string;
                /** @description credits per unit, with 6 decimals */
                filters_applied: string;
                /** @description credits per unit, with 6 decimals */
                image: string;
                /** @description credits per unit, with 6 decimals */
                job_start: string;
                /** @description credits per unit, with 6 decimals */
                place_scraped: string;
                /** @description credits per unit, with 6 decimals */
                review: string;
            };
            /**
             * Format: date-time
             * @description when the next known prices begin; absent when none are known
             */
            until?: string;
        };
        /** @description A question of a visitor, with the answers that the page shows. */
        Question: {
            answers: string[];
            question: string;
        };
        /** @description The backlog of jobs and tasks, and the fleet that works on it. */
        Queue: {
            fleet: {
                busy: number;
                connected: number;
                draining: number;
                /** @description addresses and proxies that pause, by reason; `GET /api/v1/admin/exits` names them */
                resting: {
                    [key: string]: number;
                };
                silent: number;
                slots: number;
            };
            jobs: {
                aborting: number;
                /** @description active jobs past their deadline */
                late: number;
                oldest?: {
                    /** @description seconds */
                    age: number;
                    /** Format: uuid */
                    job_id: string;
                    /** @enum {string} */
                    status: "pending" | "running" | "completed" | "failed" | "cancelled" | "aborting";
                };
                pending: number;
                running: number;
            };
            /** @description agent slots that wait for a message */
            listening?: number;
            /** @description messages in NATS that no agent has taken; absent while NATS does not answer */
            messages?: number;
            tasks: {
                /** @description waiting because the map site refuses every address and proxy for now */
                refused: number;
                /** @description in the queue */
                released: number;
                /** @description run by an agent */
                running: number;
                /** @description released, but not claimed in time */
                unclaimed: number;
                /** @description not in the queue yet */
                waiting: number;
            };
        };
        /** @description A paid checkout. */
        ReconcileRequest: {
            /** @description the id that the checkout returned */
            session_id: string;
        };
        /** @description The device code of a program. */
        RedeemDeviceLogin: {
            /** @description the device code of the program */
            device_code: string;
        };
        /** @description The token of a one-time link. */
        RedeemSignInLink: {
            /** @description the text after `#link=` in the link */
            token: string;
        };
        /** @description A stored place. Optional fields are absent when empty. */
        Result: {
            /** @description properties such as accessibility, under their headings */
            about?: components["schemas"]["AboutSection"][];
            /** @description the whole address in one line; empty when the place has none */
            address: string;
            /** @description places that people also search for */
            also_searched?: components["schemas"]["SimilarPlace"][];
            /** @description pages to book an appointment or ask for an estimate */
            booking_links?: components["schemas"]["Link"][];
            /** @description all categories, the main one first */
            categories?: string[];
            /** @description the main category, in the language of the job; empty when the place has none */
            category: string;
            /** @description the second half of `data_id` as a decimal number */
            cid?: string;
            /** @description whether an owner has claimed the place; absent when the answer does not tell */
            claimed?: boolean;
            /**
             * @description absent while the place is open, and when the answer does not tell
             * @enum {string}
             */
            closed?: "permanently" | "temporarily";
            /** @description the address in its parts */
            complete_address?: components["schemas"]["CompleteAddress"];
            /**
             * Format: date-time
             * @description when it was stored
             */
            created_at: string;
            /** @description the accepted cards */
            credit_cards_accepted?: string[];
            /** @description the id in the links of the map site, `0x…:0x…` */
            data_id?: string;
            /** @description the editorial text, else the text of the owner */
            description?: string;
            /** @description what is known about each address of `emails` */
            email_details?: components["schemas"]["EmailDetail"][];
            /** @description the same as `emails`, as a list */
            email_list?: string[];
            /** @description separated by a comma and a space; empty when there are none */
            emails: string;
            /** @description unique in the deployment; rises in order of storage */
            id: number;
            /** @description at most `max_images`, in full size */
            images: components["schemas"]["Image"][];
            /** @description the text in `places` that named it; absent when a search found it */
            input?: string;
            /**
             * Format: uuid
             * @description the job that stored it
             */
            job_id: string;
            /** @description decimal degrees */
            latitude?: number;
            /** @description the parts of which the map site held something back; absent when nothing is known to be missing */
            limited?: ("reviews" | "images" | "details")[];
            /** @description the page of the place on the map site */
            link?: string;
            /** @description the address in the language of the place, when it differs */
            local_address?: string;
            /** @description the name in the language of the place, when it differs */
            local_title?: string;
            /** @description decimal degrees */
            longitude?: number;
            /** @description the page of the menu */
            menu?: components["schemas"]["Link"];
            /** @description English weekdays with the times as the map site writes them */
            open_hours: {
                [key: string]: string[];
            };
            /** @description `open_hours` of the seven days from that day on as numbers, Monday first; absent when not certain */
            open_intervals?: components["schemas"]["OpenInterval"][];
            /** @description pages to order food */
            order_online?: components["schemas"]["Link"][];
            /** @description the account that owns the listing; absent for a place that nobody has claimed */
            owner?: components["schemas"]["Owner"];
            /** @description the listed phone, as the map site writes it; empty when the place has none */
            phone: string;
            /** @description `phone` in the form E.164, e.g. "+35725101555" */
            phone_e164?: string;
            /** @description phones that the website names; with `include_emails` */
            phones?: string[];
            /** @description the public id of the map site, which begins with `ChIJ` */
            place_id?: string;
            /** @description the position as an Open Location Code */
            plus_code?: string;
            /** @description dishes that visitors show in their photos */
            popular_dishes?: components["schemas"]["Dish"][];
            /** @description how busy it is, in percent, by English weekday and hour */
            popular_times?: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            /** @description newest first */
            posts?: components["schemas"]["Post"][];
            /** @description in the words of the site, e.g. "€10–20" */
            price_range?: string;
            /** @description questions of visitors, with the answers that the page shows */
            questions?: components["schemas"]["Question"][];
            /** @description 0 when unrated */
            rating: number;
            /** @description pages to reserve a table */
            reservations?: components["schemas"]["Link"][];
            /** @description absent when the map site does not show it */
            review_count?: number;
            /** @description words that reviews have in common */
            review_topics?: components["schemas"]["ReviewTopic"][];
            /** @description the page with the reviews */
            reviews_link?: string;
            /** @description the number of ratings by stars */
            reviews_per_rating?: {
                [key: string]: number;
            };
            /** @description services, or dishes of a menu, under their headings */
            services?: components["schemas"]["ServiceGroup"][];
            /** @description profiles that the website links, by network; with `include_emails` */
            social_links?: {
                [key: string]: string;
            };
            /** @description whether the place is open now, in the words of the site; never says otherwise than `closed` */
            status?: string;
            /** @description a picture of the street */
            street_view_url?: string;
            /** @description the first picture */
            thumbnail?: string;
            /** @description how long people stay, in the words of the site */
            time_spent?: string;
            /** @description an IANA time zone, e.g. "Asia/Nicosia" */
            timezone?: string;
            /** @description the name of the business, in the language of the job */
            title: string;
            /** @description the user whose job stored it */
            user_id: string;
            /** @description the reviews that the page of the place shows */
            user_reviews: components["schemas"]["Review"][];
            /** @description further reviews, loaded page by page */
            user_reviews_extended?: components["schemas"]["Review"][];
            /**
             * @description which kind of website the business has
             * @enum {string}
             */
            web_presence: "none" | "social" | "directory" | "builder" | "booking" | "has";
            /** @description the listed website, without the redirect of the map site; empty when the place has none */
            website: string;
        };
        /** @description A page of the results of a job. */
        ResultPage: {
            /** @description whether another page follows */
            has_more: boolean;
            limit: number;
            page: number;
            results: components["schemas"]["Result"][];
            /** @description items on all pages */
            total: number;
            web_presence_counts: components["schemas"]["WebPresenceCounts"];
        };
        /** @description How many failed deliveries are retried. */
        RetriedDeliveries: {
            /** @description deliveries that get one more attempt */
            retried: number;
        };
        /** @description Which failed deliveries to retry. */
        RetryFailedRequest: {
            /**
             * Format: date-time
             * @description retry what was created at this time or later
             */
            since: string;
        };
        /** @description A review of a place. */
        Review: {
            /** @description answers to questions of the map site */
            answers?: components["schemas"]["ReviewAnswer"][];
            author?: string;
            author_url?: string;
            id: string;
            images: string[];
            language?: string;
            profile_picture?: string;
            /** Format: date-time */
            published_at?: string;
            rating?: number;
            /** @description the age of the review in the words of the site, e.g. "2 months ago" */
            relative_time?: string;
            /** @description the owner's reply */
            reply?: components["schemas"]["ReviewReply"];
            /** @description empty when the author gave only a rating */
            text: string;
            /** @description the text as written, when `text` is its translation */
            text_original?: string;
            videos?: string[];
        };
        /** @description The answer of a reviewer to a question of the map site. */
        ReviewAnswer: {
            choices?: string[];
            /** @description the question, the same in every language, e.g. `GUIDED_DINING_FOOD_ASPECT` */
            id: string;
            /** @description the question in words, e.g. "Food" */
            name?: string;
            rating?: number;
        };
        /** @description The owner's reply to a review. */
        ReviewReply: {
            /** Format: date-time */
            published_at?: string;
            text?: string;
        };
        /** @description A word that reviews of the place have in common, and the number of these reviews. */
        ReviewTopic: {
            count: number;
            topic: string;
        };
        /** @description A service, or a dish of a menu. */
        Service: {
            description?: string;
            name: string;
            /** @description in the words of the site, e.g. "From €40.00" */
            price?: string;
        };
        /** @description Services under one heading. */
        ServiceGroup: {
            items: components["schemas"]["Service"][];
            name: string;
        };
        /** @description A session of a signed-in browser. */
        Session: {
            /** Format: date-time */
            created_at: string;
            /** @description whether this request uses the session */
            current: boolean;
            /**
             * Format: date-time
             * @description when the session ends if it is not used before
             */
            expires_at: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            last_used_at: string;
            /**
             * @description a one-time link or the identity provider
             * @enum {string}
             */
            signed_in_by: "link" | "oidc";
            /** @description the `User-Agent` of the browser */
            user_agent?: string;
        };
        /** @description New prices, and when they begin. Omitted prices stay unchanged. */
        SetPricesRequest: {
            /** @description per place, with emails */
            contact_details?: string;
            /** @description per place, with a website filter */
            filters_applied?: string;
            /**
             * Format: date-time
             * @description when they begin: at least 15 minutes ahead, because estimates hold that long
             */
            from: string;
            /** @description per image */
            image?: string;
            /** @description per job */
            job_start?: string;
            /** @description a place */
            place_scraped?: string;
            /** @description a review */
            review?: string;
        };
        /** @description The role of a user. */
        SetRoleRequest: {
            /**
             * @description the new role; a change ends the sessions of the user
             * @enum {string}
             */
            role: "user" | "operator";
        };
        /** @description The identity provider, if one is configured. One-time links always work. */
        SignInProviders: {
            providers: {
                /**
                 * @description why sign-in through the provider does not work now
                 * @enum {string}
                 */
                failure?: "not_configured" | "provider_unavailable" | "provider_mismatch" | "access_denied" | "cookie_missing" | "flow_expired" | "provider_refused" | "id_token_invalid" | "email_missing" | "email_not_verified" | "email_taken" | "domain_not_allowed" | "signup_disabled";
                /** @description the path that starts a sign-in; accepts `?return_to=` with a path of this site */
                login_path: string;
                /** @description the text of the link to the provider */
                name: string;
            }[];
        };
        /** @description A place that people also search for. */
        SimilarPlace: {
            place_id?: string;
            rating?: number;
            title: string;
        };
        /** @description The most that the jobs created with an API key may cost. */
        SpendingLimits: {
            /** @description credits for the jobs of one UTC day */
            day?: string;
            /** @description credits for the jobs of one UTC month */
            month?: string;
        };
        /** @description The most that the jobs created with an API key may cost. */
        SpendingLimitsInput: {
            /** @description credits for the jobs of one UTC day */
            day?: string;
            /** @description credits for the jobs of one UTC month */
            month?: string;
        };
        /** @description The job of the run. */
        StartedRun: {
            /** Format: uuid */
            job_id: string;
        };
        /** @description Support requests, newest first. */
        SupportList: {
            requests: components["schemas"]["SupportRequest"][];
        };
        /** @description A support request of a user. */
        SupportRequest: {
            /** @enum {string} */
            category: "bug" | "feature" | "billing" | "account" | "other";
            /** Format: date-time */
            created_at: string;
            /** @description the address of the user; absent when the user no longer exists */
            email?: string;
            /** Format: uuid */
            id: string;
            message: string;
            subject?: string;
            /** Format: uuid */
            user_id: string;
        };
        /** @description The request was received. */
        SupportRequestReceived: {
            /** @constant */
            success: true;
        };
        /** @description A town of the GeoNames list. */
        Town: {
            /** @description ISO 3166 code of two letters */
            country: string;
            lat: number;
            lon: number;
            name: string;
            population: number;
            /** @description the region's code within the country; distinguishes towns of the same name */
            region: string;
        };
        /** @description Towns, the best matches first. */
        TownList: {
            towns: components["schemas"]["Town"][];
        };
        /** @description Why the service is unavailable. */
        Unhealthy: {
            /** @description repeats the HTTP status */
            code: number;
            /**
             * @description `down` also when it rejects writes
             * @enum {string}
             */
            db: "ok" | "down";
            /** @description for validation errors: each wrong field */
            details?: {
                message: string;
                path: string;
            }[];
            /** @description an identifier for programs, for example `insufficient_credits` */
            error: string;
            /** @description what is wrong and what to do */
            message: string;
            /**
             * @description present while NATS or its JetStream does not answer; then jobs wait
             * @constant
             */
            queue?: "down";
            /** @description same as the header X-Request-Id; quote it when you ask for help */
            request_id: string;
            /** @enum {string} */
            status: "ok" | "draining" | "unavailable";
            version: string;
        };
        /** @description An answer of the map site that no agent understood. */
        UnknownAnswer: {
            /** @description the name of the agent that got it last */
            agent: string;
            /** @description the same for answers that look the same */
            id: string;
            /** @description the path of the request, without its parameters */
            path: string;
            /**
             * Format: date-time
             * @description when it came last
             */
            seen_at: string;
            /** @description the HTTP status */
            status: number;
            /** @description the beginning of the answer; addresses, tokens and what persons wrote are masked */
            text: string;
        };
        /** @description Answers of the map site that no agent understood, latest first. */
        UnknownAnswerList: {
            answers: components["schemas"]["UnknownAnswer"][];
        };
        /** @description The result of an upload. */
        UploadedPlaces: {
            /** @description places that were not known before */
            added: number;
            already_known: number;
            /** @description rows without a readable id, or with a short link alone; they were skipped */
            unreadable: number;
        };
        /** @description A user, as operators see them. */
        User: {
            /** Format: date-time */
            created_at: string;
            email: string;
            /** Format: uuid */
            id: string;
            /** @description whether the user is linked to an identity provider */
            linked: boolean;
            /** @description whether the limits of paid accounts apply */
            paid: boolean;
            /** @enum {string} */
            role: "user" | "operator";
        };
        /** @description A page of users, newest first. */
        UserList: {
            /** @description whether another page follows */
            has_more: boolean;
            limit: number;
            page: number;
            /** @description items on all pages */
            total: number;
            users: components["schemas"]["User"][];
        };
        /** @description The running build. */
        Version: {
            build_date: string;
            environment: string;
            git_commit_short: string;
            version: string;
        };
        /** @description A URL that is notified when a job ends. */
        Webhook: {
            /** @description consecutive deliveries that used up all their attempts */
            consecutive_failures: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            disabled_at?: string;
            /** @enum {string} */
            disabled_reason?: "http_5xx" | "http_4xx" | "transport_error";
            /** @description the events that are sent */
            event_types: ("job.completed" | "job.failed" | "job.cancelled" | "monitor.paused")[];
            /** @enum {string} */
            health_state: "healthy" | "degraded" | "disabled";
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * Format: date-time
             * @description absent while the webhook is active
             */
            revoked_at?: string;
            /** Format: date-time */
            updated_at: string;
            url: string;
            /**
             * Format: date-time
             * @description when the first delivery to this URL succeeded
             */
            verified_at?: string;
        };
        /** @description One event for one webhook, and its result. */
        WebhookDelivery: {
            attempt_count: number;
            /** @description oldest first, at most the latest 20 */
            attempts: {
                /** Format: date-time */
                at: string;
                /** @description from the lookup of the name to the end of the response */
                duration_ms?: number;
                /** @description what went wrong; absent after a 2xx and while the attempt is in flight */
                error?: string;
                /** @description the headers that were sent; absent when the URL was refused */
                headers?: {
                    [key: string]: string;
                };
                number: number;
                /** @description the first kilobyte of the response; absent when it was empty */
                response_body?: string;
                /** @description absent without a response */
                status_code?: number;
            }[];
            /** @description the JSON that is sent, byte for byte */
            body: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ended_at?: string;
            /** @enum {string} */
            event_type: "job.completed" | "job.failed" | "job.cancelled" | "monitor.paused" | "webhook.test";
            /** @description the headers of the latest request; absent before the first one */
            headers?: {
                [key: string]: string;
            };
            /**
             * Format: uuid
             * @description same as X-Webhook-ID
             */
            id: string;
            /**
             * Format: uuid
             * @description the job that ended; absent for other events
             */
            job_id?: string;
            /**
             * Format: date-time
             * @description absent when no attempt is due
             */
            next_attempt_at?: string;
            /**
             * @description `dropped`: the webhook was revoked or disabled first
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "dropped";
        };
        /** @description A page of the deliveries of a webhook. */
        WebhookDeliveryPage: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description whether another page follows */
            has_more: boolean;
            limit: number;
            page: number;
            /** @description items on all pages */
            total: number;
        };
        /** @description The body of a delivery. `event_type` says which event it is. */
        WebhookEvent: components["schemas"]["JobEndedEvent"] | components["schemas"]["MonitorPausedEvent"] | components["schemas"]["WebhookTestEvent"];
        /** @description Somebody tests the webhook. */
        WebhookTestEvent: {
            /** Format: date-time */
            created_at: string;
            /** @constant */
            event_type: "webhook.test";
            /** Format: uuid */
            webhook_id: string;
            webhook_name: string;
        };
        /** @description The number of stored places of the job by tier. Filters do not change it. */
        WebPresenceCounts: {
            booking: number;
            builder: number;
            directory: number;
            has: number;
            none: number;
            social: number;
        };
        /** @description How the visits of business websites ended, counted. */
        WebsiteVisits: {
            /** @description websites that refuse to answer */
            blocked: number;
            /** @description websites that were read and name no address */
            none: number;
            /** @description websites that name an address */
            ok: number;
            /** @description websites whose robots.txt does not let us in */
            robots: number;
            /** @description websites that did not answer in time */
            timeout: number;
            /** @description websites that cannot be read: no answer, an error, or no page */
            unreachable: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getFleetActivity: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The last week */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FleetActivity"];
                };
            };
        };
    };
    listAgents: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fleet */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentList"];
                };
            };
        };
    };
    enrolAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrolAgentRequest"];
            };
        };
        responses: {
            /** @description The agent and its token */
            201: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrolledAgent"];
                };
            };
        };
    };
    drainAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the name of the agent */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Takes effect within 2 s */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    resumeAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the name of the agent */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Takes effect within 2 s */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    revokeAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the name of the agent */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Takes effect within 2 s */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAgentActivity: {
        parameters: {
            query: {
                /** @description the `id` of the agent in `GET /api/v1/admin/agents` */
                id: string;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The last hour */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentActivity"];
                };
            };
        };
    };
    getDiagnosis: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The diagnosis */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diagnosis"];
                };
            };
        };
    };
    listExits: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The addresses and proxies */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExitList"];
                };
            };
        };
    };
    addExits: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddExitsRequest"];
            };
        };
        responses: {
            /** @description The ids of the proxies */
            201: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedExits"];
                };
            };
        };
    };
    removeExit: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id of the address or proxy */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description New tasks do not get it */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    checkExit: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id of the address or proxy */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An agent begins within ten seconds */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    wakeExit: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id of the address or proxy */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its agents know within two seconds */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    grantCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GrantRequest"];
            };
        };
        responses: {
            /** @description The grant */
            201: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Grant"];
                };
            };
        };
    };
    listAllJobs: {
        parameters: {
            query?: {
                /** @description items per page; default 50 */
                limit?: number;
                /** @description page number, from 1; default 1 */
                page?: number;
                /** @description only jobs of this status */
                status?: "pending" | "running" | "completed" | "failed" | "cancelled" | "aborting";
                /** @description only jobs of this user: an id or an email */
                user?: string;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of jobs */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnyJobList"];
                };
            };
        };
    };
    getAnyJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnyJob"];
                };
            };
        };
    };
    listAnyJobTasks: {
        parameters: {
            query?: {
                /** @description the id of the last task that you have */
                after?: string;
                /** @description number of tasks; default 100 */
                limit?: number;
                /** @description only tasks in this state */
                state?: "waiting" | "released" | "running" | "done" | "failed" | "cancelled";
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tasks */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobTaskList"];
                };
            };
        };
    };
    listPrices: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Past, current and future prices */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceList"];
                };
            };
        };
    };
    setPrices: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPricesRequest"];
            };
        };
        responses: {
            /** @description The new prices */
            201: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceLine"];
                };
            };
        };
    };
    previewPrices: {
        parameters: {
            query: {
                /** @description the time at which the job would be created */
                at: string;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prices at that time */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricePreview"];
                };
            };
        };
    };
    getQueue: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The backlog */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queue"];
                };
            };
        };
    };
    listSupportRequests: {
        parameters: {
            query?: {
                /** @description the largest number to return; default 50 */
                limit?: number;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requests, newest first */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupportList"];
                };
            };
        };
    };
    retryTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task waits for an agent */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listDeadTasks: {
        parameters: {
            query?: {
                /** @description only tasks of this job */
                job_id?: string;
                /** @description the largest number to return; default 50 */
                limit?: number;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tasks, latest first */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadTaskList"];
                };
            };
        };
    };
    listUnknownAnswers: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answers */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownAnswerList"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description items per page; default 50 */
                limit?: number;
                /** @description page number, from 1; default 1 */
                page?: number;
                /** @description only users whose email contains this, in any letter case; at most 200 bytes */
                search?: string;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of users */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserList"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUserRequest"];
            };
        };
        responses: {
            /** @description The user */
            201: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    setUserRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetRoleRequest"];
            };
        };
        responses: {
            /** @description The user */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    unlinkUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Unlinked; the next sign-in links the user again */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endUserSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All sessions of the user have ended */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createSignInLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link, shown only once */
            201: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewSignInLink"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All keys, including revoked ones */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"][];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description The new key */
            201: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeApiKeyRequest"];
            };
        };
        responses: {
            /** @description Updated */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getCreditBalance: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditBalance"];
                };
            };
        };
    };
    createCheckoutSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutRequest"];
            };
        };
        responses: {
            /** @description The payment page */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
        };
    };
    listCreditTransactions: {
        parameters: {
            query?: {
                /** @description items per page; default 50 */
                limit?: number;
                /** @description page number, from 1; default 1 */
                page?: number;
                /** @description only this type; empty for all types */
                type?: "" | "purchase" | "consumption" | "bonus" | "refund" | "adjustment" | "refund_deficit" | "deficit_paydown";
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transactions */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditHistory"];
                };
            };
        };
    };
    reconcileCheckoutSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReconcileRequest"];
            };
        };
        responses: {
            /** @description Credited */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getDailySpending: {
        parameters: {
            query?: {
                /** @description number of days up to today; default 30 */
                days?: number;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The charges by day */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DailySpending"];
                };
            };
        };
    };
    getDashboard: {
        parameters: {
            query?: {
                /** @description number of recent jobs; default 5 */
                limit?: number;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures and the jobs */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dashboard"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description the id of the last job that you have: only those behind it; instead of `page` */
                after?: string;
                /** @description items per page; default 10 */
                limit?: number;
                /** @description ascending or descending */
                order?: "asc" | "desc";
                /** @description page number, from 1; default 1 */
                page?: number;
                /** @description part of the name or of a keyword, in any letter case; at most 200 bytes */
                search?: string;
                /** @description what to sort by */
                sort?: "created_at" | "name" | "status" | "updated_at";
                /** @description only jobs of this status */
                status?: "pending" | "running" | "completed" | "failed" | "cancelled" | "aborting";
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of jobs */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobList"];
                };
            };
        };
    };
    createJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 bytes; the same key with the same body counts once within 24 hours */
                "Idempotency-Key"?: string;
                /** @description the trace that the job continues (W3C Trace Context); ignored if malformed */
                traceparent?: string;
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateJobRequest"];
            };
        };
        responses: {
            /** @description The job is accepted */
            201: {
                headers: {
                    /** @description `true` when an earlier request with this Idempotency-Key created the job */
                    "Idempotent-Replayed"?: string;
                    /** @description the path of the job */
                    Location?: string;
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedJob"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: {
                /** @description the longest time to wait for a change of the status, in seconds; default 0 */
                wait?: number;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    deleteJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job is gone */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job is cancelled or about to be */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getJobCosts: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cost report */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CostReport"];
                };
            };
        };
    };
    getJobCoverage: {
        parameters: {
            query?: {
                /** @description `geojson`: the cells as polygons. Default: by the header `Accept`, else `json` */
                format?: "json" | "geojson";
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The certificate, or the cells as GeoJSON */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": components["schemas"]["CoverageCells"];
                    "application/json": components["schemas"]["CoverageCertificate"];
                };
            };
        };
    };
    listJobDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One delivery a webhook */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDeliveries"];
                };
            };
        };
    };
    downloadJobResults: {
        parameters: {
            query?: {
                /** @description csv only: begin with a byte order mark, so that Excel detects UTF-8 */
                bom?: "true" | "false";
                /** @description the columns in the order of the file, separated by commas; absent: all, which are id, user_id, job_id, title, category, address, website, phone, emails, web_presence, review_count, rating, open_hours, images, user_reviews, created_at, reviews_link, popular_times, reviews_per_rating, user_reviews_extended, reservations, order_online, menu, owner, latitude, longitude, description, timezone, price_range, complete_address, about, place_id, data_id, cid, link, plus_code, status, thumbnail, street_view_url, categories, credit_cards_accepted, social_links, phones, closed, claimed, local_title, local_address, phone_e164, time_spent, booking_links, posts, services, questions, popular_dishes, also_searched, review_topics, email_list, email_details, limited, open_intervals, input */
                columns?: string;
                /** @description csv only: the separator of cells */
                delimiter?: "comma" | "semicolon";
                /** @description of a download link: until when it works */
                expires?: string;
                /** @description the file format */
                format?: "csv" | "xlsx" | "jsonl" | "geojson" | "parquet";
                /** @description of a download link: makes an API key unnecessary */
                signature?: string;
                /** @description true: also while the job goes on, what it has stored so far */
                so_far?: "true" | "false";
                /** @description tiers, `all`, `no_website` or `has_website`, separated by commas */
                web_presence?: string;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": {
                        features: {
                            /** @description the position as longitude, latitude; null when it is unknown */
                            geometry: {
                                coordinates: number[];
                                /** @enum {string} */
                                type: "Point";
                            } | null;
                            id: number;
                            /** @description the chosen columns; all of them when none is chosen */
                            properties: {
                                /** @description properties such as accessibility, under their headings */
                                about?: components["schemas"]["AboutSection"][];
                                /** @description the whole address in one line; empty when the place has none */
                                address?: string;
                                /** @description places that people also search for */
                                also_searched?: components["schemas"]["SimilarPlace"][];
                                /** @description pages to book an appointment or ask for an estimate */
                                booking_links?: components["schemas"]["Link"][];
                                /** @description all categories, the main one first */
                                categories?: string[];
                                /** @description the main category, in the language of the job; empty when the place has none */
                                category?: string;
                                /** @description the second half of `data_id` as a decimal number */
                                cid?: string;
                                /** @description whether an owner has claimed the place; absent when the answer does not tell */
                                claimed?: boolean;
                                /**
                                 * @description absent while the place is open, and when the answer does not tell
                                 * @enum {string}
                                 */
                                closed?: "permanently" | "temporarily";
                                complete_address?: components["schemas"]["CompleteAddress"];
                                /**
                                 * Format: date-time
                                 * @description when it was stored
                                 */
                                created_at?: string;
                                /** @description the accepted cards */
                                credit_cards_accepted?: string[];
                                /** @description the id in the links of the map site, `0x…:0x…` */
                                data_id?: string;
                                /** @description the editorial text, else the text of the owner */
                                description?: string;
                                /** @description what is known about each address of `emails` */
                                email_details?: components["schemas"]["EmailDetail"][];
                                /** @description the same as `emails`, as a list */
                                email_list?: string[];
                                /** @description separated by a comma and a space; empty when there are none */
                                emails?: string;
                                /** @description unique in the deployment; rises in order of storage */
                                id?: number;
                                /** @description at most `max_images`, in full size */
                                images?: components["schemas"]["Image"][];
                                /** @description the text in `places` that named it; absent when a search found it */
                                input?: string;
                                /**
                                 * Format: uuid
                                 * @description the job that stored it
                                 */
                                job_id?: string;
                                /** @description decimal degrees */
                                latitude?: number;
                                /** @description the parts of which the map site held something back; absent when nothing is known to be missing */
                                limited?: ("reviews" | "images" | "details")[];
                                /** @description the page of the place on the map site */
                                link?: string;
                                /** @description the address in the language of the place, when it differs */
                                local_address?: string;
                                /** @description the name in the language of the place, when it differs */
                                local_title?: string;
                                /** @description decimal degrees */
                                longitude?: number;
                                menu?: components["schemas"]["Link"];
                                /** @description English weekdays with the times as the map site writes them */
                                open_hours?: {
                                    [key: string]: string[];
                                };
                                /** @description `open_hours` of the seven days from that day on as numbers, Monday first; absent when not certain */
                                open_intervals?: components["schemas"]["OpenInterval"][];
                                /** @description pages to order food */
                                order_online?: components["schemas"]["Link"][];
                                owner?: components["schemas"]["Owner"];
                                /** @description the listed phone, as the map site writes it; empty when the place has none */
                                phone?: string;
                                /** @description `phone` in the form E.164, e.g. "+35725101555" */
                                phone_e164?: string;
                                /** @description phones that the website names; with `include_emails` */
                                phones?: string[];
                                /** @description the public id of the map site, which begins with `ChIJ` */
                                place_id?: string;
                                /** @description the position as an Open Location Code */
                                plus_code?: string;
                                /** @description dishes that visitors show in their photos */
                                popular_dishes?: components["schemas"]["Dish"][];
                                /** @description how busy it is, in percent, by English weekday and hour */
                                popular_times?: {
                                    [key: string]: {
                                        [key: string]: number;
                                    };
                                };
                                /** @description newest first */
                                posts?: components["schemas"]["Post"][];
                                /** @description in the words of the site, e.g. "€10–20" */
                                price_range?: string;
                                /** @description questions of visitors, with the answers that the page shows */
                                questions?: components["schemas"]["Question"][];
                                /** @description 0 when unrated */
                                rating?: number;
                                /** @description pages to reserve a table */
                                reservations?: components["schemas"]["Link"][];
                                /** @description absent when the map site does not show it */
                                review_count?: number;
                                /** @description words that reviews have in common */
                                review_topics?: components["schemas"]["ReviewTopic"][];
                                /** @description the page with the reviews */
                                reviews_link?: string;
                                /** @description the number of ratings by stars */
                                reviews_per_rating?: {
                                    [key: string]: number;
                                };
                                /** @description services, or dishes of a menu, under their headings */
                                services?: components["schemas"]["ServiceGroup"][];
                                /** @description profiles that the website links, by network; with `include_emails` */
                                social_links?: {
                                    [key: string]: string;
                                };
                                /** @description whether the place is open now, in the words of the site; never says otherwise than `closed` */
                                status?: string;
                                /** @description a picture of the street */
                                street_view_url?: string;
                                /** @description the first picture */
                                thumbnail?: string;
                                /** @description how long people stay, in the words of the site */
                                time_spent?: string;
                                /** @description an IANA time zone, e.g. "Asia/Nicosia" */
                                timezone?: string;
                                /** @description the name of the business, in the language of the job */
                                title?: string;
                                /** @description the user whose job stored it */
                                user_id?: string;
                                /** @description the reviews that the page of the place shows */
                                user_reviews?: components["schemas"]["Review"][];
                                /** @description further reviews, loaded page by page */
                                user_reviews_extended?: components["schemas"]["Review"][];
                                /**
                                 * @description which kind of website the business has
                                 * @enum {string}
                                 */
                                web_presence?: "none" | "social" | "directory" | "builder" | "booking" | "has";
                                /** @description the listed website, without the redirect of the map site; empty when the place has none */
                                website?: string;
                            };
                            /** @enum {string} */
                            type: "Feature";
                        }[];
                        /** @enum {string} */
                        type: "FeatureCollection";
                    };
                    "application/jsonl": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "text/csv": string;
                };
            };
        };
    };
    createDownloadLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DownloadLinkRequest"];
            };
        };
        responses: {
            /** @description The link */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DownloadLink"];
                };
            };
        };
    };
    streamJobEvents: {
        parameters: {
            query?: {
                /** @description the position of the last place that you received; default 0 */
                after?: number;
                /** @description false: only the progress and the end */
                places?: "true" | "false";
            };
            header?: {
                /** @description sent by browsers when they reconnect; overrides `after` */
                "Last-Event-ID"?: string;
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events until the end of the job */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        /** @description one object of the NDJSON stream */
                        data: string;
                        /** @description the cursor: send the last one as `Last-Event-ID` */
                        id: string;
                        /** @description milliseconds to wait before a reconnect */
                        retry: number;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The end was already sent */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listJobInputs: {
        parameters: {
            query?: {
                /** @description how many of the named places to skip; default 0 */
                after?: number;
                /** @description `csv`: the columns `input`, `status` and `result_id` */
                format?: "json" | "csv";
                /** @description named places per page; a CSV file has all; default 100 */
                limit?: number;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Named places, or a CSV file with all of them */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamedPlaceList"];
                    "text/csv": string;
                };
            };
        };
    };
    listJobResults: {
        parameters: {
            query?: {
                /** @description items per page; default 50 */
                limit?: number;
                /** @description page number, from 1; default 1 */
                page?: number;
                /** @description tiers, `all`, `no_website` or `has_website`, separated by commas */
                web_presence?: string;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultPage"];
                };
            };
        };
    };
    streamJob: {
        parameters: {
            query?: {
                /** @description the position of the last place that you received; default 0 */
                after?: number;
                /** @description false: only the progress and the end */
                places?: "true" | "false";
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One event a line */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": {
                        place: components["schemas"]["Result"];
                        /** @description the number of the place within the job: 1, 2, 3 …; send the last one as `after` */
                        position: number;
                        /** @enum {string} */
                        type: "place";
                    } | {
                        outcomes: components["schemas"]["OutcomeCounts"];
                        progress: {
                            collected: number;
                            discovered: number;
                            /**
                             * Format: date-time
                             * @description when the job likely ends, by its speed so far; absent while that is unknown
                             */
                            eta?: string;
                            tasks_done: number;
                            tasks_total: number;
                            /**
                             * @description why the job waits; `blocked`: the map site refuses every address and proxy for now; waiting spends no attempt. `unknown`: it sends only answers that nobody knows, and requests pause as after a block. `no_agent`: no agent is connected that may take the job
                             * @enum {string}
                             */
                            waiting_reason?: "blocked" | "unknown" | "no_agent";
                            /**
                             * Format: date-time
                             * @description when a waiting job continues; this time does not count against `max_time`, within its bounds
                             */
                            waiting_until?: string;
                        };
                        /** @description places stored so far */
                        result_count: number;
                        /**
                         * @description `completed`, `failed` and `cancelled` are final
                         * @enum {string}
                         */
                        status: "pending" | "running" | "completed" | "failed" | "cancelled" | "aborting";
                        /** @description credits, with 6 decimals */
                        total_cost: string;
                        /** @enum {string} */
                        type: "progress";
                    } | {
                        /**
                         * @description `completed`, `failed` and `cancelled` are final
                         * @enum {string}
                         */
                        status: "pending" | "running" | "completed" | "failed" | "cancelled" | "aborting";
                        /** @enum {string} */
                        type: "end";
                    };
                };
            };
        };
    };
    listJobTasks: {
        parameters: {
            query?: {
                /** @description the id of the last task that you have */
                after?: string;
                /** @description number of tasks; default 100 */
                limit?: number;
                /** @description only tasks in this state */
                state?: "waiting" | "released" | "running" | "done" | "failed" | "cancelled";
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tasks */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobTaskList"];
                };
            };
        };
    };
    getCostsOfJobs: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CostBatchRequest"];
            };
        };
        responses: {
            /** @description Cost reports by job */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CostBatchAnswer"];
                };
            };
        };
    };
    estimateJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EstimateRequest"];
            };
        };
        responses: {
            /** @description The estimate and the balance */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EstimateAnswer"];
                };
            };
        };
    };
    listKnownPlaces: {
        parameters: {
            query?: {
                /** @description the last `place_key` of the page before */
                after?: string;
                /** @description places per page; default 100 */
                limit?: number;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Known places */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnownPlaceList"];
                };
            };
        };
    };
    uploadKnownPlaces: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description an export of Placefleet or of another tool, or a list with one id in each row: a data id, place id, CID or link of the map site; at most 100000 rows. CSV with commas, semicolons or tabs, in UTF-8 or UTF-16, or XLSX */
        requestBody: {
            content: {
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                "text/csv": string;
            };
        };
        responses: {
            /** @description The places are known */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedPlaces"];
                };
            };
        };
    };
    forgetKnownPlaces: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Forgotten */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMonitors: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All monitors */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorList"];
                };
            };
        };
    };
    createMonitor: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 bytes; the same key with the same body counts once within 24 hours */
                "Idempotency-Key"?: string;
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMonitorRequest"];
            };
        };
        responses: {
            /** @description The monitor */
            201: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Monitor"];
                };
            };
        };
    };
    getMonitor: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The monitor */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Monitor"];
                };
            };
        };
    };
    deleteMonitor: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The monitor is gone */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateMonitor: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMonitorRequest"];
            };
        };
        responses: {
            /** @description The monitor */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Monitor"];
                };
            };
        };
    };
    listMonitorChanges: {
        parameters: {
            query?: {
                /** @description the `sequence` of the last change that you have; default 0 */
                after?: number;
                /** @description with `order=desc`: the `sequence` of the oldest change that you have */
                before?: number;
                /** @description number of changes; default 100 */
                limit?: number;
                /** @description `desc`: the newest first, continued with `before` */
                order?: "asc" | "desc";
                /** @description only changes seen since this time */
                since?: string;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Changes */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeList"];
                };
            };
        };
    };
    downloadMonitorChanges: {
        parameters: {
            query?: {
                /** @description the file format */
                format?: "csv" | "jsonl";
                /** @description only changes seen since this time */
                since?: string;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                    "text/csv": string;
                };
            };
        };
    };
    runMonitor: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 bytes; the same key with the same body counts once within 24 hours */
                "Idempotency-Key"?: string;
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job is created */
            201: {
                headers: {
                    /** @description `true` when an earlier request with this Idempotency-Key created the job */
                    "Idempotent-Replayed"?: string;
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedRun"];
                };
            };
        };
    };
    listMonitorRuns: {
        parameters: {
            query?: {
                /** @description number of runs; default 50 */
                limit?: number;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The latest runs */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorRuns"];
                };
            };
        };
    };
    listResults: {
        parameters: {
            query?: {
                /** @description maximum number of results; default 50 */
                limit?: number;
                /** @description number of results to skip; default 0 */
                offset?: number;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Results in order of storage */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Result"][];
                };
            };
        };
    };
    downloadResults: {
        parameters: {
            query?: {
                /** @description csv only: begin with a byte order mark, so that Excel detects UTF-8 */
                bom?: "true" | "false";
                /** @description the columns in the order of the file, separated by commas; absent: all, which are id, user_id, job_id, title, category, address, website, phone, emails, web_presence, review_count, rating, open_hours, images, user_reviews, created_at, reviews_link, popular_times, reviews_per_rating, user_reviews_extended, reservations, order_online, menu, owner, latitude, longitude, description, timezone, price_range, complete_address, about, place_id, data_id, cid, link, plus_code, status, thumbnail, street_view_url, categories, credit_cards_accepted, social_links, phones, closed, claimed, local_title, local_address, phone_e164, time_spent, booking_links, posts, services, questions, popular_dishes, also_searched, review_topics, email_list, email_details, limited, open_intervals, input */
                columns?: string;
                /** @description csv only: the separator of cells */
                delimiter?: "comma" | "semicolon";
                /** @description the file format */
                format?: "csv" | "xlsx" | "jsonl" | "geojson" | "parquet";
                /** @description only jobs of this monitor */
                monitor_id?: string;
                /** @description part of the name or of a keyword, in any letter case; at most 200 bytes */
                search?: string;
                /** @description tiers, `all`, `no_website` or `has_website`, separated by commas */
                web_presence?: string;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": {
                        features: {
                            /** @description the position as longitude, latitude; null when it is unknown */
                            geometry: {
                                coordinates: number[];
                                /** @enum {string} */
                                type: "Point";
                            } | null;
                            id: number;
                            /** @description the chosen columns; all of them when none is chosen */
                            properties: {
                                /** @description properties such as accessibility, under their headings */
                                about?: components["schemas"]["AboutSection"][];
                                /** @description the whole address in one line; empty when the place has none */
                                address?: string;
                                /** @description places that people also search for */
                                also_searched?: components["schemas"]["SimilarPlace"][];
                                /** @description pages to book an appointment or ask for an estimate */
                                booking_links?: components["schemas"]["Link"][];
                                /** @description all categories, the main one first */
                                categories?: string[];
                                /** @description the main category, in the language of the job; empty when the place has none */
                                category?: string;
                                /** @description the second half of `data_id` as a decimal number */
                                cid?: string;
                                /** @description whether an owner has claimed the place; absent when the answer does not tell */
                                claimed?: boolean;
                                /**
                                 * @description absent while the place is open, and when the answer does not tell
                                 * @enum {string}
                                 */
                                closed?: "permanently" | "temporarily";
                                complete_address?: components["schemas"]["CompleteAddress"];
                                /**
                                 * Format: date-time
                                 * @description when it was stored
                                 */
                                created_at?: string;
                                /** @description the accepted cards */
                                credit_cards_accepted?: string[];
                                /** @description the id in the links of the map site, `0x…:0x…` */
                                data_id?: string;
                                /** @description the editorial text, else the text of the owner */
                                description?: string;
                                /** @description what is known about each address of `emails` */
                                email_details?: components["schemas"]["EmailDetail"][];
                                /** @description the same as `emails`, as a list */
                                email_list?: string[];
                                /** @description separated by a comma and a space; empty when there are none */
                                emails?: string;
                                /** @description unique in the deployment; rises in order of storage */
                                id?: number;
                                /** @description at most `max_images`, in full size */
                                images?: components["schemas"]["Image"][];
                                /** @description the text in `places` that named it; absent when a search found it */
                                input?: string;
                                /**
                                 * Format: uuid
                                 * @description the job that stored it
                                 */
                                job_id?: string;
                                /** @description decimal degrees */
                                latitude?: number;
                                /** @description the parts of which the map site held something back; absent when nothing is known to be missing */
                                limited?: ("reviews" | "images" | "details")[];
                                /** @description the page of the place on the map site */
                                link?: string;
                                /** @description the address in the language of the place, when it differs */
                                local_address?: string;
                                /** @description the name in the language of the place, when it differs */
                                local_title?: string;
                                /** @description decimal degrees */
                                longitude?: number;
                                menu?: components["schemas"]["Link"];
                                /** @description English weekdays with the times as the map site writes them */
                                open_hours?: {
                                    [key: string]: string[];
                                };
                                /** @description `open_hours` of the seven days from that day on as numbers, Monday first; absent when not certain */
                                open_intervals?: components["schemas"]["OpenInterval"][];
                                /** @description pages to order food */
                                order_online?: components["schemas"]["Link"][];
                                owner?: components["schemas"]["Owner"];
                                /** @description the listed phone, as the map site writes it; empty when the place has none */
                                phone?: string;
                                /** @description `phone` in the form E.164, e.g. "+35725101555" */
                                phone_e164?: string;
                                /** @description phones that the website names; with `include_emails` */
                                phones?: string[];
                                /** @description the public id of the map site, which begins with `ChIJ` */
                                place_id?: string;
                                /** @description the position as an Open Location Code */
                                plus_code?: string;
                                /** @description dishes that visitors show in their photos */
                                popular_dishes?: components["schemas"]["Dish"][];
                                /** @description how busy it is, in percent, by English weekday and hour */
                                popular_times?: {
                                    [key: string]: {
                                        [key: string]: number;
                                    };
                                };
                                /** @description newest first */
                                posts?: components["schemas"]["Post"][];
                                /** @description in the words of the site, e.g. "€10–20" */
                                price_range?: string;
                                /** @description questions of visitors, with the answers that the page shows */
                                questions?: components["schemas"]["Question"][];
                                /** @description 0 when unrated */
                                rating?: number;
                                /** @description pages to reserve a table */
                                reservations?: components["schemas"]["Link"][];
                                /** @description absent when the map site does not show it */
                                review_count?: number;
                                /** @description words that reviews have in common */
                                review_topics?: components["schemas"]["ReviewTopic"][];
                                /** @description the page with the reviews */
                                reviews_link?: string;
                                /** @description the number of ratings by stars */
                                reviews_per_rating?: {
                                    [key: string]: number;
                                };
                                /** @description services, or dishes of a menu, under their headings */
                                services?: components["schemas"]["ServiceGroup"][];
                                /** @description profiles that the website links, by network; with `include_emails` */
                                social_links?: {
                                    [key: string]: string;
                                };
                                /** @description whether the place is open now, in the words of the site; never says otherwise than `closed` */
                                status?: string;
                                /** @description a picture of the street */
                                street_view_url?: string;
                                /** @description the first picture */
                                thumbnail?: string;
                                /** @description how long people stay, in the words of the site */
                                time_spent?: string;
                                /** @description an IANA time zone, e.g. "Asia/Nicosia" */
                                timezone?: string;
                                /** @description the name of the business, in the language of the job */
                                title?: string;
                                /** @description the user whose job stored it */
                                user_id?: string;
                                /** @description the reviews that the page of the place shows */
                                user_reviews?: components["schemas"]["Review"][];
                                /** @description further reviews, loaded page by page */
                                user_reviews_extended?: components["schemas"]["Review"][];
                                /**
                                 * @description which kind of website the business has
                                 * @enum {string}
                                 */
                                web_presence?: "none" | "social" | "directory" | "builder" | "booking" | "has";
                                /** @description the listed website, without the redirect of the map site; empty when the place has none */
                                website?: string;
                            };
                            /** @enum {string} */
                            type: "Feature";
                        }[];
                        /** @enum {string} */
                        type: "FeatureCollection";
                    };
                    "application/jsonl": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "text/csv": string;
                };
            };
        };
    };
    createSupportRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSupportRequest"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupportRequestReceived"];
                };
            };
        };
    };
    searchTowns: {
        parameters: {
            query: {
                /** @description maximum number of towns; default 8 */
                limit?: number;
                /** @description the beginning of the name, in any letter case, with or without accents */
                search: string;
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The best matches */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TownList"];
                };
            };
        };
    };
    getVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The build that answered */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Version"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All webhooks, including disabled and revoked ones */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"][];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description The new webhook with its secret */
            201: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeWebhookRequest"];
            };
        };
        responses: {
            /** @description Updated */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description deliveries of this event */
                event_type?: "job.completed" | "job.failed" | "job.cancelled" | "monitor.paused" | "webhook.test";
                /** @description items per page; default 20 */
                limit?: number;
                /** @description page number, from 1; default 1 */
                page?: number;
                /** @description deliveries with this status */
                status?: "pending" | "delivered" | "failed" | "dropped";
            };
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries of the last 30 days, newest first */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
        };
    };
    retryWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the X-Webhook-ID of the delivery */
                delivery_id: string;
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Queued for delivery */
            202: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    retryFailedWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetryFailedRequest"];
            };
        };
        responses: {
            /** @description How many are queued for delivery */
            202: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetriedDeliveries"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook with its new secret */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Queued for delivery */
            202: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    claimDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimRequest"];
            };
        };
        responses: {
            /** @description Signed in. The response sets the session cookie */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    beginDeviceLogin: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BeginDeviceLogin"];
            };
        };
        responses: {
            /** @description The codes */
            201: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceLoginCodes"];
                };
            };
        };
    };
    getDeviceLogin: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the pairing code that the program shows */
                user_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The program that waits */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceLogin"];
                };
            };
        };
    };
    approveDeviceLogin: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the pairing code that the program shows */
                user_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Decided */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    denyDeviceLogin: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the pairing code that the program shows */
                user_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Decided */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    redeemDeviceLogin: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedeemDeviceLogin"];
            };
        };
        responses: {
            /** @description The API key */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceKey"];
                };
            };
        };
    };
    redeemSignInLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedeemSignInLink"];
            };
        };
        responses: {
            /** @description Signed in. The response sets the session cookie */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out here. Open `Location`, if present, to sign out at the identity provider as well */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listSignInProviders: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identity providers */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInProviders"];
                };
            };
        };
    };
    getCurrentSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current session */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentSession"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The active sessions */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"][];
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The other sessions have ended */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description the id returned when this was created */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended */
            204: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is healthy */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: {
                /** @description an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process runs */
            200: {
                headers: {
                    /** @description the id of this request, also in the logs */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Live"];
                };
            };
        };
    };
    receiveDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The body of a delivery. `event_type` says which event it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: never;
    };
}
