import { type Chance, chance } from '@placefleet/deploy/simulation/map-site/random'

type Range = readonly [least: number, most: number]

/**
 * What can go wrong: how often it does relative to the others, how many milliseconds it lasts (until it is healed, or
 * until what died is started again), and how much of it there is: milliseconds of a delay or a jump, bytes a second of
 * a throttled link, writes before a death.
 */
type Kind = { readonly weight: number; readonly lasts: Range; readonly amount?: Range }

/** A coordinator waits so long for such a step of any job, and dies before one of its writes after the first. */
const DEATH: Kind = { weight: 3, lasts: [10_000, 30_000], amount: [1, 8] }

const KINDS = {
  'kill agent': { weight: 14, lasts: [200, 6_000] },
  'freeze agent': { weight: 10, lasts: [1_000, 25_000] },
  'restart agent': { weight: 4, lasts: [200, 3_000] },
  'kill coordinator': { weight: 8, lasts: [200, 5_000] },
  'freeze coordinator': { weight: 7, lasts: [1_000, 12_000] },
  'restart coordinator': { weight: 4, lasts: [200, 3_000] },
  'die in creation': DEATH,
  'die in cancellation': DEATH,
  'die in deletion': DEATH,
  'die in closing': DEATH,
  'die in purging': DEATH,
  'kill nats': { weight: 4, lasts: [0, 0] },
  'wipe nats': { weight: 3, lasts: [0, 0] },
  'freeze nats': { weight: 4, lasts: [500, 8_000] },
  'kill mongo': { weight: 4, lasts: [0, 0] },
  'freeze mongo': { weight: 4, lasts: [500, 6_000] },
  'cut link': { weight: 12, lasts: [500, 12_000] },
  'delay link': { weight: 8, lasts: [1_000, 12_000], amount: [50, 800] },
  'stall link': { weight: 8, lasts: [1_000, 12_000] },
  'half-close link': { weight: 5, lasts: [0, 0] },
  'throttle link': { weight: 4, lasts: [1_000, 12_000], amount: [2_000, 40_000] },
  'fill disk': { weight: 5, lasts: [2_000, 15_000] },
  'jump clock': { weight: 8, lasts: [5_000, 30_000], amount: [-3_600_000, 3_600_000] },
} satisfies Record<string, Kind>

export type FaultKind = keyof typeof KINDS

/** One fault: when, what, which of them, how long, and how much of it. */
export type Fault = { number: number; at: number; kind: FaultKind; which: number; lasts: number; amount: number }

/** Mean milliseconds between two faults: 250 in ten minutes. */
const EVERY_MS = 2_400

/** The faults of a run, the same for the same seed. `which` is a large number: its remainder names the victim. */
export function planFaults(seed: number, minutes: number): Fault[] {
  const dice = chance(seed, 0xc4a05)
  const faults: Fault[] = []
  for (let at = 1_500; at < minutes * 60_000; at += dice.between(EVERY_MS / 2, EVERY_MS * 1.5)) {
    const kind = pickKind(dice)
    const {
      lasts: [shortest, longest],
      amount: [least, most] = [0, 0],
    }: Kind = KINDS[kind]
    const which = dice.between(0, 1_000_000)
    // Short ones are commoner, as in life.
    const lasts = Math.round(shortest + (longest - shortest) * dice.next() ** 2)
    faults.push({ number: faults.length + 1, at, kind, which, lasts, amount: dice.between(least, most) })
  }
  return faults
}

function pickKind(dice: Chance): FaultKind {
  const kinds = Object.entries(KINDS) as [FaultKind, Kind][]
  let left = dice.next() * kinds.reduce((sum, [, { weight }]) => sum + weight, 0)
  for (const [kind, { weight }] of kinds) {
    left -= weight
    if (left < 0) return kind
  }
  return 'kill agent'
}
