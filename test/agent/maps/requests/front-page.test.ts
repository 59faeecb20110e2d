import { MapFailed } from '@placefleet/agent/maps/requests/failure'
import { openForCookies } from '@placefleet/agent/maps/requests/front-page'
import type { Fault } from '@placefleet/agent/maps/requests/verdicts'
import { expect, test } from 'vitest'

const site = { base: new URL('https://maps.example'), locale: { language: 'en', country: 'de' } }

/** Opens the front page of a site that answers with these faults, and then with the page. */
async function visit(...faults: Fault[]) {
  const opened: string[] = []
  const visited = await openForCookies(site, async ({ href }) => {
    const fault = faults[opened.push(href) - 1]
    if (fault) throw new MapFailed(fault)
  }).catch((error: unknown) => error)
  return { opened, visited }
}

test('an error that passes costs one more request for the front page, and no cookie', async () => {
  const { opened, visited } = await visit('unavailable')
  expect(opened).toEqual(Array(2).fill('https://maps.example/maps?hl=en&gl=de'))
  expect(visited).toMatchObject({ failure: undefined })
})

test('after a second error the identity continues without a cookie', async () => {
  const { opened, visited } = await visit('unavailable', 'unknown')
  expect(opened).toHaveLength(2)
  expect(visited).toMatchObject({ failure: { fault: 'unknown' } })
})

test.each<Fault>(['exit_refused', 'network', 'agent_failed'])(
  'after the fault %s nothing more is sent',
  async (fault) => {
    const { opened, visited } = await visit(fault)
    expect(opened).toHaveLength(1)
    expect(visited).toMatchObject({ fault })
  },
)
