import type { BilledEvent } from '@placefleet/shared/billed-events'
import { useQuery } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/client.ts'

export const PRICES_KEY = ['operations', 'prices']

/** Reads all prices, in the order in which they begin. */
export const usePrices = () =>
  useQuery({
    queryKey: PRICES_KEY,
    queryFn: async () => (await unwrap(api.GET('/api/v1/admin/prices'))).prices,
  })

/** The prices in the form: `from` in the user's time zone; an empty price stays unchanged. */
export type NewPrices = { from: string; prices: Partial<Record<BilledEvent, number | string>> }

/** Returns the body that sets these prices. */
export function pricesRequestOf({ from, prices }: NewPrices): Schemas['SetPricesRequest'] {
  const entered = Object.entries(prices).filter(([, price]) => price !== '')
  return {
    from: new Date(from).toISOString(),
    ...Object.fromEntries(entered.map(([event, price]) => [event, plain(price)])),
  }
}

/** Formats a small number without an exponent, as the API requires. */
const plain = (price: number | string): string => Number(price).toFixed(6)
