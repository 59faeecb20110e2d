import type { BilledEvent } from '@placefleet/shared/billed-events'
import { useQuery } from '@tanstack/react-query'
import { answered, api, type Schemas } from '../api/client.ts'

export const PRICES_KEY = ['operations', 'prices']

/** All prices, in the order in which they begin. */
export const usePrices = () =>
  useQuery({
    queryKey: PRICES_KEY,
    queryFn: async () => (await answered(api.GET('/api/v1/admin/prices'))).prices,
  })

/** Prices as they stand in the form: `from` in the viewer's zone, an empty price stays as it is. */
export type NewPrices = { from: string; prices: Partial<Record<BilledEvent, number | string>> }

/** The body that sets these prices. */
export function requestOf({ from, prices }: NewPrices): Schemas['SetPricesRequest'] {
  const given = Object.entries(prices).filter(([, price]) => price !== '')
  return {
    from: new Date(from).toISOString(),
    ...Object.fromEntries(given.map(([event, price]) => [event, plain(price)])),
  }
}

/** Small numbers without an exponent, as the API takes them. */
const plain = (price: number | string): string => Number(price).toFixed(6)
