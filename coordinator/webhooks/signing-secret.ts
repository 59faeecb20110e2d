import { randomBytes } from 'node:crypto'

/** A new signing secret: `whsec_` and 32 random bytes in base64, the form Standard Webhooks libraries take. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
