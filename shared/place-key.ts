const KEY = /^0x0*([0-9a-f]{1,16}):0x0*([0-9a-f]{1,16})$/i
const HIGHEST_HALF = 2n ** 64n - 1n
// A place id is a protocol buffer: field 1 of 18 bytes, which holds two fixed 64-bit numbers, fields 1 and 2.
// True for 822 of 822 recorded places.
const PLACE_ID_HEAD = [0x0a, 0x12, 0x09]
const PLACE_ID_MIDDLE = 0x11
const PLACE_ID = /^[\w-]{27}$/

/**
 * Returns the stable key of a place: the site's data id `0x…:0x…` in lower case without leading zeros. Undefined for
 * other text.
 */
export function placeKey(text: unknown): string | undefined {
  const halves = typeof text === 'string' ? KEY.exec(text) : null
  return halves ? `0x${halves[1]}:0x${halves[2]}`.toLowerCase() : undefined
}

/** Returns the customer id of a place key: its low half as an unsigned decimal number. */
export const cidFromKey = (key: string): string => BigInt(key.split(':')[1] ?? 0).toString()

/** The key of a place of which only the low half is known. */
export const halfKey = (half: bigint): string => `0x0:0x${half.toString(16)}`

/**
 * Returns the key of a place of which only the customer id is known: `0x0:0x…`, as the site itself writes it. Undefined
 * for another text than a decimal number above 0 of at most 64 bits.
 */
export function keyFromCid(cid: string): string | undefined {
  const half = /^\d{1,20}$/.test(cid) ? BigInt(cid) : 0n
  return half > 0n && half <= HIGHEST_HALF ? halfKey(half) : undefined
}

/** Returns the key under which a place is known of which only the customer id is known. */
export const halfKeyOf = (key: string): string => `0x0:${key.split(':')[1]}`

/**
 * Returns the place key of a place id of the common form. Undefined for other forms: addresses and areas have longer
 * ids.
 */
export function keyFromPlaceId(id: string): string | undefined {
  if (!PLACE_ID.test(id)) return undefined
  const text = atob(id.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(text, (byte) => byte.charCodeAt(0))
  const framed = PLACE_ID_HEAD.every((byte, at) => bytes[at] === byte) && bytes[11] === PLACE_ID_MIDDLE
  if (!framed || btoa(text).replaceAll('+', '-').replaceAll('/', '_').slice(0, -1) !== id) return undefined
  const halves = new DataView(bytes.buffer)
  return `0x${halves.getBigUint64(3, true).toString(16)}:0x${halves.getBigUint64(12, true).toString(16)}`
}
