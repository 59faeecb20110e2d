import { z } from 'zod'

/** What a contender is to deliver, and where. */
export const Work = z.object({
  deliveries: z.int().min(1),
  /** The receivers: address and port of each. */
  hosts: z.array(z.string()),
  /** The authority that certified them, in PEM. */
  ca: z.string(),
  /** For the contender that stores what it delivers. */
  mongoUrl: z.string(),
  /** Whether connections are used again, for the contender that may. */
  keepAlive: z.boolean(),
})
export type Work = z.infer<typeof Work>

/** Posts under way to one receiver at once: as many as a coordinator allows. */
export const PER_RECEIVER = 8
