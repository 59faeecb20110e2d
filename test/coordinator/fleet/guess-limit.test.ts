import { Metadata, status as Status } from '@grpc/grpc-js'
import type { AgentAuthentication } from '@placefleet/coordinator/fleet/call'
import { limitGuesses } from '@placefleet/coordinator/fleet/guess-limit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { capturedLog } from '../../harness/captured-log.ts'

const metadataOf = (token: string): Metadata => {
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${token}`)
  return metadata
}

function limited(rightTokens: string[]) {
  const { log, lines } = capturedLog()
  const looked: string[] = []
  const authenticate: AgentAuthentication = async (metadata) => {
    const token = String(metadata.get('authorization')[0]).replace('Bearer ', '')
    looked.push(token)
    const isRight = rightTokens.includes(token)
    if (isRight) return { enrolment: undefined, draining: false, protocol: 1 }
    const details = 'the token is wrong'
    return { code: Status.UNAUTHENTICATED, details, ...(token === 'revoked' && { revoked: 'shop-1' }) }
  }
  const admit = limitGuesses(authenticate, log, { rate: 0.001, burst: 3 })
  const call = async (token: string, address = '192.0.2.1') => {
    const caller = await admit(metadataOf(token), address)
    return 'code' in caller ? caller.code : 'accepted'
  }
  return { call, lines, looked }
}

test('an address that guesses tokens is answered without a look at the token, and others are not', async () => {
  const { call, looked } = limited(['right'])
  for (const guess of ['a', 'b', 'c']) expect(await call(guess)).toBe(Status.UNAUTHENTICATED)

  expect(await call('d')).toBe(Status.RESOURCE_EXHAUSTED)
  expect(await call('right')).toBe(Status.RESOURCE_EXHAUSTED)
  expect(looked).toEqual(['a', 'b', 'c'])
  expect(await call('right', '192.0.2.2')).toBe('accepted')
})

test('an agent whose token was accepted before goes on beside guesses from its address', async () => {
  const { call } = limited(['right'])
  await call('right')
  for (const guess of ['a', 'b', 'c', 'd']) await call(guess)

  expect(await call('right')).toBe('accepted')
})

test('wrong tokens are logged once a minute, with the address and the agent whose token was revoked', async () => {
  const { call, lines } = limited([])
  for (const guess of ['revoked', 'b', 'c', 'd']) await call(guess)

  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ address: '192.0.2.1', agent: 'shop-1' })
})

test('an address has 30 guesses, and then one more in a second', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let looks = 0
  const admit = limitGuesses(async () => {
    looks += 1
    return { code: Status.UNAUTHENTICATED, details: 'wrong' }
  }, capturedLog().log)
  for (let guess = 0; guess < 35; guess++) await admit(metadataOf(String(guess)), '192.0.2.9')
  expect(looks).toBe(30)
  const afterMs = async (ms: number) => {
    vi.advanceTimersByTime(ms)
    await admit(metadataOf('again'), '192.0.2.9')
    return looks
  }
  expect(await afterMs(999)).toBe(30)
  expect(await afterMs(1_000)).toBe(31)
})
