import { z } from 'zod'

/** Why a sign-in through an identity provider failed. The console has a text for each. */
export const SignInFailure = z.enum([
  'not_configured', // no identity provider is set
  'provider_unavailable', // it does not answer
  'provider_mismatch', // it answers, but its issuer differs from OIDC_ISSUER
  'access_denied', // the person or the provider refused
  'cookie_missing', // cookies are blocked, or the console was opened by another name than PUBLIC_URL
  'flow_expired', // it took over ten minutes, was completed before, or began in another browser
  'provider_refused', // it rejected the code, our client id, our secret or the redirect URI
  'id_token_invalid', // the ID token of the provider cannot be trusted
  'email_missing', // the provider gives no email
  'email_not_verified', // the provider does not say that the email is verified
  'email_taken', // the account with this email is linked to another person at the provider
  'domain_not_allowed', // not in OIDC_ALLOWED_DOMAINS
  'signup_disabled', // no account has this email, and OIDC_SIGNUP is off
])
export type SignInFailure = z.infer<typeof SignInFailure>

/** A sign-in that failed, with the code that the sign-in page shows. The message and the cause are for the log. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
  readonly code: SignInFailure

  constructor(code: SignInFailure, message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.code = code
  }
}
