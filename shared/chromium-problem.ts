import { z } from 'zod'

/**
 * Why Chromium cannot start on a machine. `user_namespaces`, `apparmor` and `filter`: what forbids its sandbox. `other`: an
 * unknown cause.
 */
export const ChromiumCause = z.enum(['root', 'user_namespaces', 'apparmor', 'filter', 'library', 'not_found', 'other'])
export type ChromiumCause = z.infer<typeof ChromiumCause>

/** Why an agent cannot start Chromium, as it reports it. The message says what mends it. */
export const ReportedChromiumProblem = z.object({ cause: ChromiumCause, message: z.string().min(1).max(2_000) }).meta({
  id: 'ChromiumProblem',
  description: 'Why an agent cannot start Chromium, and what mends it.',
  examples: [
    {
      cause: 'library',
      message:
        'Chromium cannot start: the library libnss3.so is missing. Install it (Debian: sudo apt install libnss3).',
    },
  ],
})
export type ReportedChromiumProblem = z.infer<typeof ReportedChromiumProblem>
