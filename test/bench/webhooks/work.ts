import { z } from 'zod'

/** The deliveries of a contender, and their receivers. */
export const Work = z.object({
  deliveries: z.int().min(1),
  /** The address and port of each receiver. */
  hosts: z.array(z.string()),
  /** The certificate of their authority, in PEM. */
  ca: z.string(),
  /** For the contender that stores its deliveries. */
  mongoUrl: z.string(),
  /** Whether the bare loop reuses connections. */
  keepAlive: z.boolean(),
})
export type Work = z.infer<typeof Work>

/** Requests in flight to one receiver: as many as a coordinator allows. */
export const PER_RECEIVER = 8
