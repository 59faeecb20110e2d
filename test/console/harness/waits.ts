import type { Page } from 'playwright'

/** Machines that run these tests are busy. */
export const SOON = { timeout: 60_000 }

/** A job of the simulated city ends within this time. */
export const JOB_ENDS = { timeout: 80_000 }

/** Returns the state of the job on a page. */
export const statusOf = (page: Page) =>
  page.getByRole('status').filter({ hasText: /completed|running|pending|failed|cancelled/ })
