import { mergedClaims } from '@placefleet/coordinator/auth/oidc/claims'
import { expect, test } from 'vitest'

const OWNER = 'owner@example.com'
const OTHER = 'other@example.com'

test.each([
  { id_token: { email: OWNER, email_verified: true }, userinfo: {}, verified: true },
  { id_token: {}, userinfo: { email: OWNER, email_verified: true }, verified: true },
  { id_token: { email: OWNER }, userinfo: { email: OWNER, email_verified: true }, verified: true },
  { id_token: { email: OWNER }, userinfo: { email: OTHER, email_verified: true }, verified: undefined },
  {
    id_token: { email: OWNER, email_verified: false },
    userinfo: { email: OWNER, email_verified: true },
    verified: false,
  },
])(
  'an email is verified by the document that names it: $id_token and $userinfo',
  ({ id_token, userinfo, verified }) => {
    expect(mergedClaims(id_token, userinfo)).toEqual({ email: OWNER, email_verified: verified })
  },
)
