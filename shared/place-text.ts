import { z } from 'zod'

// A coordinator enforces these bounds on the places of an agent. They are far above the sizes on the map site, and low
// enough that the largest place stays well under the 4 MB of one gRPC message.
export const line = z.string().min(1).max(2_000)
export const address = z.string().min(1).max(8_192)
export const paragraph = z.string().min(1).max(20_000)
export const timestamp = z.iso.datetime()
