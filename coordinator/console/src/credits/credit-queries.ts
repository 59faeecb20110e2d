import type { operations } from '@placefleet/client/schema'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { api, unwrap } from '../api/client.ts'
import { IDLE_POLL_MS } from '../api/queries.ts'

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

/** Confirms the checkout from which the user returns. */
export function useReturnedCheckout(): 'paid' | 'notPaid' | 'cancelled' | undefined {
  const [params] = useSearchParams()
  const state = params.get('checkout')
  const given = params.get('session_id')
  const queries = useQueryClient()
  const confirm = useMutation({
    mutationFn: (session_id: string) => unwrap(api.POST('/api/v1/credits/reconcile', { body: { session_id } })),
    onSettled: async () => {
      await queries.cancelQueries({ queryKey: CREDITS_KEY }) // a first answer may be older than the payment
      await queries.invalidateQueries({ queryKey: CREDITS_KEY })
    },
  })
  const { mutate } = confirm
  const asked = useRef(false)
  useEffect(() => {
    const session = given ?? sessionStorage.getItem(STORED)
    if (state === 'cancelled' || !session || asked.current) return
    asked.current = true
    sessionStorage.removeItem(STORED)
    mutate(session)
  }, [state, given, mutate])
  if (state === 'cancelled') return 'cancelled'
  if (confirm.isSuccess) return 'paid'
  return confirm.isError && state !== null ? 'notPaid' : undefined
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
