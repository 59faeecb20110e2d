import type { Db } from 'mongodb'
import type { Identity, UserDocument } from '../../accounts/documents.ts'
import { createPerson, findByIdentity, forgetSignupBonus, linkIdentity } from '../../accounts/people.ts'
import { setRole } from '../../accounts/roles.ts'
import { findUserByEmail } from '../../accounts/store.ts'
import { grant } from '../../billing/ledger/grant.ts'
import type { Ledger } from '../../billing/ledger/ledger.ts'
import type { MicroCredits } from '../../billing/prices/cost.ts'
import { SignInError } from '../failure.ts'
import { type Claims, hasClaim } from './claims.ts'
import type { AccountRules } from './settings.ts'

type PeopleDeps = { db: Db; ledger: Ledger; rules: AccountRules; signupBonus: MicroCredits }

/** How long a claim counts after the sign-in, also for API keys. A session lasts as long at most. */
const CLAIM_DAYS = 7

/**
 * Returns the user of a person who signed in at the provider, identified by issuer and subject. The first sign-in links
 * the account with their verified email, or creates one. Claims decide the role when the settings say so.
 * @throws SignInError that says why the person gets no account.
 */
export async function userOf(deps: PeopleDeps, claims: Claims): Promise<UserDocument> {
  const { db, rules } = deps
  const user = (await findByIdentity(db, identityOf(claims))) ?? (await firstSignIn(deps, claims))
  requireAllowedDomain(user.email, rules)
  if (rules.operatorValues.length > 0) {
    const isOperator = hasClaim(claims, rules.operatorClaim, rules.operatorValues)
    await setRole(db, user._id, isOperator ? 'operator' : 'user', isOperator ? CLAIM_DAYS : undefined)
  }
  await bookSignupBonus(deps, user)
  return user
}

const identityOf = ({ iss: issuer, sub: subject }: Claims): Identity => ({ issuer, subject })

/** Links or creates an account. An unverified email is rejected, because it may belong to another person. */
async function firstSignIn(deps: PeopleDeps, claims: Claims): Promise<UserDocument> {
  const { db, rules } = deps
  const { email, email_verified } = claims
  if (email === undefined) throw new SignInError('email_missing', `The provider gives no email for ${claims.sub}.`)
  if (email_verified !== true && !rules.trustEmail) {
    throw new SignInError('email_not_verified', `The provider does not say that ${email} is verified.`)
  }
  requireAllowedDomain(email, rules)
  const known = await findUserByEmail(db, email)
  return known ? link(db, known, identityOf(claims)) : signUp(deps, email, claims)
}

async function link(db: Db, user: UserDocument, identity: Identity): Promise<UserDocument> {
  const linked = await linkIdentity(db, user._id, identity)
  const now = linked ?? (await findByIdentity(db, identity)) // the person's other tab may have been first
  if (now) return now
  throw new SignInError('email_taken', `The account ${user._id} belongs to another person at the provider.`)
}

async function signUp(deps: PeopleDeps, email: string, claims: Claims): Promise<UserDocument> {
  const { db, rules, signupBonus } = deps
  if (!rules.signup) throw new SignInError('signup_disabled', `There is no account ${email}.`)
  const bonus = signupBonus > 0 ? { signup_bonus: signupBonus } : {}
  const identity = identityOf(claims)
  const user = await createPerson(db, { email, identity, ...bonus })
  // Otherwise a concurrent sign-in created the account.
  return user ?? (await findByIdentity(db, identity)) ?? firstSignIn(deps, claims)
}

function requireAllowedDomain(email: string, { allowedDomains }: AccountRules): void {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  if (allowedDomains.length === 0 || allowedDomains.includes(domain)) return
  throw new SignInError('domain_not_allowed', `${email} is not in a domain of OIDC_ALLOWED_DOMAINS.`)
}

/** Grants the signup bonus. After a crash the next sign-in repeats it; the ledger records it once. */
async function bookSignupBonus(
  { db, ledger }: PeopleDeps,
  { _id: user_id, signup_bonus }: UserDocument,
): Promise<void> {
  if (signup_bonus === undefined) return
  const reference = { reference_type: 'signup', reference_id: 'signup bonus' }
  await grant(ledger, { user_id, amount: signup_bonus, type: 'bonus', reference, description: 'Welcome' })
  await forgetSignupBonus(db, user_id)
}
