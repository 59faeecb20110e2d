const KEY = /^0x0*([0-9a-f]{1,16}):0x0*([0-9a-f]{1,16})$/i
// Protocol buffer framing of a place id: field 1 of 18 bytes, in it two fixed 64-bit numbers, fields 1 and 2.
// Agrees with the site on 822 of 822 recorded places.
const PLACE_ID_HEAD = Buffer.from([0x0a, 0x12, 0x09])
const PLACE_ID_MIDDLE = 0x11
const PLACE_ID_BYTES = 20

/**
 * The stable key of a place: the site's data id `0x…:0x…` in lower case, without leading zeros in its halves. Undefined
 * when it is none.
 */
export function placeKey(text: unknown): string | undefined {
  const halves = typeof text === 'string' ? KEY.exec(text) : null
  return halves ? `0x${halves[1]}:0x${halves[2]}`.toLowerCase() : undefined
}

/** The place id (`ChIJ…`) of a place key: both halves as little-endian numbers, in base64url without padding. */
export function placeIdFromKey(key: string): string {
  const [high, low] = halvesOf(key)
  const bytes = Buffer.alloc(PLACE_ID_BYTES)
  PLACE_ID_HEAD.copy(bytes)
  bytes.writeBigUInt64LE(high, 3)
  bytes.writeUInt8(PLACE_ID_MIDDLE, 11)
  bytes.writeBigUInt64LE(low, 12)
  return bytes.toString('base64url')
}

/** The customer id of a place key: its low half as an unsigned decimal number. */
export const cidFromKey = (key: string): string => halvesOf(key)[1].toString()

/** The place key of a place id of the common form, undefined for others (addresses and areas have longer ids). */
export function keyFromPlaceId(id: string): string | undefined {
  const bytes = Buffer.from(id, 'base64url')
  const framed = bytes.length === PLACE_ID_BYTES && bytes.subarray(0, 3).equals(PLACE_ID_HEAD)
  if (!framed || bytes[11] !== PLACE_ID_MIDDLE || bytes.toString('base64url') !== id) return undefined
  return `0x${bytes.readBigUInt64LE(3).toString(16)}:0x${bytes.readBigUInt64LE(12).toString(16)}`
}

function halvesOf(key: string): [bigint, bigint] {
  const [high, low] = key.split(':')
  return [BigInt(high ?? 0), BigInt(low ?? 0)]
}
