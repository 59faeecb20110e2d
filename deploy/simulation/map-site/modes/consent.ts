import { z } from 'zod'

/** When the site asks for consent to cookies. Where they were seen: sources.ts. */
export const CONSENT_MODES = {
  consent: z.boolean().default(false).describe('redirect clients without the SOCS cookie to the consent page'),
  consentElsewhere: z
    .boolean()
    .default(false)
    .describe('serve the consent page on a separate origin, like consent.google.com'),
  decoys: z
    .boolean()
    .default(false)
    .describe('pages contain a hidden consent panel, and scripts with the words /sorry/index and enablejs'),
}
