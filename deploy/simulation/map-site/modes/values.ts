import { z } from 'zod'

/** A share or probability, 0 to 1. */
export const share = z.number().min(0).max(1)

/** Milliseconds, at most ten minutes. */
export const milliseconds = z.number().int().min(0).max(600_000)

/** Client addresses as the site sees them, e.g. 127.0.0.5. */
export const addresses = z.array(z.string())
