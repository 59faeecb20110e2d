import { hasArea } from '@placefleet/shared/area/area-of'
import { dropsPlaces, PlaceFilter } from '@placefleet/shared/place-filter'
import { type TownNear, withCentre } from '../../towns/near.ts'
import { available, type Ledger } from '../ledger/ledger.ts'
import { FREE } from './cost.ts'
import { type ExitPace, USUAL_PACE } from './duration.ts'
import { creditNumber, ESTIMATE_SECONDS, estimateJob, estimateTime, minimumCost } from './estimate.ts'
import type { EstimateAnswer, EstimateRequest } from './estimate-schema.ts'
import type { PriceRules } from './price-rules.ts'

export type EstimateDeps = {
  prices: PriceRules
  ledger: Ledger
  /** How many places of the same search a user knows. */
  countKnown(user_id: string, search: Omit<EstimateRequest, 'near'>): Promise<number>
  /** The exits that a job without proxies has now: the proxies of the pool, else the addresses of the agents. */
  fleetExits(): Promise<ExitPace[]>
  townNear: TownNear
}

/**
 * Returns the likely cost of a job at the current prices, and whether the user's credits cover it.
 * @throws AppError `bad_request` for a `near` that does not name one town.
 */
export async function estimateFor(
  { prices, ledger, countKnown, fleetExits, townNear }: EstimateDeps,
  user_id: string,
  sent: EstimateRequest,
  at: Date,
): Promise<EstimateAnswer> {
  const request = await withCentre(townNear, sent)
  const [listed, account] = await Promise.all([prices.pricesAt(at), ledger.state(user_id)])
  const inForce = request.demo ? { ...listed, prices: FREE } : listed
  const current = available(account)
  const known_places = request.only_new ? await countKnown(user_id, request) : undefined
  const { proxies } = request
  const filter = PlaceFilter.safeParse(request)
  const proxyCount = Array.isArray(proxies) ? proxies.length : 0
  const own = Array.from({ length: proxyCount }, () => USUAL_PACE)
  const [first = USUAL_PACE, ...others] = proxyCount > 0 ? own : await fleetExits()
  const factors = {
    ...request,
    known_places,
    exits: [first, ...others] as const,
    fast_mode: request.fast_mode === true,
    has_free_filter: filter.success && dropsPlaces(filter.data),
    has_area: hasArea(request),
  }
  return {
    estimate: {
      ...estimateJob(factors, inForce.prices, validUntil(at, inForce.until)),
      ...estimateTime(factors, inForce.prices),
    },
    balance: { current: creditNumber(current), sufficient: current >= minimumCost(factors, inForce.prices) },
  }
}

/** Returns the Unix time until which an estimate holds: 15 minutes, or until new prices begin. */
function validUntil(now: Date, pricesUntil: Date | undefined): number {
  const end = now.getTime() / 1_000 + ESTIMATE_SECONDS
  return Math.floor(Math.min(end, pricesUntil ? pricesUntil.getTime() / 1_000 : end))
}
