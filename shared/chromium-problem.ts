import { z } from 'zod'

/**
 * Why Chromium cannot start on a machine. `user_namespaces`, `apparmor` and `filter`: what forbids its sandbox.
 * `other`: an unknown cause.
 */
export const ChromiumCause = z.enum(['root', 'user_namespaces', 'apparmor', 'filter', 'library', 'not_found', 'other'])
export type ChromiumCause = z.infer<typeof ChromiumCause>

/** Why an agent cannot start Chromium, as it reports it. The message says what mends it. */
export const ReportedChromiumProblem = z.object({ cause: ChromiumCause, message: z.string().min(1).max(2_000) }).meta({
  id: 'ChromiumProblem',
  description: 'Why an agent cannot start Chromium, and what mends it.',
  examples: [
    {
      cause: 'user_namespaces',
      message:
        'Chromium cannot start: it needs user namespaces for its sandbox, and this system allows none. Run: sudo sysctl -w user.max_user_namespaces=15000',
    },
  ],
})
export type ReportedChromiumProblem = z.infer<typeof ReportedChromiumProblem>
