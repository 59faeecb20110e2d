import { z } from 'zod'
import { share } from './values.ts'

/** When the site asks for consent to cookies. Sources: `SOURCES` in options.ts. */
export const CONSENT_MODES = {
  consent: z
    .boolean()
    .default(false)
    .describe('redirect clients without the SOCS cookie to the consent page (EU exits)'),
  consentRate: share
    .default(0)
    .describe('share of requests without the SOCS cookie that are redirected there, also outside the EU (serp#2289)'),
  consentElsewhere: z
    .boolean()
    .default(false)
    .describe('serve the consent page on a separate origin, like consent.google.com'),
  decoys: z
    .boolean()
    .default(false)
    .describe(
      'pages contain a hidden consent panel, and scripts with the words /sorry/index and enablejs (GBS classify.py; prodiger 0.1.7)',
    ),
}
