// Made by `npm run console:types` from the API's own document; do not edit.

export interface paths {
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your API keys */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All keys, revoked ones too */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiKey"][];
                    };
                };
            };
        };
        put?: never;
        /** Make an API key */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateApiKeyRequest"];
                };
            };
            responses: {
                /** @description The key */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewApiKey"];
                    };
                };
            };
        };
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
        /** Revoke an API key */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description as it was answered when this was made */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It stopped working */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credits/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The credit balance */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The balance */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreditBalance"];
                    };
                };
            };
        };
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
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CheckoutRequest"];
                };
            };
            responses: {
                /** @description Where to pay */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CheckoutSession"];
                    };
                };
            };
        };
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
        /** The credit transactions, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description items a page; 50 unless given */
                    limit?: number;
                    /** @description which page, from 1 on; 1 unless given */
                    page?: number;
                    /** @description only this type; empty for all */
                    type?: "" | "purchase" | "consumption" | "bonus" | "refund" | "adjustment" | "refund_deficit" | "deficit_paydown";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of transactions */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreditHistory"];
                    };
                };
            };
        };
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
        post: {
            parameters: {
                query?: never;
                header?: never;
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
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
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
        /** Figures and your latest jobs */
        get: {
            parameters: {
                query?: {
                    /** @description recent jobs; 5 unless given */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The figures and the jobs */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Dashboard"];
                    };
                };
            };
        };
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
        /** Your jobs */
        get: {
            parameters: {
                query?: {
                    /** @description items a page; 10 unless given */
                    limit?: number;
                    /** @description rising or falling */
                    order?: "asc" | "desc";
                    /** @description which page, from 1 on; 1 unless given */
                    page?: number;
                    /** @description part of the name or of a keyword, in any letter case; at most 200 bytes */
                    search?: string;
                    /** @description what to sort by */
                    sort?: "created_at" | "name" | "status" | "updated_at";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of jobs */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobList"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a job
         * @description Billable. With an `Idempotency-Key` the same request within 24 hours creates one job and answers the same, with the header `Idempotent-Replayed: true`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
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
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreatedJob"];
                    };
                };
            };
        };
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
        /** One job */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description as it was answered when this was made */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The job */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Job"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Delete a job and its places
         * @description An active job is cancelled first. The ledger keeps what the job cost.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description as it was answered when this was made */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The job is gone */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
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
         * @description A pending job is cancelled at once, a running one within 10 seconds. What it stored stays and is billed.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description as it was answered when this was made */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The job is cancelled or about to be */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
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
        /** What a job costs */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description as it was answered when this was made */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The cost report */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CostReport"];
                    };
                };
            };
        };
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
        /** The results of a job in one file */
        get: {
            parameters: {
                query?: {
                    /** @description the kind of file */
                    format?: "csv" | "xlsx" | "jsonl" | "geojson";
                };
                header?: never;
                path: {
                    /** @description as it was answered when this was made */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The file */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/geo+json": string;
                        "application/jsonl": string;
                        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                        "text/csv": string;
                    };
                };
            };
        };
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
        /** The results of a job in pages */
        get: {
            parameters: {
                query?: {
                    /** @description items a page; 50 unless given */
                    limit?: number;
                    /** @description which page, from 1 on; 1 unless given */
                    page?: number;
                    /** @description tiers, or `all`, `no_website`, `has_website`; commas between them */
                    web_presence?: string;
                };
                header?: never;
                path: {
                    /** @description as it was answered when this was made */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResultPage"];
                    };
                };
            };
        };
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
        /** What up to 100 jobs cost */
        post: {
            parameters: {
                query?: never;
                header?: never;
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
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CostBatchAnswer"];
                    };
                };
            };
        };
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
        /** What a job may cost */
        post: {
            parameters: {
                query?: never;
                header?: never;
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
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EstimateAnswer"];
                    };
                };
            };
        };
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
        /** The results of all jobs */
        get: {
            parameters: {
                query?: {
                    /** @description results at most; 50 unless given */
                    limit?: number;
                    /** @description results to leave out from the first on; 0 unless given */
                    offset?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Results in order of storage */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Result"][];
                    };
                };
            };
        };
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
         * Ask for help
         * @description One a minute, three at once.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateSupportRequest"];
                };
            };
            responses: {
                /** @description It was received */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SupportRequestReceived"];
                    };
                };
            };
        };
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
        get: {
            parameters: {
                query: {
                    /** @description towns at most; 8 unless given */
                    limit?: number;
                    /** @description how the name begins, in any letter case, with or without accents */
                    search: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The likeliest towns */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TownList"];
                    };
                };
            };
        };
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
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The build that answered */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Version"];
                    };
                };
            };
        };
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
        /** Your webhooks */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All, disabled and revoked ones too */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Webhook"][];
                    };
                };
            };
        };
        put?: never;
        /** Register a webhook */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateWebhookRequest"];
                };
            };
            responses: {
                /** @description The webhook */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewWebhook"];
                    };
                };
            };
        };
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
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description as it was answered when this was made */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It gets no more deliveries */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description A new `url` must be verified again. `reenable` takes a disabled webhook into service again.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description as it was answered when this was made */
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
                /** @description It is as asked */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Deliveries of a webhook */
        get: {
            parameters: {
                query?: {
                    /** @description items a page; 20 unless given */
                    limit?: number;
                    /** @description which page, from 1 on; 1 unless given */
                    page?: number;
                };
                header?: never;
                path: {
                    /** @description as it was answered when this was made */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Newest first, of the last 30 days */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookDeliveryPage"];
                    };
                };
            };
        };
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
         * Deliver again
         * @description One attempt more for a delivery that is over, under the same X-Webhook-ID.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description the X-Webhook-ID of the delivery */
                    delivery_id: string;
                    /** @description as it was answered when this was made */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It is on its way */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookDelivery"];
                    };
                };
            };
        };
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
         * Replace the signing secret
         * @description The new secret is shown this one time. For 24 hours the old one signs as well.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description as it was answered when this was made */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The webhook with its new secret */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewWebhook"];
                    };
                };
            };
        };
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
         * @description A signed `webhook.test`, in one attempt. See the deliveries of the webhook for what came of it.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description as it was answered when this was made */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It is on its way */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookDelivery"];
                    };
                };
            };
        };
        delete?: never;
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
        /** Whether the service can answer */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It can */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Health"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description One property of a place.
         * @example {
         *       "name": "Wheelchair accessible entrance",
         *       "enabled": true
         *     }
         */
        AboutOption: {
            enabled: boolean;
            name: string;
            values?: string[];
        };
        /**
         * @description Properties of a place under one heading.
         * @example {
         *       "id": "accessibility",
         *       "name": "Accessibility",
         *       "options": [
         *         {
         *           "name": "Wheelchair accessible entrance",
         *           "enabled": true
         *         }
         *       ]
         *     }
         */
        AboutSection: {
            id: string;
            name: string;
            options: components["schemas"]["AboutOption"][];
        };
        /**
         * @description A key as it can be shown.
         * @example {
         *       "id": "c2f1a0de-0f35-4a0a-8a5c-6f7c1f3b9d42",
         *       "name": "Nightly import",
         *       "key_hint_prefix": "svc_Ab3d",
         *       "key_hint_suffix": "x9Qz",
         *       "usage_count": 1042,
         *       "created_at": "2026-03-01T12:00:00.000Z",
         *       "last_used_at": "2026-03-02T09:20:00.000Z"
         *     }
         */
        ApiKey: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** @description by this end of the key you know it again */
            key_hint_prefix: string;
            /** @description by this end of the key you know it again */
            key_hint_suffix: string;
            /**
             * Format: date-time
             * @description absent until it is used
             */
            last_used_at?: string;
            name: string;
            /**
             * Format: date-time
             * @description absent while it is active
             */
            revoked_at?: string;
            /** @description requests granted with it */
            usage_count: number;
        };
        /**
         * @description What is to change; what is absent stays as it is.
         * @example {
         *       "reenable": true
         *     }
         */
        ChangeWebhookRequest: {
            /** @description what it is for */
            name?: string;
            /** @description true takes a disabled webhook into service again */
            reenable?: boolean;
            /** @description an https URL at a public address, without credentials */
            url?: string;
        };
        /**
         * @description How many credits to buy.
         * @example {
         *       "credits": "25",
         *       "currency": "USD"
         *     }
         */
        CheckoutRequest: {
            /** @description whole credits, 1 to 10000 */
            credits: string;
            /**
             * @description 1 credit is 1 USD
             * @constant
             */
            currency: "USD";
        };
        /**
         * @description Where to send the user to pay.
         * @example {
         *       "session_id": "cs_live_a1b2c3",
         *       "url": "https://checkout.stripe.com/c/pay/cs_live_a1b2c3"
         *     }
         */
        CheckoutSession: {
            session_id: string;
            /** Format: uri */
            url: string;
        };
        /**
         * @description An address in its parts.
         * @example {
         *       "street": "12 Anexartisias",
         *       "city": "Limassol",
         *       "postal_code": "3036",
         *       "country": "CY"
         *     }
         */
        CompleteAddress: {
            borough?: string;
            city?: string;
            /** @description ISO 3166 code of two letters */
            country?: string;
            postal_code?: string;
            state?: string;
            street?: string;
        };
        /**
         * @description Cost reports by job.
         * @example {
         *       "costs": {
         *         "4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10": {
         *           "job_id": "4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10",
         *           "items": [
         *             {
         *               "event_type": "job_start",
         *               "quantity": 1,
         *               "cost_credits": "0.007000"
         *             },
         *             {
         *               "event_type": "place_scraped",
         *               "quantity": 48,
         *               "cost_credits": "0.144000"
         *             }
         *           ],
         *           "total_credits": "0.151000",
         *           "total_rounded": 0
         *         }
         *       }
         *     }
         */
        CostBatchAnswer: {
            costs: {
                [key: string]: components["schemas"]["CostReport"];
            };
        };
        /**
         * @description The jobs whose costs are wanted.
         * @example {
         *       "job_ids": [
         *         "4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10"
         *       ]
         *     }
         */
        CostBatchRequest: {
            /** @description jobs of others and unknown ones are left out */
            job_ids: string[];
        };
        /**
         * @description What a job costs, item by item; while it runs, what it would cost now.
         * @example {
         *       "job_id": "4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10",
         *       "items": [
         *         {
         *           "event_type": "job_start",
         *           "quantity": 1,
         *           "cost_credits": "0.007000"
         *         },
         *         {
         *           "event_type": "place_scraped",
         *           "quantity": 48,
         *           "cost_credits": "0.144000"
         *         }
         *       ],
         *       "total_credits": "0.151000",
         *       "total_rounded": 0
         *     }
         */
        CostReport: {
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
            /** @description whole credits, halves up */
            total_rounded: number;
        };
        /**
         * @description The key to make.
         * @example {
         *       "name": "Nightly import"
         *     }
         */
        CreateApiKeyRequest: {
            /** @description what the key is for */
            name: string;
        };
        /**
         * @description The job that was created.
         * @example {
         *       "id": "4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10"
         *     }
         */
        CreatedJob: {
            /** Format: uuid */
            id: string;
        };
        /**
         * @description What to collect, and how much of it.
         * @example {
         *       "name": "Dentists in Limassol",
         *       "keywords": [
         *         "dentist",
         *         "dental clinic"
         *       ],
         *       "language": "en",
         *       "depth": 5,
         *       "include_emails": true,
         *       "max_results": 100,
         *       "website_filter": "no_website",
         *       "lat": "34.6786",
         *       "lon": "33.0413",
         *       "zoom": 14,
         *       "radius": 5000
         *     }
         */
        CreateJobRequest: {
            /**
             * @description how far each search goes, in pages of about 20 places
             * @default 5
             */
            depth?: number;
            /**
             * @description take what the search itself shows
             * @default false
             */
            fast_mode?: boolean;
            /**
             * @description collect emails from business websites
             * @default false
             */
            include_emails?: boolean;
            /** @description what to search for, each on its own */
            keywords: string[];
            /**
             * @description of the map site and of what it says about places
             * @enum {string}
             */
            language: "ar" | "bg" | "cs" | "da" | "de" | "el" | "en" | "es" | "et" | "fi" | "fr" | "he" | "hr" | "hu" | "id" | "it" | "ja" | "ko" | "lt" | "lv" | "ms" | "nl" | "no" | "pl" | "pt" | "ro" | "ru" | "sk" | "sl" | "sv" | "th" | "tr" | "uk" | "vi" | "zh";
            /**
             * @description latitude of the middle of the search
             * @default
             */
            lat?: string;
            /**
             * @description longitude of the middle of the search
             * @default
             */
            lon?: string;
            /**
             * @description images a place; 0 collects none
             * @default 0
             */
            max_images?: number;
            /**
             * @description places for the whole job
             * @default 50
             */
            max_results?: number;
            /**
             * @description reviews a place; 0 collects none
             * @default 0
             */
            max_reviews?: number;
            /**
             * @description seconds from the start until the job is cut off
             * @default 1800
             */
            max_time?: number;
            /** @description by which you know the job again; files are named after it */
            name: string;
            /**
             * @description URLs of your own proxies
             * @default []
             */
            proxies?: string[];
            /**
             * @description metres around `lat`, `lon` to keep; 0 is unlimited
             * @default 0
             */
            radius?: number;
            /**
             * @description keep only places with, or without, a website of their own
             * @default all
             * @enum {string}
             */
            website_filter?: "all" | "no_website" | "has_website";
            /**
             * @description zoom of the map; 0 leaves it to the site
             * @default 0
             */
            zoom?: number;
        };
        /**
         * @description A question to whoever runs the service.
         * @example {
         *       "category": "billing",
         *       "subject": "Invoice",
         *       "message": "Where do I find the invoice of March?"
         *     }
         */
        CreateSupportRequest: {
            /**
             * @description what it is about
             * @enum {string}
             */
            category: "bug" | "feature" | "billing" | "account" | "other";
            /** @description what happened, and what you expected */
            message: string;
            /** @description in a few words */
            subject?: string;
        };
        /**
         * @description Who is to be told of the ends of jobs.
         * @example {
         *       "name": "Our CRM",
         *       "url": "https://example.com/hooks/jobs"
         *     }
         */
        CreateWebhookRequest: {
            /** @description what it is for */
            name: string;
            /** @description an https URL at a public address, without credentials */
            url: string;
        };
        /**
         * @description What a user has.
         * @example {
         *       "user_id": "9d3a4c52-7c1b-4f6e-a8a1-3f0e5b7d9c11",
         *       "credit_balance": "24.705000",
         *       "total_credits_purchased": "25.000000"
         *     }
         */
        CreditBalance: {
            /** @description credits, with 6 decimals */
            credit_balance: string;
            /** @description credits, with 6 decimals */
            total_credits_purchased: string;
            user_id: string;
        };
        /**
         * @description Movements of credits, a page of them.
         * @example {
         *       "transactions": [
         *         {
         *           "id": "0b6f4f9e-6a39-4a7e-8b38-5d4c1f6f9d21",
         *           "type": "purchase",
         *           "amount": "25.000000",
         *           "balance_before": "0.000000",
         *           "balance_after": "25.000000",
         *           "description": "25 credits",
         *           "reference_id": "cs_live_a1b2c3",
         *           "reference_type": "checkout_session",
         *           "created_at": "2026-03-01T12:00:00.000Z"
         *         }
         *       ],
         *       "total": 1,
         *       "page": 1,
         *       "limit": 50,
         *       "has_more": false
         *     }
         */
        CreditHistory: {
            /** @description whether there is a next page */
            has_more: boolean;
            limit: number;
            page: number;
            /** @description items on all pages */
            total: number;
            transactions: components["schemas"]["CreditTransaction"][];
        };
        /**
         * @description One movement of credits.
         * @example {
         *       "id": "0b6f4f9e-6a39-4a7e-8b38-5d4c1f6f9d21",
         *       "type": "purchase",
         *       "amount": "25.000000",
         *       "balance_before": "0.000000",
         *       "balance_after": "25.000000",
         *       "description": "25 credits",
         *       "reference_id": "cs_live_a1b2c3",
         *       "reference_type": "checkout_session",
         *       "created_at": "2026-03-01T12:00:00.000Z"
         *     }
         */
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
            /** @description the job, or for a purchase the checkout session */
            reference_id: string;
            reference_type: string;
            /** @enum {string} */
            type: "purchase" | "consumption" | "bonus" | "refund" | "adjustment" | "refund_deficit" | "deficit_paydown";
        };
        /**
         * @description What a user sees first.
         * @example {
         *       "kpi": {
         *         "jobs_today": 1,
         *         "places_scraped_total": 48,
         *         "active_jobs": 0
         *       },
         *       "recent_jobs": [
         *         {
         *           "id": "4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10",
         *           "name": "Dentists in Limassol",
         *           "status": "completed",
         *           "created_at": "2026-03-02T09:15:00.000Z",
         *           "updated_at": "2026-03-02T09:19:12.000Z",
         *           "source": "api",
         *           "result_count": 48,
         *           "total_cost": "0.295000"
         *         }
         *       ]
         *     }
         */
        Dashboard: {
            kpi: {
                /** @description jobs that are running or pending */
                active_jobs: number;
                /** @description jobs created since midnight UTC */
                jobs_today: number;
                /** @description places of all your jobs but those you deleted */
                places_scraped_total: number;
            };
            recent_jobs: {
                /** Format: date-time */
                created_at: string;
                /** Format: uuid */
                id: string;
                /** @description as given when it was created */
                name: string;
                /** @description places stored so far */
                result_count: number;
                /**
                 * @description made with an API key, or from the dashboard
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
        /**
         * @description Every answer that is not a success.
         * @example {
         *       "code": 400,
         *       "message": "`max_result` is not a field here; did you mean `max_results`?",
         *       "details": [
         *         {
         *           "path": "max_result",
         *           "message": "is not a field here; did you mean `max_results`?"
         *         }
         *       ],
         *       "request_id": "b0c0a1f2-9a51-4a53-8c1e-2f6f3d1f7c55"
         *     }
         */
        Error: {
            /** @description repeats the HTTP status */
            code: number;
            /** @description what is wrong where, for validation failures */
            details?: {
                message: string;
                path: string;
            }[];
            /** @description an identifier for programs, where there is one */
            error?: string;
            /** @description what is wrong and what to do, for people */
            message: string;
            /** @description the same as the header X-Request-Id; name it when you ask for help */
            request_id: string;
        };
        /**
         * @description What a job may cost.
         * @example {
         *       "object": "job_estimate",
         *       "currency": "credits",
         *       "places": 150,
         *       "places_min": 80,
         *       "places_max": 200,
         *       "keyword_count": 2,
         *       "places_per_keyword": 100,
         *       "total": 0.757,
         *       "total_min": 0.407,
         *       "total_max": 1.007,
         *       "breakdown": {
         *         "job_start_cost": 0.007,
         *         "places_cost": 0.45,
         *         "contact_details_cost": 0.3,
         *         "reviews_cost": 0,
         *         "images_cost": 0,
         *         "filter_cost": 0
         *       },
         *       "reviews": 0,
         *       "images": 0,
         *       "includes_emails": true,
         *       "unit_prices": {
         *         "job_start": 0.007,
         *         "place_scraped": 0.003,
         *         "contact_details": 0.002,
         *         "review": 0.0005,
         *         "image": 0.0005,
         *         "filters_applied": 0.001
         *       },
         *       "max_results_provided": false,
         *       "description": "About 150 places (80 to 200) for 2 keywords.",
         *       "expires_at": 1772443800
         *     }
         */
        Estimate: {
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
            /** @description Unix seconds until which the estimate holds */
            expires_at: number;
            images: number;
            includes_emails: boolean;
            keyword_count: number;
            max_results_provided: boolean;
            /** @constant */
            object: "job_estimate";
            /** @description likely number of places */
            places: number;
            places_max: number;
            places_min: number;
            places_per_keyword: number;
            reviews: number;
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
        /**
         * @description What a job may cost, and whether the account covers it.
         * @example {
         *       "estimate": {
         *         "object": "job_estimate",
         *         "currency": "credits",
         *         "places": 150,
         *         "places_min": 80,
         *         "places_max": 200,
         *         "keyword_count": 2,
         *         "places_per_keyword": 100,
         *         "total": 0.757,
         *         "total_min": 0.407,
         *         "total_max": 1.007,
         *         "breakdown": {
         *           "job_start_cost": 0.007,
         *           "places_cost": 0.45,
         *           "contact_details_cost": 0.3,
         *           "reviews_cost": 0,
         *           "images_cost": 0,
         *           "filter_cost": 0
         *         },
         *         "reviews": 0,
         *         "images": 0,
         *         "includes_emails": true,
         *         "unit_prices": {
         *           "job_start": 0.007,
         *           "place_scraped": 0.003,
         *           "contact_details": 0.002,
         *           "review": 0.0005,
         *           "image": 0.0005,
         *           "filters_applied": 0.001
         *         },
         *         "max_results_provided": false,
         *         "description": "About 150 places (80 to 200) for 2 keywords.",
         *         "expires_at": 1772443800
         *       },
         *       "balance": {
         *         "current": 24.705,
         *         "sufficient": true
         *       }
         *     }
         */
        EstimateAnswer: {
            balance: {
                /** @description what is available: balance less holds */
                current: number;
                /** @description whether it covers total_min */
                sufficient: boolean;
            };
            estimate: components["schemas"]["Estimate"];
        };
        /**
         * @description The job whose cost is wanted.
         * @example {
         *       "keywords": [
         *         "dentist",
         *         "dental clinic"
         *       ],
         *       "depth": 5,
         *       "include_emails": true
         *     }
         */
        EstimateRequest: {
            /**
             * @description how far each search goes, in pages of about 20 places
             * @default 5
             */
            depth?: number;
            /** @description taken so that one body serves both calls; costs nothing */
            fast_mode?: unknown;
            /**
             * @description collect emails from business websites
             * @default false
             */
            include_emails?: boolean;
            /** @description what to search for, each on its own */
            keywords: string[];
            /** @description taken so that one body serves both calls; costs nothing */
            language?: unknown;
            /** @description taken so that one body serves both calls; costs nothing */
            lat?: unknown;
            /** @description taken so that one body serves both calls; costs nothing */
            lon?: unknown;
            /**
             * @description images a place; 0 collects none
             * @default 0
             */
            max_images?: number;
            /** @description places at most; follows from the depth unless given */
            max_results?: number;
            /** @description reviews a place; about 50 unless given */
            max_reviews?: number;
            /** @description taken so that one body serves both calls; costs nothing */
            max_time?: unknown;
            /** @description taken so that one body serves both calls; costs nothing */
            name?: unknown;
            /** @description taken so that one body serves both calls; costs nothing */
            proxies?: unknown;
            /** @description taken so that one body serves both calls; costs nothing */
            radius?: unknown;
            /**
             * @description keep only places with, or without, a website of their own
             * @default all
             * @enum {string}
             */
            website_filter?: "all" | "no_website" | "has_website";
            /** @description taken so that one body serves both calls; costs nothing */
            zoom?: unknown;
        };
        /**
         * @description Whether the service can answer.
         * @example {
         *       "status": "ok",
         *       "db": "ok",
         *       "version": "0.1.0"
         *     }
         */
        Health: {
            /** @enum {string} */
            db: "ok" | "down";
            /** @enum {string} */
            status: "ok" | "draining" | "unavailable";
            version: string;
        };
        /**
         * @description A photo of a place.
         * @example {
         *       "title": "Interior",
         *       "url": "https://example.com/interior.jpg"
         *     }
         */
        Image: {
            title?: string;
            url: string;
        };
        /**
         * @description An order and what has come of it so far.
         * @example {
         *       "id": "4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10",
         *       "name": "Dentists in Limassol",
         *       "status": "completed",
         *       "data": {
         *         "keywords": [
         *           "dentist",
         *           "dental clinic"
         *         ],
         *         "language": "en",
         *         "depth": 5,
         *         "include_emails": true,
         *         "max_results": 100,
         *         "website_filter": "no_website",
         *         "lat": "34.6786",
         *         "lon": "33.0413",
         *         "zoom": 14,
         *         "radius": 5000,
         *         "max_images": 0,
         *         "max_reviews": 0,
         *         "max_time": 1800,
         *         "fast_mode": false,
         *         "proxy_count": 0
         *       },
         *       "created_at": "2026-03-02T09:15:00.000Z",
         *       "updated_at": "2026-03-02T09:19:12.000Z",
         *       "started_at": "2026-03-02T09:15:01.000Z",
         *       "ended_at": "2026-03-02T09:19:12.000Z",
         *       "source": "api",
         *       "result_count": 48,
         *       "total_cost": "0.295000",
         *       "progress": {
         *         "discovered": 63,
         *         "collected": 48,
         *         "tasks_total": 6,
         *         "tasks_done": 6
         *       },
         *       "outcomes": {
         *         "ok": 48,
         *         "empty": 0,
         *         "filtered": 12,
         *         "duplicate": 3,
         *         "out_of_area": 0,
         *         "blocked": 0,
         *         "consent": 0,
         *         "limited": 0,
         *         "broken": 0,
         *         "timeout": 0
         *       }
         *     }
         */
        Job: {
            /** @enum {string} */
            cancel_reason?: "user" | "timeout";
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["JobData"];
            /** Format: date-time */
            ended_at?: string;
            /** @description only when failed; begins with an identifier, e.g. `blocked: …` */
            failure_reason?: string;
            /** Format: uuid */
            id: string;
            /** @description as given when it was created */
            name: string;
            outcomes: components["schemas"]["OutcomeCounts"];
            /** @description true when some of its tasks failed and some places were stored */
            partial?: boolean;
            progress: {
                collected: number;
                discovered: number;
                tasks_done: number;
                tasks_total: number;
            };
            /** @description places stored so far */
            result_count: number;
            /**
             * @description made with an API key, or from the dashboard
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
        };
        /**
         * @description The configuration of a job as it was submitted.
         * @example {
         *       "keywords": [
         *         "dentist",
         *         "dental clinic"
         *       ],
         *       "language": "en",
         *       "depth": 5,
         *       "include_emails": true,
         *       "max_results": 100,
         *       "website_filter": "no_website",
         *       "lat": "34.6786",
         *       "lon": "33.0413",
         *       "zoom": 14,
         *       "radius": 5000,
         *       "max_images": 0,
         *       "max_reviews": 0,
         *       "max_time": 1800,
         *       "fast_mode": false,
         *       "proxy_count": 0
         *     }
         */
        JobData: {
            /**
             * @description how far each search goes, in pages of about 20 places
             * @default 5
             */
            depth: number;
            /**
             * @description take what the search itself shows
             * @default false
             */
            fast_mode: boolean;
            /**
             * @description collect emails from business websites
             * @default false
             */
            include_emails: boolean;
            /** @description what to search for, each on its own */
            keywords: string[];
            /**
             * @description of the map site and of what it says about places
             * @enum {string}
             */
            language: "ar" | "bg" | "cs" | "da" | "de" | "el" | "en" | "es" | "et" | "fi" | "fr" | "he" | "hr" | "hu" | "id" | "it" | "ja" | "ko" | "lt" | "lv" | "ms" | "nl" | "no" | "pl" | "pt" | "ro" | "ru" | "sk" | "sl" | "sv" | "th" | "tr" | "uk" | "vi" | "zh";
            /**
             * @description latitude of the middle of the search
             * @default
             */
            lat: string;
            /**
             * @description longitude of the middle of the search
             * @default
             */
            lon: string;
            /**
             * @description images a place; 0 collects none
             * @default 0
             */
            max_images: number;
            /**
             * @description places for the whole job
             * @default 50
             */
            max_results: number;
            /**
             * @description reviews a place; 0 collects none
             * @default 0
             */
            max_reviews: number;
            /**
             * @description seconds from the start until the job is cut off
             * @default 1800
             */
            max_time: number;
            /** @description how many proxies were given; they are never shown */
            proxy_count: number;
            /**
             * @description metres around `lat`, `lon` to keep; 0 is unlimited
             * @default 0
             */
            radius: number;
            /**
             * @description keep only places with, or without, a website of their own
             * @default all
             * @enum {string}
             */
            website_filter: "all" | "no_website" | "has_website";
            /**
             * @description zoom of the map; 0 leaves it to the site
             * @default 0
             */
            zoom: number;
        };
        /**
         * @description Jobs, a page of them.
         * @example {
         *       "jobs": [
         *         {
         *           "id": "4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10",
         *           "name": "Dentists in Limassol",
         *           "status": "completed",
         *           "data": {
         *             "keywords": [
         *               "dentist",
         *               "dental clinic"
         *             ],
         *             "language": "en",
         *             "depth": 5,
         *             "include_emails": true,
         *             "max_results": 100,
         *             "website_filter": "no_website",
         *             "lat": "34.6786",
         *             "lon": "33.0413",
         *             "zoom": 14,
         *             "radius": 5000,
         *             "max_images": 0,
         *             "max_reviews": 0,
         *             "max_time": 1800,
         *             "fast_mode": false,
         *             "proxy_count": 0
         *           },
         *           "created_at": "2026-03-02T09:15:00.000Z",
         *           "updated_at": "2026-03-02T09:19:12.000Z",
         *           "started_at": "2026-03-02T09:15:01.000Z",
         *           "ended_at": "2026-03-02T09:19:12.000Z",
         *           "source": "api",
         *           "result_count": 48,
         *           "total_cost": "0.295000",
         *           "progress": {
         *             "discovered": 63,
         *             "collected": 48,
         *             "tasks_total": 6,
         *             "tasks_done": 6
         *           },
         *           "outcomes": {
         *             "ok": 48,
         *             "empty": 0,
         *             "filtered": 12,
         *             "duplicate": 3,
         *             "out_of_area": 0,
         *             "blocked": 0,
         *             "consent": 0,
         *             "limited": 0,
         *             "broken": 0,
         *             "timeout": 0
         *           }
         *         }
         *       ],
         *       "total": 1,
         *       "page": 1,
         *       "limit": 10,
         *       "has_more": false
         *     }
         */
        JobList: {
            /** @description whether there is a next page */
            has_more: boolean;
            jobs: components["schemas"]["Job"][];
            limit: number;
            page: number;
            /** @description items on all pages */
            total: number;
        };
        /**
         * @description A page about a place.
         * @example {
         *       "link": "https://example.com/book",
         *       "source": "example.com"
         *     }
         */
        Link: {
            link: string;
            source?: string;
        };
        /**
         * @description A key, shown this one time.
         * @example {
         *       "id": "c2f1a0de-0f35-4a0a-8a5c-6f7c1f3b9d42",
         *       "name": "Nightly import",
         *       "key_hint_prefix": "svc_Ab3d",
         *       "key_hint_suffix": "x9Qz",
         *       "key": "svc_Ab3dEfGhIjKlMnOpQrStUvWxYz0123456x9Qz"
         *     }
         */
        NewApiKey: {
            /** Format: uuid */
            id: string;
            /** @description shown this one time */
            key: string;
            /** @description by this end of the key you know it again */
            key_hint_prefix: string;
            /** @description by this end of the key you know it again */
            key_hint_suffix: string;
            name: string;
        };
        /**
         * @description A webhook with its secret, shown this one time.
         * @example {
         *       "id": "7c0b8b0e-2d6c-4e43-9a55-94d1f5e0c3aa",
         *       "name": "Our CRM",
         *       "url": "https://example.com/hooks/jobs",
         *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
         *     }
         */
        NewWebhook: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description deliveries are signed with it; shown this one time */
            secret: string;
            url: string;
        };
        /**
         * @description How the places and pages of a job ended, counted.
         * @example {
         *       "ok": 48,
         *       "empty": 0,
         *       "filtered": 12,
         *       "duplicate": 3,
         *       "out_of_area": 0,
         *       "blocked": 0,
         *       "consent": 0,
         *       "limited": 0,
         *       "broken": 0,
         *       "timeout": 0
         *     }
         */
        OutcomeCounts: {
            /** @description pages the map site refused to show */
            blocked: number;
            /** @description pages that could not be read */
            broken: number;
            /** @description pages that stayed behind the consent form */
            consent: number;
            /** @description places found more than once */
            duplicate: number;
            /** @description searches that found nothing */
            empty: number;
            /** @description places dropped by `website_filter` */
            filtered: number;
            /** @description pages that the map site cut short */
            limited: number;
            /** @description places stored */
            ok: number;
            /** @description places outside `radius` */
            out_of_area: number;
            /** @description pages that did not answer in time */
            timeout: number;
        };
        /**
         * @description The map account that answers for the place. A claimed place has the account's id.
         * @example {
         *       "id": "101234567890",
         *       "name": "Dr. Demo",
         *       "link": "https://example.com/owner"
         *     }
         */
        Owner: {
            id?: string;
            link?: string;
            name?: string;
        };
        /**
         * @description The checkout that was paid.
         * @example {
         *       "session_id": "cs_live_a1b2c3"
         *     }
         */
        ReconcileRequest: {
            /** @description as the checkout was answered */
            session_id: string;
        };
        /**
         * @description A stored place. Fields that are optional are absent when empty.
         * @example {
         *       "id": 1042,
         *       "user_id": "9d3a4c52-7c1b-4f6e-a8a1-3f0e5b7d9c11",
         *       "job_id": "4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10",
         *       "title": "Demo Dental",
         *       "category": "Dentist",
         *       "categories": [
         *         "Dentist",
         *         "Dental clinic"
         *       ],
         *       "address": "12 Anexartisias, Limassol 3036, Cyprus",
         *       "website": "https://facebook.com/demodental",
         *       "phone": "+357 25 000000",
         *       "emails": "hello@example.com, office@example.com",
         *       "web_presence": "social",
         *       "latitude": 34.6786,
         *       "longitude": 33.0413,
         *       "review_count": 87,
         *       "rating": 4.7,
         *       "open_hours": {
         *         "Monday": [
         *           "9 am–5 pm"
         *         ],
         *         "Sunday": [
         *           "Closed"
         *         ]
         *       },
         *       "images": [],
         *       "user_reviews": [],
         *       "created_at": "2026-03-02T09:17:03.000Z"
         *     }
         */
        Result: {
            about?: components["schemas"]["AboutSection"][];
            /** @description empty when the place shows none */
            address: string;
            categories?: string[];
            /** @description empty when the place shows none */
            category: string;
            cid?: string;
            complete_address?: components["schemas"]["CompleteAddress"];
            /** Format: date-time */
            created_at: string;
            credit_cards_accepted?: string[];
            data_id?: string;
            description?: string;
            /** @description comma and space between them; empty when there are none */
            emails: string;
            /** @description unique in the deployment, rising in order of storage */
            id: number;
            images: components["schemas"]["Image"][];
            /** Format: uuid */
            job_id: string;
            latitude?: number;
            link?: string;
            longitude?: number;
            menu?: components["schemas"]["Link"];
            /** @description weekdays in English; times as the site words them */
            open_hours: {
                [key: string]: string[];
            };
            order_online?: components["schemas"]["Link"][];
            owner?: components["schemas"]["Owner"];
            /** @description empty when the place shows none */
            phone: string;
            phones?: string[];
            place_id?: string;
            plus_code?: string;
            popular_times?: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            price_range?: string;
            /** @description 0 when unrated */
            rating: number;
            reservations?: components["schemas"]["Link"][];
            /** @description absent when the site hides it: unknown is not zero */
            review_count?: number;
            reviews_link?: string;
            reviews_per_rating?: {
                [key: string]: number;
            };
            social_links?: {
                [key: string]: string;
            };
            status?: string;
            street_view_url?: string;
            thumbnail?: string;
            timezone?: string;
            title: string;
            user_id: string;
            /** @description those on the page of the place */
            user_reviews: components["schemas"]["Review"][];
            /** @description those paged for */
            user_reviews_extended?: components["schemas"]["Review"][];
            /** @enum {string} */
            web_presence: "none" | "social" | "directory" | "builder" | "booking" | "has";
            /** @description empty when the place shows none */
            website: string;
        };
        /**
         * @description Results of a job, a page of them.
         * @example {
         *       "results": [
         *         {
         *           "id": 1042,
         *           "user_id": "9d3a4c52-7c1b-4f6e-a8a1-3f0e5b7d9c11",
         *           "job_id": "4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10",
         *           "title": "Demo Dental",
         *           "category": "Dentist",
         *           "categories": [
         *             "Dentist",
         *             "Dental clinic"
         *           ],
         *           "address": "12 Anexartisias, Limassol 3036, Cyprus",
         *           "website": "https://facebook.com/demodental",
         *           "phone": "+357 25 000000",
         *           "emails": "hello@example.com, office@example.com",
         *           "web_presence": "social",
         *           "latitude": 34.6786,
         *           "longitude": 33.0413,
         *           "review_count": 87,
         *           "rating": 4.7,
         *           "open_hours": {
         *             "Monday": [
         *               "9 am–5 pm"
         *             ],
         *             "Sunday": [
         *               "Closed"
         *             ]
         *           },
         *           "images": [],
         *           "user_reviews": [],
         *           "created_at": "2026-03-02T09:17:03.000Z"
         *         }
         *       ],
         *       "total": 48,
         *       "page": 1,
         *       "limit": 1,
         *       "has_more": true,
         *       "web_presence_counts": {
         *         "none": 10,
         *         "social": 21,
         *         "directory": 6,
         *         "builder": 7,
         *         "booking": 4,
         *         "has": 0
         *       }
         *     }
         */
        ResultPage: {
            /** @description whether there is a next page */
            has_more: boolean;
            limit: number;
            page: number;
            results: components["schemas"]["Result"][];
            /** @description items on all pages */
            total: number;
            web_presence_counts: components["schemas"]["WebPresenceCounts"];
        };
        /**
         * @description What a visitor wrote about a place.
         * @example {
         *       "id": "r1",
         *       "author": "Ada",
         *       "rating": 5,
         *       "text": "Kind.",
         *       "images": [],
         *       "published_at": "2026-02-11T10:30:00.000Z"
         *     }
         */
        Review: {
            author?: string;
            author_url?: string;
            id: string;
            images: string[];
            language?: string;
            profile_picture?: string;
            /** Format: date-time */
            published_at?: string;
            rating?: number;
            /** @description as the site words it, e.g. "2 months ago" */
            relative_time?: string;
            /** @description the owner's reply */
            reply?: components["schemas"]["ReviewReply"];
            /** @description empty when the visitor gave stars alone */
            text: string;
            /** @description the text as written, when `text` is its translation */
            text_original?: string;
        };
        /**
         * @description What the owner answered to a review.
         * @example {
         *       "text": "Thank you, Ada!",
         *       "published_at": "2026-02-12T08:00:00.000Z"
         *     }
         */
        ReviewReply: {
            /** Format: date-time */
            published_at?: string;
            text?: string;
        };
        /**
         * @description The question was received.
         * @example {
         *       "success": true
         *     }
         */
        SupportRequestReceived: {
            /** @constant */
            success: true;
        };
        /**
         * @description A town of the GeoNames list.
         * @example {
         *       "name": "Limassol",
         *       "country": "CY",
         *       "region": "05",
         *       "lat": 34.68406,
         *       "lon": 33.03794,
         *       "population": 154000
         *     }
         */
        Town: {
            /** @description ISO 3166 code of two letters */
            country: string;
            lat: number;
            lon: number;
            name: string;
            population: number;
            /** @description the region's code within the country; tells towns of one name apart */
            region: string;
        };
        /**
         * @description Towns, the likeliest first.
         * @example {
         *       "towns": [
         *         {
         *           "name": "Limassol",
         *           "country": "CY",
         *           "region": "05",
         *           "lat": 34.68406,
         *           "lon": 33.03794,
         *           "population": 154000
         *         }
         *       ]
         *     }
         */
        TownList: {
            towns: components["schemas"]["Town"][];
        };
        /**
         * @description Why the service cannot answer.
         * @example {
         *       "code": 503,
         *       "message": "The database does not answer.",
         *       "request_id": "b0c0a1f2-9a51-4a53-8c1e-2f6f3d1f7c55",
         *       "status": "unavailable",
         *       "db": "down",
         *       "version": "0.1.0"
         *     }
         */
        Unhealthy: {
            /** @description repeats the HTTP status */
            code: number;
            /** @enum {string} */
            db: "ok" | "down";
            /** @description what is wrong where, for validation failures */
            details?: {
                message: string;
                path: string;
            }[];
            /** @description an identifier for programs, where there is one */
            error?: string;
            /** @description what is wrong and what to do, for people */
            message: string;
            /** @description the same as the header X-Request-Id; name it when you ask for help */
            request_id: string;
            /** @enum {string} */
            status: "ok" | "draining" | "unavailable";
            version: string;
        };
        /**
         * @description What is running.
         * @example {
         *       "version": "0.1.0",
         *       "build_date": "2026-03-01T12:00:00.000Z",
         *       "git_commit_short": "03c7ccf",
         *       "environment": "production"
         *     }
         */
        Version: {
            build_date: string;
            environment: string;
            git_commit_short: string;
            version: string;
        };
        /**
         * @description A URL that is told of the ends of jobs.
         * @example {
         *       "id": "7c0b8b0e-2d6c-4e43-9a55-94d1f5e0c3aa",
         *       "name": "Our CRM",
         *       "url": "https://example.com/hooks/jobs",
         *       "created_at": "2026-03-01T12:00:00.000Z",
         *       "updated_at": "2026-03-01T12:00:00.000Z",
         *       "health_state": "healthy",
         *       "consecutive_failures": 0
         *     }
         */
        Webhook: {
            /** @description deliveries in a row that used up all their attempts */
            consecutive_failures: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            disabled_at?: string;
            /** @enum {string} */
            disabled_reason?: "http_5xx" | "http_4xx" | "transport_error";
            /** @enum {string} */
            health_state: "healthy" | "degraded" | "disabled";
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * Format: date-time
             * @description absent while it is active
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
        /**
         * @description One event for one webhook, and what came of it.
         * @example {
         *       "id": "1f6b8d0c-55b1-4c0f-8c67-1a2b3c4d5e6f",
         *       "event_type": "job.completed",
         *       "job_id": "4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10",
         *       "status": "delivered",
         *       "attempt_count": 1,
         *       "attempts": [
         *         {
         *           "number": 1,
         *           "at": "2026-03-02T09:19:12.500Z",
         *           "status_code": 204,
         *           "duration_ms": 81
         *         }
         *       ],
         *       "created_at": "2026-03-02T09:19:12.000Z",
         *       "ended_at": "2026-03-02T09:19:12.581Z"
         *     }
         */
        WebhookDelivery: {
            attempt_count: number;
            /** @description oldest first, the latest 20 at most */
            attempts: {
                /** Format: date-time */
                at: string;
                /** @description from the look-up of the name to the end of the answer */
                duration_ms?: number;
                /** @description what went wrong, for people; absent after a 2xx and while it is under way */
                error?: string;
                number: number;
                /** @description absent when nothing was answered */
                status_code?: number;
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ended_at?: string;
            /** @enum {string} */
            event_type: "job.completed" | "job.failed" | "job.cancelled" | "webhook.test";
            /**
             * Format: uuid
             * @description the same as X-Webhook-ID
             */
            id: string;
            /**
             * Format: uuid
             * @description absent on a webhook.test
             */
            job_id?: string;
            /**
             * Format: date-time
             * @description while it waits
             */
            next_attempt_at?: string;
            /**
             * @description `dropped`: the webhook was revoked or disabled before
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "dropped";
        };
        /**
         * @description Deliveries of a webhook, a page of them.
         * @example {
         *       "deliveries": [
         *         {
         *           "id": "1f6b8d0c-55b1-4c0f-8c67-1a2b3c4d5e6f",
         *           "event_type": "job.completed",
         *           "job_id": "4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10",
         *           "status": "delivered",
         *           "attempt_count": 1,
         *           "attempts": [
         *             {
         *               "number": 1,
         *               "at": "2026-03-02T09:19:12.500Z",
         *               "status_code": 204,
         *               "duration_ms": 81
         *             }
         *           ],
         *           "created_at": "2026-03-02T09:19:12.000Z",
         *           "ended_at": "2026-03-02T09:19:12.581Z"
         *         }
         *       ],
         *       "total": 1,
         *       "page": 1,
         *       "limit": 20,
         *       "has_more": false
         *     }
         */
        WebhookDeliveryPage: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description whether there is a next page */
            has_more: boolean;
            limit: number;
            page: number;
            /** @description items on all pages */
            total: number;
        };
        /**
         * @description Stored places of the job by tier, whatever filter is active.
         * @example {
         *       "none": 10,
         *       "social": 21,
         *       "directory": 6,
         *       "builder": 7,
         *       "booking": 4,
         *       "has": 0
         *     }
         */
        WebPresenceCounts: {
            booking: number;
            builder: number;
            directory: number;
            has: number;
            none: number;
            social: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
