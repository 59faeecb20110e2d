import {
  describeProxyFailures,
  PROXY_FAULTS,
  type ProxyFailure,
  type ProxyFault,
  readProxyFailures,
} from '@placefleet/shared/proxy-failures'
import { expect, test } from 'vitest'

const reread = (failures: ProxyFailure[]) => readProxyFailures(`proxies_failed: ${describeProxyFailures(failures)}`)

test('each proxy is described by its place in the list of the job and its reason', () => {
  const failures = [{ fault: 'login_refused', status: 407 }, { fault: 'refused' }, { fault: 'timeout' }] as const
  expect(describeProxyFailures(failures)).toBe(
    'none of the 3 proxies works: proxy 1: refused the user and password (407); proxy 2: connection refused; proxy 3: no answer within 10 s',
  )
  expect(describeProxyFailures([{ fault: 'tls' }])).toBe('the proxy does not work: proxy 1: does not answer with TLS')
})

test('proxies with the same reason are described together, also a hundred of them', () => {
  const failures = Array.from({ length: 100 }, (_, at) => ({ fault: at === 1 ? 'closed' : 'refused' }) as const)
  expect(describeProxyFailures(failures)).toBe(
    'none of the 100 proxies works: proxies 1, 3, 4, 5, 6, 7, 8, 9, 10, 11 +89: connection refused; proxy 2: closed the connection',
  )
  expect(reread(failures).map(({ fault }) => fault)).toEqual(['refused', 'closed'])
})

test('up to ten proxies with the same reason are named one by one', () => {
  const closed = (count: number) => describeProxyFailures(Array.from({ length: count }, () => ({ fault: 'closed' })))
  const ten = '1, 2, 3, 4, 5, 6, 7, 8, 9, 10'
  expect(closed(10)).toBe(`none of the 10 proxies works: proxies ${ten}: closed the connection`)
  expect(closed(11)).toBe(`none of the 11 proxies works: proxies ${ten} +1: closed the connection`)
})

test('every reason can be read back from a failure_reason', () => {
  const faults = Object.keys(PROXY_FAULTS) as ProxyFault[]
  expect(reread(faults.map((fault) => ({ fault })))).toEqual(
    faults.map((fault, at) => ({ fault, proxies: String(at + 1) })),
  )
  expect(reread([{ fault: 'tunnel_refused', status: 502 }])).toEqual([
    { proxies: '1', fault: 'tunnel_refused', status: 502 },
  ])
  expect(readProxyFailures('blocked: the map site refuses to answer')).toEqual([])
})
