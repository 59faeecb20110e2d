import { WEB_PRESENCE_TIERS, type WebPresence } from '@placefleet/shared/web-presence/tiers'

/** The tiers that the address asks for, in their order; none means all. */
export function tiersIn(params: URLSearchParams): WebPresence[] {
  const asked = (params.get('web_presence') ?? '').split(',')
  return WEB_PRESENCE_TIERS.filter((tier) => asked.includes(tier))
}
