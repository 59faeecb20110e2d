// Made by `npm run api:types` from the API's own document; do not edit.

export interface paths {
    "/api/v1/admin/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAgents"];
        put?: never;
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
        post: operations["revokeAgent"];
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
        get: operations["listExits"];
        put?: never;
        post?: never;
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
        post: operations["grantCredits"];
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
        get: operations["listPrices"];
        put?: never;
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
        get: operations["listSupportRequests"];
        put?: never;
        post?: never;
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
        get: operations["listUsers"];
        put?: never;
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
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
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
        get: operations["listApiKeys"];
        put?: never;
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
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
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
        get: operations["listJobs"];
        put?: never;
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
        get: operations["getJob"];
        put?: never;
        post?: never;
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
        get: operations["streamJobEvents"];
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
        get: operations["streamJob"];
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
        get: operations["listKnownPlaces"];
        put?: never;
        post: operations["uploadKnownPlaces"];
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
        get: operations["listMonitors"];
        put?: never;
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
        get: operations["getMonitor"];
        put?: never;
        post?: never;
        delete: operations["deleteMonitor"];
        options?: never;
        head?: never;
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
        get: operations["listWebhooks"];
        put?: never;
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
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
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
        get: operations["listSessions"];
        put?: never;
        post?: never;
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
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AboutOption: {
            enabled: boolean;
            name: string;
            values?: string[];
        };
        AboutSection: {
            id: string;
            name: string;
            options: components["schemas"]["AboutOption"][];
        };
        Agent: {
            block_rate?: number;
            busy?: number;
            chromium_problem?: components["schemas"]["ChromiumProblem"];
            drifted?: string[];
            enrolled: boolean;
            exit?: {
                /** @enum {string} */
                by: "name" | "address" | "forwarded" | "network";
                id: string;
                name: string;
            };
            /** Format: date-time */
            first_seen_at?: string;
            handed_back?: number;
            host?: string;
            id?: string;
            /** Format: date-time */
            last_seen_at?: string;
            name: string;
            places_per_minute: number;
            protocol?: number;
            resting?: {
                count: number;
                /** @enum {string} */
                reason: "blocked" | "consent" | "failed" | "unknown";
            }[];
            running: number;
            slots?: number;
            /** @enum {string} */
            state: "connected" | "draining" | "silent" | "gone" | "enrolled" | "revoked";
            version?: string;
        };
        AgentList: {
            agents: components["schemas"]["Agent"][];
        };
        ApiKey: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            key_hint_prefix: string;
            key_hint_suffix: string;
            /** Format: date-time */
            last_used_at?: string;
            limits?: components["schemas"]["SpendingLimits"];
            name: string;
            /** Format: date-time */
            revoked_at?: string;
            usage_count: number;
        };
        BeginDeviceLogin: {
            client_name: string;
        };
        Change: {
            fields?: {
                [key: string]: {
                    after?: unknown;
                    before?: unknown;
                };
            };
            job_id: string;
            place_key: string;
            /** Format: date-time */
            seen_at: string;
            sequence: number;
            title?: string;
            /** @enum {string} */
            type: "new" | "changed" | "gone" | "back";
        };
        ChangeApiKeyRequest: {
            limits: components["schemas"]["SpendingLimitsInput"];
        };
        ChangeList: {
            changes: components["schemas"]["Change"][];
            has_more: boolean;
        };
        ChangeMonitorRequest: {
            ends_at?: string | null;
            jitter_seconds?: number;
            job?: components["schemas"]["CreateJobRequest"];
            name?: string;
            pause_reason?: string;
            paused?: boolean;
            schedule?: {
                cron: string;
                timezone: string;
            } | {
                every: string;
            };
            watch_ratings?: boolean;
        };
        ChangeWebhookRequest: {
            event_types?: ("job.completed" | "job.failed" | "job.cancelled" | "monitor.paused")[];
            name?: string;
            reenable?: boolean;
            url?: string;
        };
        CheckoutRequest: {
            credits: string;
            /** @constant */
            currency: "USD";
        };
        CheckoutSession: {
            session_id: string;
            /** Format: uri */
            url: string;
        };
        ChromiumProblem: {
            /** @enum {string} */
            cause: "root" | "user_namespaces" | "apparmor" | "filter" | "library" | "not_found" | "other";
            message: string;
        };
        ClaimRequest: {
            token: string;
        };
        CompleteAddress: {
            borough?: string;
            city?: string;
            country?: string;
            postal_code?: string;
            state?: string;
            street?: string;
        };
        CostBatchAnswer: {
            costs: {
                [key: string]: components["schemas"]["CostReport"];
            };
        };
        CostBatchRequest: {
            job_ids: string[];
        };
        CostReport: {
            held_credits: string;
            items: {
                cost_credits: string;
                /** @enum {string} */
                event_type: "job_start" | "place_scraped" | "contact_details" | "review" | "image" | "filters_applied";
                quantity: number;
            }[];
            /** Format: uuid */
            job_id: string;
            total_credits: string;
            total_rounded: number;
        };
        CoverageCells: {
            features: {
                geometry: {
                    coordinates: number[][][];
                    /** @constant */
                    type: "Polygon";
                } | null;
                properties: {
                    divided: boolean;
                    keyword: string;
                    metres?: number;
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
        CoverageCertificate: {
            cells: {
                blocked: number;
                cut: number;
                searched: number;
                smallest_cut_metres?: number;
                unsearched: number;
            };
            /** @enum {string} */
            coverage: "none" | "cells" | "audited";
            estimate?: {
                /** @constant */
                confidence: 0.95;
                high: number;
                low: number;
                method: string;
                total: number;
            };
            found: number;
        };
        CreateApiKeyRequest: {
            limits?: components["schemas"]["SpendingLimitsInput"];
            name: string;
        };
        CreatedJob: {
            /** Format: uuid */
            id: string;
        };
        CreateJobRequest: {
            country?: string;
            /** @enum {string} */
            coverage?: "none" | "cells" | "audited";
            demo?: boolean;
            depth?: number;
            exhaust?: boolean;
            fast_mode?: boolean;
            include_emails?: boolean;
            keywords: string[];
            /** @enum {string} */
            language: "ar" | "bg" | "cs" | "da" | "de" | "el" | "en" | "es" | "et" | "fi" | "fr" | "he" | "hr" | "hu" | "id" | "it" | "ja" | "ko" | "lt" | "lv" | "ms" | "nl" | "no" | "pl" | "pt" | "ro" | "ru" | "sk" | "sl" | "sv" | "th" | "tr" | "uk" | "vi" | "zh";
            lat?: string;
            lon?: string;
            max_cost?: string;
            max_images?: number;
            max_results?: number;
            max_reviews?: number;
            max_time?: number;
            name: string;
            only_new?: boolean;
            proxies?: string[];
            radius?: number;
            recheck_after?: number;
            reviewer_names?: boolean;
            reviews_ratings?: number[];
            /** Format: date */
            reviews_since?: string;
            /** @enum {string} */
            reviews_sort?: "newest" | "relevant" | "highest" | "lowest";
            /** @enum {string} */
            website_filter?: "all" | "no_website" | "has_website";
            zoom?: number;
        };
        CreateMonitorRequest: {
            /** Format: date-time */
            ends_at?: string;
            jitter_seconds?: number;
            job: components["schemas"]["CreateJobRequest"];
            name: string;
            pause_reason?: string;
            paused?: boolean;
            schedule: {
                cron: string;
                timezone: string;
            } | {
                every: string;
            };
            watch_ratings?: boolean;
        };
        CreateSupportRequest: {
            /** @enum {string} */
            category: "bug" | "feature" | "billing" | "account" | "other";
            message: string;
            subject?: string;
        };
        CreateUserRequest: {
            email: string & (unknown & unknown);
        };
        CreateWebhookRequest: {
            event_types?: ("job.completed" | "job.failed" | "job.cancelled" | "monitor.paused")[];
            name: string;
            url: string;
        };
        CreditBalance: {
            available: string;
            credit_balance: string;
            held: string;
            total_credits_purchased: string;
            user_id: string;
        };
        CreditHistory: {
            has_more: boolean;
            limit: number;
            page: number;
            total: number;
            transactions: components["schemas"]["CreditTransaction"][];
        };
        CreditTransaction: {
            amount: string;
            balance_after: string;
            balance_before: string;
            /** Format: date-time */
            created_at: string;
            description: string;
            /** Format: uuid */
            id: string;
            reference_id: string;
            reference_type: string;
            /** @enum {string} */
            type: "purchase" | "consumption" | "bonus" | "refund" | "adjustment" | "refund_deficit" | "deficit_paydown";
        };
        CurrentSession: {
            /** @constant */
            csrf: "same-origin";
            /** Format: date-time */
            expires_at: string;
            limits: {
                active_jobs: number;
                burst: number;
                requests_per_second: number;
            };
            user: {
                email: string;
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                role: "user" | "operator";
            };
        };
        DailySpending: {
            days: {
                credits: string;
                /** Format: date */
                date: string;
            }[];
        };
        Dashboard: {
            kpi: {
                active_jobs: number;
                jobs_today: number;
                places_scraped_total: number;
            };
            recent_jobs: {
                /** Format: date-time */
                created_at: string;
                /** Format: uuid */
                id: string;
                name: string;
                result_count: number;
                /** @enum {string} */
                source: "api" | "web";
                /** @enum {string} */
                status: "pending" | "running" | "completed" | "failed" | "cancelled" | "aborting";
                total_cost: string;
                /** Format: date-time */
                updated_at: string;
            }[];
        };
        DeadTask: {
            agent?: string;
            agent_id?: string;
            detail?: string;
            /** Format: date-time */
            ended_at?: string;
            failures: number;
            id: string;
            /** Format: uuid */
            job_id: string;
            keyword?: string;
            /** @enum {string} */
            kind: "discover" | "collect";
            message?: string;
            ordinal: number;
            reason?: string;
        };
        DeadTaskList: {
            tasks: components["schemas"]["DeadTask"][];
        };
        DeviceKey: {
            key: string;
        };
        DeviceLogin: {
            client_name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            user_code: string;
        };
        DeviceLoginCodes: {
            device_code: string;
            expires_in: number;
            interval: number;
            user_code: string;
            /** Format: uri */
            verification_uri: string;
            /** Format: uri */
            verification_uri_complete: string;
        };
        Diagnosis: {
            advice: string[];
            checks: {
                detail: string;
                name: string;
                ok: boolean;
                warning?: boolean;
            }[];
            failed_tasks: components["schemas"]["DeadTask"][];
            healthy: boolean;
        };
        Dish: {
            image?: string;
            name: string;
        };
        DownloadLink: {
            /** Format: date-time */
            expires_at: string;
            url: string;
        };
        DownloadLinkRequest: {
            columns?: string | string[];
            /** @enum {string} */
            format: "csv" | "xlsx" | "jsonl" | "geojson" | "parquet";
            web_presence?: string | string[];
        };
        EmailDetail: {
            email: string;
            generic: boolean;
            mx?: boolean;
        };
        EnrolAgentRequest: {
            name: string;
        };
        EnrolledAgent: {
            command: string;
            environment: string;
            name: string;
            token: string;
        };
        Error: {
            code: number;
            details?: {
                message: string;
                path: string;
            }[];
            error: string;
            message: string;
            request_id: string;
        };
        Estimate: {
            audit_searches?: number;
            breakdown: {
                contact_details_cost: number;
                filter_cost: number;
                images_cost: number;
                job_start_cost: number;
                places_cost: number;
                reviews_cost: number;
            };
            /** @constant */
            currency: "credits";
            description: string;
            expires_at: number;
            images: number;
            includes_emails: boolean;
            keyword_count: number;
            max_results_provided: boolean;
            /** @constant */
            object: "job_estimate";
            places: number;
            places_known?: number;
            places_max: number;
            places_min: number;
            places_per_keyword: number;
            places_within_max_cost?: number;
            reviews: number;
            seconds: {
                high: number;
                likely: number;
                low: number;
            };
            time_assumes: {
                exits: number;
                requests: number;
                requests_per_minute: {
                    first: number;
                    most: number;
                };
            };
            total: number;
            total_max: number;
            total_min: number;
            unit_prices: {
                contact_details: number;
                filters_applied: number;
                image: number;
                job_start: number;
                place_scraped: number;
                review: number;
            };
        };
        EstimateAnswer: {
            balance: {
                current: number;
                sufficient: boolean;
            };
            estimate: components["schemas"]["Estimate"];
        };
        EstimateRequest: {
            country?: unknown;
            /** @enum {string} */
            coverage?: "none" | "cells" | "audited";
            demo?: boolean;
            depth?: number;
            exhaust?: boolean;
            fast_mode?: unknown;
            include_emails?: boolean;
            keywords: string[];
            language?: unknown;
            lat?: unknown;
            lon?: unknown;
            max_cost?: string;
            max_images?: number;
            max_results?: number;
            max_reviews?: number;
            max_time?: unknown;
            name?: unknown;
            only_new?: boolean;
            proxies?: unknown;
            radius?: unknown;
            recheck_after?: number;
            reviewer_names?: unknown;
            reviews_ratings?: unknown;
            reviews_since?: unknown;
            reviews_sort?: unknown;
            /** @enum {string} */
            website_filter?: "all" | "no_website" | "has_website";
            zoom?: unknown;
        };
        Exit: {
            agents: string[];
            id: string;
            /** @enum {string} */
            kind: "direct" | "proxy";
            /** @enum {string} */
            known_by?: "name" | "address" | "forwarded" | "network";
            last_verdict?: string;
            name?: string;
            rate_per_minute: number;
            /** @enum {string} */
            resting_reason?: "blocked" | "consent" | "failed" | "unknown";
            /** Format: date-time */
            resting_until?: string;
            verdicts: {
                [key: string]: number;
            };
        };
        ExitList: {
            exits: components["schemas"]["Exit"][];
        };
        Grant: {
            amount: string;
            /** Format: date-time */
            created_at: string;
            credit_balance: string;
            description: string;
            /** Format: uuid */
            id: string;
            reference_id: string;
            repeated: boolean;
            type: string;
            /** Format: uuid */
            user_id: string;
        };
        GrantRequest: {
            amount: string;
            reason: string;
            reference?: string;
            /** @enum {string} */
            type?: "bonus" | "adjustment";
            user: string;
        };
        Health: {
            /** @enum {string} */
            db: "ok" | "down";
            /** @constant */
            queue?: "down";
            /** @enum {string} */
            status: "ok" | "draining" | "unavailable";
            version: string;
        };
        Image: {
            title?: string;
            url: string;
        };
        Job: {
            /** @enum {string} */
            cancel_reason?: "user" | "timeout";
            coverage?: {
                estimate?: {
                    /** @constant */
                    confidence: 0.95;
                    high: number;
                    low: number;
                    total: number;
                };
                exhausted: boolean;
                found: number;
            };
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["JobData"];
            /** Format: date-time */
            ended_at?: string;
            failure_reason?: string;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            limited_reason?: "chromium_unavailable";
            /** Format: uuid */
            monitor_id?: string;
            name: string;
            outcomes: components["schemas"]["OutcomeCounts"];
            partial?: boolean;
            /** @enum {string} */
            partial_reason?: "max_cost" | "max_results" | "max_time" | "blocked";
            progress: {
                collected: number;
                discovered: number;
                /** Format: date-time */
                eta?: string;
                tasks_done: number;
                tasks_total: number;
                /** @enum {string} */
                waiting_reason?: "blocked" | "no_agent";
                /** Format: date-time */
                waiting_until?: string;
            };
            result_count: number;
            /** @enum {string} */
            source: "api" | "web";
            /** Format: date-time */
            started_at?: string;
            /** @enum {string} */
            status: "pending" | "running" | "completed" | "failed" | "cancelled" | "aborting";
            total_cost: string;
            /** Format: date-time */
            updated_at: string;
            website_visits?: components["schemas"]["WebsiteVisits"];
        };
        JobData: {
            country?: string;
            /** @enum {string} */
            coverage?: "none" | "cells" | "audited";
            demo?: boolean;
            /** @default 5 */
            depth: number;
            exhaust?: boolean;
            /** @default false */
            fast_mode: boolean;
            /** @default false */
            include_emails: boolean;
            keywords: string[];
            /** @enum {string} */
            language: "ar" | "bg" | "cs" | "da" | "de" | "el" | "en" | "es" | "et" | "fi" | "fr" | "he" | "hr" | "hu" | "id" | "it" | "ja" | "ko" | "lt" | "lv" | "ms" | "nl" | "no" | "pl" | "pt" | "ro" | "ru" | "sk" | "sl" | "sv" | "th" | "tr" | "uk" | "vi" | "zh";
            /** @default  */
            lat: string;
            /** @default  */
            lon: string;
            max_cost?: string;
            /** @default 0 */
            max_images: number;
            max_results: number;
            /** @default 0 */
            max_reviews: number;
            max_time: number;
            only_new?: boolean;
            proxy_count: number;
            /** @default 0 */
            radius: number;
            recheck_after?: number;
            /** @default true */
            reviewer_names: boolean;
            reviews_ratings?: number[];
            /** Format: date */
            reviews_since?: string;
            /**
             * @default newest
             * @enum {string}
             */
            reviews_sort: "newest" | "relevant" | "highest" | "lowest";
            /**
             * @default all
             * @enum {string}
             */
            website_filter: "all" | "no_website" | "has_website";
            /** @default 0 */
            zoom: number;
        };
        JobDeliveries: {
            deliveries: {
                attempt_count: number;
                attempts: {
                    /** Format: date-time */
                    at: string;
                    duration_ms?: number;
                    error?: string;
                    headers?: {
                        [key: string]: string;
                    };
                    number: number;
                    response_body?: string;
                    status_code?: number;
                }[];
                body: string;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                ended_at?: string;
                /** @enum {string} */
                event_type: "job.completed" | "job.failed" | "job.cancelled" | "monitor.paused" | "webhook.test";
                headers?: {
                    [key: string]: string;
                };
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                job_id?: string;
                /** Format: date-time */
                next_attempt_at?: string;
                /** @enum {string} */
                status: "pending" | "delivered" | "failed" | "dropped";
                /** Format: uuid */
                webhook_id: string;
            }[];
        };
        JobList: {
            has_more: boolean;
            jobs: components["schemas"]["Job"][];
            limit: number;
            page: number;
            total: number;
        };
        KnownPlace: {
            /** Format: date-time */
            collected_at: string;
            /** Format: date-time */
            first_seen_at: string;
            last_job_id?: string;
            /** Format: date-time */
            last_seen_at: string;
            place_key: string;
        };
        KnownPlaceList: {
            has_more: boolean;
            known_places: components["schemas"]["KnownPlace"][];
        };
        Link: {
            link: string;
            source?: string;
        };
        Live: {
            /** @constant */
            status: "ok";
        };
        Monitor: {
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ends_at?: string;
            /** Format: uuid */
            id: string;
            jitter_seconds: number;
            job: {
                country?: string;
                /** @enum {string} */
                coverage?: "none" | "cells" | "audited";
                demo?: boolean;
                /** @default 5 */
                depth: number;
                exhaust?: boolean;
                /** @default false */
                fast_mode: boolean;
                /** @default false */
                include_emails: boolean;
                keywords: string[];
                /** @enum {string} */
                language: "ar" | "bg" | "cs" | "da" | "de" | "el" | "en" | "es" | "et" | "fi" | "fr" | "he" | "hr" | "hu" | "id" | "it" | "ja" | "ko" | "lt" | "lv" | "ms" | "nl" | "no" | "pl" | "pt" | "ro" | "ru" | "sk" | "sl" | "sv" | "th" | "tr" | "uk" | "vi" | "zh";
                /** @default  */
                lat: string;
                /** @default  */
                lon: string;
                max_cost?: string;
                /** @default 0 */
                max_images: number;
                max_results: number;
                /** @default 0 */
                max_reviews: number;
                max_time: number;
                name: string;
                only_new?: boolean;
                proxy_count: number;
                /** @default 0 */
                radius: number;
                recheck_after?: number;
                /** @default true */
                reviewer_names: boolean;
                reviews_ratings?: number[];
                /** Format: date */
                reviews_since?: string;
                /**
                 * @default newest
                 * @enum {string}
                 */
                reviews_sort: "newest" | "relevant" | "highest" | "lowest";
                /**
                 * @default all
                 * @enum {string}
                 */
                website_filter: "all" | "no_website" | "has_website";
                /** @default 0 */
                zoom: number;
            };
            knows_area: boolean;
            last_run?: components["schemas"]["MonitorRun"];
            name: string;
            next_runs: string[];
            pause_reason?: string;
            paused: boolean;
            schedule: {
                cron: string;
                timezone: string;
            } | {
                every: string;
            };
            /** Format: date-time */
            updated_at: string;
            watch_ratings: boolean;
        };
        MonitorList: {
            monitors: components["schemas"]["Monitor"][];
        };
        MonitorRun: {
            back: number;
            changed: number;
            cost: string;
            /** Format: date-time */
            due_at: string;
            /** Format: date-time */
            ended_at?: string;
            gone: number;
            job_id?: string;
            new: number;
            places: number;
            reason?: string;
            /** Format: date-time */
            started_at?: string;
            /** @enum {string} */
            state: "due" | "started" | "completed" | "failed" | "cancelled" | "skipped";
        };
        MonitorRuns: {
            runs: components["schemas"]["MonitorRun"][];
        };
        NewApiKey: {
            /** Format: uuid */
            id: string;
            key: string;
            key_hint_prefix: string;
            key_hint_suffix: string;
            name: string;
        };
        NewSignInLink: {
            /** Format: date-time */
            expires_at: string;
            url: string;
        };
        NewWebhook: {
            /** Format: uuid */
            id: string;
            name: string;
            secret: string;
            url: string;
        };
        OutcomeCounts: {
            blocked: number;
            broken: number;
            consent: number;
            duplicate: number;
            empty: number;
            filtered: number;
            known: number;
            limited: number;
            ok: number;
            out_of_area: number;
            timeout: number;
        };
        Owner: {
            id?: string;
            link?: string;
            name?: string;
        };
        Post: {
            image?: string;
            link?: string;
            /** Format: date-time */
            published_at?: string;
            text: string;
        };
        PriceLine: {
            /** Format: date-time */
            from?: string;
            prices: {
                contact_details: string;
                filters_applied: string;
                image: string;
                job_start: string;
                place_scraped: string;
                review: string;
            };
            /** @enum {string} */
            state: "past" | "in force" | "coming";
        };
        PriceList: {
            prices: components["schemas"]["PriceLine"][];
        };
        PricePreview: {
            /** Format: date-time */
            at: string;
            prices: {
                contact_details: string;
                filters_applied: string;
                image: string;
                job_start: string;
                place_scraped: string;
                review: string;
            };
            /** Format: date-time */
            until?: string;
        };
        Question: {
            answers: string[];
            question: string;
        };
        Queue: {
            fleet: {
                busy: number;
                connected: number;
                draining: number;
                resting: {
                    [key: string]: number;
                };
                silent: number;
                slots: number;
            };
            jobs: {
                aborting: number;
                late: number;
                oldest?: {
                    age: number;
                    /** Format: uuid */
                    job_id: string;
                    /** @enum {string} */
                    status: "pending" | "running" | "completed" | "failed" | "cancelled" | "aborting";
                };
                pending: number;
                running: number;
            };
            listening?: number;
            messages?: number;
            tasks: {
                refused: number;
                released: number;
                running: number;
                unclaimed: number;
                waiting: number;
            };
        };
        ReconcileRequest: {
            session_id: string;
        };
        RedeemDeviceLogin: {
            device_code: string;
        };
        RedeemSignInLink: {
            token: string;
        };
        Result: {
            about?: components["schemas"]["AboutSection"][];
            address: string;
            also_searched?: components["schemas"]["SimilarPlace"][];
            booking_links?: components["schemas"]["Link"][];
            categories?: string[];
            category: string;
            cid?: string;
            claimed?: boolean;
            /** @enum {string} */
            closed?: "permanently" | "temporarily";
            complete_address?: components["schemas"]["CompleteAddress"];
            /** Format: date-time */
            created_at: string;
            credit_cards_accepted?: string[];
            data_id?: string;
            description?: string;
            email_details?: components["schemas"]["EmailDetail"][];
            email_list?: string[];
            emails: string;
            id: number;
            images: components["schemas"]["Image"][];
            /** Format: uuid */
            job_id: string;
            latitude?: number;
            link?: string;
            local_address?: string;
            local_title?: string;
            longitude?: number;
            menu?: components["schemas"]["Link"];
            open_hours: {
                [key: string]: string[];
            };
            order_online?: components["schemas"]["Link"][];
            owner?: components["schemas"]["Owner"];
            phone: string;
            phone_e164?: string;
            phones?: string[];
            place_id?: string;
            plus_code?: string;
            popular_dishes?: components["schemas"]["Dish"][];
            popular_times?: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            posts?: components["schemas"]["Post"][];
            price_range?: string;
            questions?: components["schemas"]["Question"][];
            rating: number;
            reservations?: components["schemas"]["Link"][];
            review_count?: number;
            review_topics?: components["schemas"]["ReviewTopic"][];
            reviews_link?: string;
            reviews_per_rating?: {
                [key: string]: number;
            };
            services?: components["schemas"]["ServiceGroup"][];
            social_links?: {
                [key: string]: string;
            };
            status?: string;
            street_view_url?: string;
            thumbnail?: string;
            time_spent?: string;
            timezone?: string;
            title: string;
            user_id: string;
            user_reviews: components["schemas"]["Review"][];
            user_reviews_extended?: components["schemas"]["Review"][];
            /** @enum {string} */
            web_presence: "none" | "social" | "directory" | "builder" | "booking" | "has";
            website: string;
        };
        ResultPage: {
            has_more: boolean;
            limit: number;
            page: number;
            results: components["schemas"]["Result"][];
            total: number;
            web_presence_counts: components["schemas"]["WebPresenceCounts"];
        };
        RetriedDeliveries: {
            retried: number;
        };
        RetryFailedRequest: {
            /** Format: date-time */
            since: string;
        };
        Review: {
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
            relative_time?: string;
            reply?: components["schemas"]["ReviewReply"];
            text: string;
            text_original?: string;
            videos?: string[];
        };
        ReviewAnswer: {
            choices?: string[];
            id: string;
            name?: string;
            rating?: number;
        };
        ReviewReply: {
            /** Format: date-time */
            published_at?: string;
            text?: string;
        };
        ReviewTopic: {
            count: number;
            topic: string;
        };
        Service: {
            description?: string;
            name: string;
            price?: string;
        };
        ServiceGroup: {
            items: components["schemas"]["Service"][];
            name: string;
        };
        Session: {
            /** Format: date-time */
            created_at: string;
            current: boolean;
            /** Format: date-time */
            expires_at: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            last_used_at: string;
            /** @enum {string} */
            signed_in_by: "link" | "oidc";
            user_agent?: string;
        };
        SetPricesRequest: {
            contact_details?: string;
            filters_applied?: string;
            /** Format: date-time */
            from: string;
            image?: string;
            job_start?: string;
            place_scraped?: string;
            review?: string;
        };
        SetRoleRequest: {
            /** @enum {string} */
            role: "user" | "operator";
        };
        SignInProviders: {
            providers: {
                /** @enum {string} */
                failure?: "not_configured" | "provider_unavailable" | "provider_mismatch" | "access_denied" | "cookie_missing" | "flow_expired" | "provider_refused" | "id_token_invalid" | "email_missing" | "email_not_verified" | "email_taken" | "domain_not_allowed" | "signup_disabled";
                login_path: string;
                name: string;
            }[];
        };
        SimilarPlace: {
            place_id?: string;
            rating?: number;
            title: string;
        };
        SpendingLimits: {
            day?: string;
            month?: string;
        };
        SpendingLimitsInput: {
            day?: string;
            month?: string;
        };
        StartedRun: {
            /** Format: uuid */
            job_id: string;
        };
        SupportList: {
            requests: components["schemas"]["SupportRequest"][];
        };
        SupportRequest: {
            /** @enum {string} */
            category: "bug" | "feature" | "billing" | "account" | "other";
            /** Format: date-time */
            created_at: string;
            email?: string;
            /** Format: uuid */
            id: string;
            message: string;
            subject?: string;
            /** Format: uuid */
            user_id: string;
        };
        SupportRequestReceived: {
            /** @constant */
            success: true;
        };
        Town: {
            country: string;
            lat: number;
            lon: number;
            name: string;
            population: number;
            region: string;
        };
        TownList: {
            towns: components["schemas"]["Town"][];
        };
        Unhealthy: {
            code: number;
            /** @enum {string} */
            db: "ok" | "down";
            details?: {
                message: string;
                path: string;
            }[];
            error: string;
            message: string;
            /** @constant */
            queue?: "down";
            request_id: string;
            /** @enum {string} */
            status: "ok" | "draining" | "unavailable";
            version: string;
        };
        UnknownAnswer: {
            agent: string;
            id: string;
            path: string;
            /** Format: date-time */
            seen_at: string;
            status: number;
            text: string;
        };
        UnknownAnswerList: {
            answers: components["schemas"]["UnknownAnswer"][];
        };
        UploadedPlaces: {
            added: number;
            already_known: number;
            unreadable: number;
        };
        User: {
            /** Format: date-time */
            created_at: string;
            email: string;
            /** Format: uuid */
            id: string;
            linked: boolean;
            paid: boolean;
            /** @enum {string} */
            role: "user" | "operator";
        };
        UserList: {
            has_more: boolean;
            limit: number;
            page: number;
            total: number;
            users: components["schemas"]["User"][];
        };
        Version: {
            build_date: string;
            environment: string;
            git_commit_short: string;
            version: string;
        };
        Webhook: {
            consecutive_failures: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            disabled_at?: string;
            /** @enum {string} */
            disabled_reason?: "http_5xx" | "http_4xx" | "transport_error";
            event_types: ("job.completed" | "job.failed" | "job.cancelled" | "monitor.paused")[];
            /** @enum {string} */
            health_state: "healthy" | "degraded" | "disabled";
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            revoked_at?: string;
            /** Format: date-time */
            updated_at: string;
            url: string;
            /** Format: date-time */
            verified_at?: string;
        };
        WebhookDelivery: {
            attempt_count: number;
            attempts: {
                /** Format: date-time */
                at: string;
                duration_ms?: number;
                error?: string;
                headers?: {
                    [key: string]: string;
                };
                number: number;
                response_body?: string;
                status_code?: number;
            }[];
            body: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ended_at?: string;
            /** @enum {string} */
            event_type: "job.completed" | "job.failed" | "job.cancelled" | "monitor.paused" | "webhook.test";
            headers?: {
                [key: string]: string;
            };
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            job_id?: string;
            /** Format: date-time */
            next_attempt_at?: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "dropped";
        };
        WebhookDeliveryPage: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            has_more: boolean;
            limit: number;
            page: number;
            total: number;
        };
        WebPresenceCounts: {
            booking: number;
            builder: number;
            directory: number;
            has: number;
            none: number;
            social: number;
        };
        WebsiteVisits: {
            blocked: number;
            none: number;
            ok: number;
            robots: number;
            timeout: number;
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
    listAgents: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
            201: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getDiagnosis: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExitList"];
                };
            };
        };
    };
    grantCredits: {
        parameters: {
            query?: never;
            header?: {
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
            201: {
                headers: {
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Grant"];
                };
            };
        };
    };
    listPrices: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
            201: {
                headers: {
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
                at: string;
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                limit?: number;
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupportList"];
                };
            };
        };
    };
    listDeadTasks: {
        parameters: {
            query?: {
                job_id?: string;
                limit?: number;
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                limit?: number;
                page?: number;
                search?: string;
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
            201: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
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
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
            201: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
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
            204: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
            200: {
                headers: {
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
                limit?: number;
                page?: number;
                type?: "" | "purchase" | "consumption" | "bonus" | "refund" | "adjustment" | "refund_deficit" | "deficit_paydown";
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
            204: {
                headers: {
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
                days?: number;
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                limit?: number;
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                after?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                search?: string;
                sort?: "created_at" | "name" | "status" | "updated_at";
                status?: "pending" | "running" | "completed" | "failed" | "cancelled" | "aborting";
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "Idempotency-Key"?: string;
                traceparent?: string;
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
            201: {
                headers: {
                    "Idempotent-Replayed"?: string;
                    Location?: string;
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
                wait?: number;
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                format?: "json" | "geojson";
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                bom?: "true" | "false";
                columns?: string;
                delimiter?: "comma" | "semicolon";
                expires?: string;
                format?: "csv" | "xlsx" | "jsonl" | "geojson" | "parquet";
                signature?: string;
                web_presence?: string;
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": {
                        features: {
                            geometry: {
                                coordinates: number[];
                                /** @enum {string} */
                                type: "Point";
                            } | null;
                            id: number;
                            properties: {
                                about?: components["schemas"]["AboutSection"][];
                                address?: string;
                                also_searched?: components["schemas"]["SimilarPlace"][];
                                booking_links?: components["schemas"]["Link"][];
                                categories?: string[];
                                category?: string;
                                cid?: string;
                                claimed?: boolean;
                                /** @enum {string} */
                                closed?: "permanently" | "temporarily";
                                complete_address?: components["schemas"]["CompleteAddress"];
                                /** Format: date-time */
                                created_at?: string;
                                credit_cards_accepted?: string[];
                                data_id?: string;
                                description?: string;
                                email_details?: components["schemas"]["EmailDetail"][];
                                email_list?: string[];
                                emails?: string;
                                id?: number;
                                images?: components["schemas"]["Image"][];
                                /** Format: uuid */
                                job_id?: string;
                                latitude?: number;
                                link?: string;
                                local_address?: string;
                                local_title?: string;
                                longitude?: number;
                                menu?: components["schemas"]["Link"];
                                open_hours?: {
                                    [key: string]: string[];
                                };
                                order_online?: components["schemas"]["Link"][];
                                owner?: components["schemas"]["Owner"];
                                phone?: string;
                                phone_e164?: string;
                                phones?: string[];
                                place_id?: string;
                                plus_code?: string;
                                popular_dishes?: components["schemas"]["Dish"][];
                                popular_times?: {
                                    [key: string]: {
                                        [key: string]: number;
                                    };
                                };
                                posts?: components["schemas"]["Post"][];
                                price_range?: string;
                                questions?: components["schemas"]["Question"][];
                                rating?: number;
                                reservations?: components["schemas"]["Link"][];
                                review_count?: number;
                                review_topics?: components["schemas"]["ReviewTopic"][];
                                reviews_link?: string;
                                reviews_per_rating?: {
                                    [key: string]: number;
                                };
                                services?: components["schemas"]["ServiceGroup"][];
                                social_links?: {
                                    [key: string]: string;
                                };
                                status?: string;
                                street_view_url?: string;
                                thumbnail?: string;
                                time_spent?: string;
                                timezone?: string;
                                title?: string;
                                user_id?: string;
                                user_reviews?: components["schemas"]["Review"][];
                                user_reviews_extended?: components["schemas"]["Review"][];
                                /** @enum {string} */
                                web_presence?: "none" | "social" | "directory" | "builder" | "booking" | "has";
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
                "X-Request-Id"?: string;
            };
            path: {
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
            200: {
                headers: {
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
                after?: number;
                places?: "true" | "false";
            };
            header?: {
                "Last-Event-ID"?: string;
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        data: string;
                        id: string;
                        retry: number;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            204: {
                headers: {
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listJobResults: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
                web_presence?: string;
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                after?: number;
                places?: "true" | "false";
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": {
                        place: components["schemas"]["Result"];
                        position: number;
                        /** @enum {string} */
                        type: "place";
                    } | {
                        outcomes: components["schemas"]["OutcomeCounts"];
                        progress: {
                            collected: number;
                            discovered: number;
                            /** Format: date-time */
                            eta?: string;
                            tasks_done: number;
                            tasks_total: number;
                            /** @enum {string} */
                            waiting_reason?: "blocked" | "no_agent";
                            /** Format: date-time */
                            waiting_until?: string;
                        };
                        result_count: number;
                        /** @enum {string} */
                        status: "pending" | "running" | "completed" | "failed" | "cancelled" | "aborting";
                        total_cost: string;
                        /** @enum {string} */
                        type: "progress";
                    } | {
                        /** @enum {string} */
                        status: "pending" | "running" | "completed" | "failed" | "cancelled" | "aborting";
                        /** @enum {string} */
                        type: "end";
                    };
                };
            };
        };
    };
    getCostsOfJobs: {
        parameters: {
            query?: never;
            header?: {
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
            200: {
                headers: {
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
            200: {
                headers: {
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
                after?: string;
                limit?: number;
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "Idempotency-Key"?: string;
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
            201: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
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
            200: {
                headers: {
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
                after?: number;
                before?: number;
                limit?: number;
                order?: "asc" | "desc";
                since?: string;
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                format?: "csv" | "jsonl";
                since?: string;
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "Idempotency-Key"?: string;
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    "Idempotent-Replayed"?: string;
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
                limit?: number;
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                limit?: number;
                offset?: number;
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                bom?: "true" | "false";
                columns?: string;
                delimiter?: "comma" | "semicolon";
                format?: "csv" | "xlsx" | "jsonl" | "geojson" | "parquet";
                monitor_id?: string;
                search?: string;
                web_presence?: string;
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": {
                        features: {
                            geometry: {
                                coordinates: number[];
                                /** @enum {string} */
                                type: "Point";
                            } | null;
                            id: number;
                            properties: {
                                about?: components["schemas"]["AboutSection"][];
                                address?: string;
                                also_searched?: components["schemas"]["SimilarPlace"][];
                                booking_links?: components["schemas"]["Link"][];
                                categories?: string[];
                                category?: string;
                                cid?: string;
                                claimed?: boolean;
                                /** @enum {string} */
                                closed?: "permanently" | "temporarily";
                                complete_address?: components["schemas"]["CompleteAddress"];
                                /** Format: date-time */
                                created_at?: string;
                                credit_cards_accepted?: string[];
                                data_id?: string;
                                description?: string;
                                email_details?: components["schemas"]["EmailDetail"][];
                                email_list?: string[];
                                emails?: string;
                                id?: number;
                                images?: components["schemas"]["Image"][];
                                /** Format: uuid */
                                job_id?: string;
                                latitude?: number;
                                link?: string;
                                local_address?: string;
                                local_title?: string;
                                longitude?: number;
                                menu?: components["schemas"]["Link"];
                                open_hours?: {
                                    [key: string]: string[];
                                };
                                order_online?: components["schemas"]["Link"][];
                                owner?: components["schemas"]["Owner"];
                                phone?: string;
                                phone_e164?: string;
                                phones?: string[];
                                place_id?: string;
                                plus_code?: string;
                                popular_dishes?: components["schemas"]["Dish"][];
                                popular_times?: {
                                    [key: string]: {
                                        [key: string]: number;
                                    };
                                };
                                posts?: components["schemas"]["Post"][];
                                price_range?: string;
                                questions?: components["schemas"]["Question"][];
                                rating?: number;
                                reservations?: components["schemas"]["Link"][];
                                review_count?: number;
                                review_topics?: components["schemas"]["ReviewTopic"][];
                                reviews_link?: string;
                                reviews_per_rating?: {
                                    [key: string]: number;
                                };
                                services?: components["schemas"]["ServiceGroup"][];
                                social_links?: {
                                    [key: string]: string;
                                };
                                status?: string;
                                street_view_url?: string;
                                thumbnail?: string;
                                time_spent?: string;
                                timezone?: string;
                                title?: string;
                                user_id?: string;
                                user_reviews?: components["schemas"]["Review"][];
                                user_reviews_extended?: components["schemas"]["Review"][];
                                /** @enum {string} */
                                web_presence?: "none" | "social" | "directory" | "builder" | "booking" | "has";
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
            200: {
                headers: {
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
                limit?: number;
                search: string;
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
            201: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
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
            204: {
                headers: {
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
                event_type?: "job.completed" | "job.failed" | "job.cancelled" | "monitor.paused" | "webhook.test";
                limit?: number;
                page?: number;
                status?: "pending" | "delivered" | "failed" | "dropped";
            };
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                delivery_id: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
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
            202: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
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
            204: {
                headers: {
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
            201: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                user_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                user_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                user_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
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
            200: {
                headers: {
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
            204: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
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
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Live"];
                };
            };
        };
    };
}
