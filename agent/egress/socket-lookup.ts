import type { lookup } from 'node:dns'
import type { Addresses } from '@placefleet/shared/egress/resolve'

/** Creates a look-up for sockets, in either form of `dns.lookup`, that returns only checked addresses. */
export function socketLookup(addressesOf: (hostname: string) => Promise<Addresses>): typeof lookup {
  const answer = (hostname: string, ...rest: unknown[]): void => {
    const [options, callback] = rest.length > 1 ? rest : [undefined, rest[0]]
    if (typeof callback !== 'function') throw new TypeError('a look-up needs a callback')
    addressesOf(hostname).then(
      (addresses) => {
        if (wantsAll(options)) callback(null, addresses)
        else callback(null, addresses[0].address, addresses[0].family)
      },
      (error: unknown) => callback(error),
    )
  }
  return Object.assign(answer, { __promisify__: notPromised })
}

function wantsAll(options: unknown): boolean {
  return typeof options === 'object' && options !== null && 'all' in options && options.all === true
}

function notPromised(): never {
  throw new Error('a look-up for sockets has no promise form')
}
