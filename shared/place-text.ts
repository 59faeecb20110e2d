import { z } from 'zod'

/** Everything of C0 and C1 but tabs and line feeds: it would move the cursor of a terminal, or rename its window. */
const CONTROLS = /[^\P{Cc}\t\n]/gu

/** A text of the map site or a website, without control characters. */
const plain = () => z.string().overwrite((text) => text.replace(CONTROLS, ''))

// A coordinator enforces these bounds on the places of an agent. They are far above the sizes on the map site, and low
// enough that the largest place stays well under the 4 MB of one gRPC message.
export const line = plain().min(1).max(2_000)
export const address = plain().min(1).max(8_192)
export const paragraph = plain().min(1).max(20_000)
export const timestamp = z.iso.datetime()
