import { isIPv6 } from 'node:net'

/** Addresses that stand for all addresses of a machine. A browser cannot open them. */
const ALL_ADDRESSES = new Set(['0.0.0.0', '::'])

type AddressSettings = { PUBLIC_URL?: string | undefined; HOST: string; PORT: number }

/** Returns the URL that people open, without a path: PUBLIC_URL, else the address of this server. */
export function publicUrlOf({ PUBLIC_URL, HOST, PORT }: AddressSettings): string {
  return PUBLIC_URL ?? serverUrl({ address: HOST, port: PORT })
}

/** Returns the URL of a server. One that listens on all addresses is named by the loopback address. */
export function serverUrl({ address, port }: { address: string; port: number }): string {
  const host = ALL_ADDRESSES.has(address) ? '127.0.0.1' : address
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}
