import { Decimal } from 'decimal.js'

/** Credits as whole micro-credits: the only form in which amounts are stored and added up. 1 credit = 1 USD. */
export type MicroCredits = number

const MICRO = 1_000_000

/**
 * The amount of a decimal string in credits.
 * @throws RangeError when it is not a plain decimal with at most 6 decimals, or too large to be exact.
 */
export function microCredits(credits: string): MicroCredits {
  if (!/^-?\d{1,9}(\.\d{1,6})?$/.test(credits)) throw new RangeError(`not an amount in credits: ${credits}`)
  return new Decimal(credits).times(MICRO).toNumber()
}

/** The wire form of an amount: a decimal string with 6 decimals. */
export function creditString(amount: MicroCredits): string {
  return new Decimal(amount).dividedBy(MICRO).toFixed(6)
}

/** A price per unit times a whole number of units. */
export function times(price: MicroCredits, quantity: number): MicroCredits {
  return new Decimal(price).times(quantity).toNumber()
}

/** Whole credits, halves up (DECISIONS, "Costs"). */
export function roundedCredits(amount: MicroCredits): number {
  return new Decimal(amount).dividedBy(MICRO).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toNumber()
}
