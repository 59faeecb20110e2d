import type { operations } from '@placefleet/client/schema'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { api, unwrap } from '../api/client.ts'
import { IDLE_POLL_MS } from '../api/queries.ts'

/** The queries of the user's credits. */
export const CREDITS_KEY = ['credits']

/** Opens a checkout and returns its payment page. Stores the session, so that the return confirms it at once. */
export function useCheckout() {
  return useMutation({
    mutationFn: ({ credits }: { credits: string }) =>
      unwrap(api.POST('/api/v1/credits/checkout-session', { body: { credits, currency: 'USD' } })),
    onSuccess: ({ session_id, url }) => {
      sessionStorage.setItem(STORED, session_id)
      if (URL.parse(url)?.protocol.startsWith('http')) location.assign(url)
    },
  })
}

const STORED = 'placefleet-checkout'

/** What is known of a payment from which the user returns. */
export type ReturnedCheckout = 'confirming' | 'paid' | 'notPaid' | 'cancelled'

/** Confirms the checkout from which the user returns, or which the page of the payment left open. */
export function useReturnedCheckout(): ReturnedCheckout | undefined {
  const [params] = useSearchParams()
  const queries = useQueryClient()
  const returned = params.get('checkout')
  const [session] = useState(() => params.get('session_id') ?? sessionStorage.getItem(STORED))
  const confirmation = useQuery({
    queryKey: ['checkout', session],
    enabled: session !== null && returned !== 'cancelled',
    staleTime: 'static',
    queryFn: async () => {
      sessionStorage.removeItem(STORED)
      try {
        await unwrap(api.POST('/api/v1/credits/reconcile', { body: { session_id: session ?? '' } }))
        return true
      } finally {
        await queries.cancelQueries({ queryKey: CREDITS_KEY }) // a first answer may be older than the payment
        void queries.invalidateQueries({ queryKey: CREDITS_KEY })
      }
    },
  })
  if (returned === 'cancelled') return 'cancelled'
  if (confirmation.isSuccess) return 'paid'
  if (returned === null) return undefined // the user did not come from the payment, so nothing is missing
  if (confirmation.isError) return 'notPaid'
  return confirmation.isFetching ? 'confirming' : undefined
}

/** The balance of the user. */
export const balanceQuery = queryOptions({
  queryKey: [...CREDITS_KEY, 'balance'],
  queryFn: () => unwrap(api.GET('/api/v1/credits/balance')),
  refetchInterval: IDLE_POLL_MS,
})

/** What the user spent on each of the last days. */
export const spendingQuery = queryOptions({
  queryKey: [...CREDITS_KEY, 'spending'],
  queryFn: () => unwrap(api.GET('/api/v1/credits/spending')),
  refetchInterval: 60_000,
})

type HistoryPage = NonNullable<operations['listCreditTransactions']['parameters']['query']>

/** A page of the ledger, newest first. */
export const historyQuery = (query: HistoryPage) =>
  queryOptions({
    queryKey: [...CREDITS_KEY, 'history', query],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/credits/history', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: IDLE_POLL_MS,
  })
