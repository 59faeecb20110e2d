import { chance, hash } from '../random.ts'

const ID_SALT = 31
const ODD = 0x9e3779b1 // any odd number has an inverse modulo 2^32
const ODD_INVERSE = 0x0e8b2f51

/** Place id from the two halves of a data id: base64url of 0a1209, high little-endian, 11, low little-endian. */
export function placeIdOf(high: bigint, low: bigint): string {
  const bytes = Buffer.alloc(20)
  bytes.set([0x0a, 0x12, 0x09])
  bytes.writeBigUInt64LE(high, 3)
  bytes[11] = 0x11
  bytes.writeBigUInt64LE(low, 12)
  return bytes.toString('base64url')
}

/** Returns all ids of place number `index`. They are reversible, so no table is needed. */
export function identifiersOf(seed: number, index: number) {
  const spread = (Math.imul(index, ODD) ^ hash(seed, ID_SALT)) >>> 0
  const high = (0x47a8n << 48n) | (BigInt(hash(seed, index, ID_SALT + 1)) << 16n) | BigInt(index & 0xffff)
  const low = (BigInt(hash(seed, index, ID_SALT + 2)) << 32n) | BigInt(spread)
  const dice = chance(seed, index, ID_SALT + 3)
  const name = dice.token(8).toLowerCase().replaceAll('-', '_')
  return {
    dataId: `0x${high.toString(16)}:0x${low.toString(16)}`,
    placeId: placeIdOf(high, low),
    cid: low.toString(),
    kgmid: dice.happens(0.06) ? `/m/0${name.slice(0, 6)}` : `/g/11${name}`,
    listingId: (low / 3n + 7n).toString(),
  }
}

const indexOfLow = (seed: number, low: bigint) =>
  Math.imul((Number(low & 0xffff_ffffn) ^ hash(seed, ID_SALT)) >>> 0, ODD_INVERSE) >>> 0

const lowOf = (id: string): bigint | undefined => {
  const halves = /^0x[0-9a-f]{1,16}:(0x[0-9a-f]{1,16})$/.exec(id)
  if (halves?.[1]) return BigInt(halves[1])
  if (/^\d{1,20}$/.test(id)) return BigInt(id)
  const bytes = Buffer.from(id, 'base64url')
  return bytes.length === 20 ? bytes.readBigUInt64LE(12) : undefined
}

/** Returns the number of the place with this data id, place id or cid; undefined when the city has none. */
export function indexOfId(seed: number, size: number, id: string): number | undefined {
  const low = lowOf(id)
  if (low === undefined) return undefined
  const index = indexOfLow(seed, low)
  if (index >= size) return undefined
  const { dataId, placeId, cid } = identifiersOf(seed, index)
  return [dataId, placeId, cid].includes(id) ? index : undefined
}

/** Returns a contributor's or owner's account id: 21 digits. */
export function accountId(...parts: number[]): string {
  const dice = chance(...parts, ID_SALT + 4)
  return `1${Array.from({ length: 20 }, () => dice.between(0, 9)).join('')}`
}
