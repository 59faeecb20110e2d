import { z } from 'zod'
import { share } from './values.ts'

/** Where the choice about cookies is asked for. Sources: CLIENT.md, section 1.3. */
export const CONSENT_MODES = {
  consent: z
    .boolean()
    .default(false)
    .describe('clients without the SOCS cookie are sent to the consent page (EU exits)'),
  consentRate: share
    .default(0)
    .describe('share of requests without the SOCS cookie that are sent there, also outside the EU (serp#2289)'),
  consentElsewhere: z
    .boolean()
    .default(false)
    .describe('the consent page has an origin of its own, as consent.google.com does'),
  decoys: z
    .boolean()
    .default(false)
    .describe(
      'good pages hold a dormant consent panel and the words /sorry/index and enablejs in scripts (GBS classify.py; prodiger 0.1.7)',
    ),
}
