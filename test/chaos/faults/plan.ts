import { type Chance, chance } from '@placefleet/deploy/simulation/map-site/random'

/** What can go wrong, and how often it does relative to the others. */
const WEIGHTS = {
  'kill agent': 14,
  'freeze agent': 10,
  'restart agent': 4,
  'kill coordinator': 8,
  'freeze coordinator': 7,
  'restart coordinator': 4,
  'die in creation': 3,
  'die in cancellation': 3,
  'die in deletion': 3,
  'die in closing': 3,
  'die in purging': 3,
  'kill nats': 4,
  'wipe nats': 3,
  'freeze nats': 4,
  'kill mongo': 4,
  'freeze mongo': 4,
  'cut link': 12,
  'delay link': 8,
  'stall link': 8,
  'half-close link': 5,
  'throttle link': 4,
  'fill disk': 5,
  'jump clock': 8,
} as const

export type FaultKind = keyof typeof WEIGHTS

/** How long a coordinator waits for such a step of any job, in which it then dies. */
const AWAITED: [number, number] = [10_000, 30_000]

/** Before which write of the step it dies, counted after the first. */
const DIES_BEFORE: [number, number] = [1, 8]

/** How long each lasts at least and at most, in milliseconds: until it is healed, or until what died is started again. */
const LASTS: Record<FaultKind, [number, number]> = {
  'kill agent': [200, 6_000],
  'freeze agent': [1_000, 25_000],
  'restart agent': [200, 3_000],
  'kill coordinator': [200, 5_000],
  'freeze coordinator': [1_000, 12_000],
  'restart coordinator': [200, 3_000],
  'die in creation': AWAITED,
  'die in cancellation': AWAITED,
  'die in deletion': AWAITED,
  'die in closing': AWAITED,
  'die in purging': AWAITED,
  'kill nats': [0, 0],
  'wipe nats': [0, 0],
  'freeze nats': [500, 8_000],
  'kill mongo': [0, 0],
  'freeze mongo': [500, 6_000],
  'cut link': [500, 12_000],
  'delay link': [1_000, 12_000],
  'stall link': [1_000, 12_000],
  'half-close link': [0, 0],
  'throttle link': [1_000, 12_000],
  'fill disk': [2_000, 15_000],
  'jump clock': [5_000, 30_000],
}

/** One fault: when, what, which of them, how long, and how much of it. */
export type Fault = { number: number; at: number; kind: FaultKind; which: number; lasts: number; amount: number }

/** Mean milliseconds between two faults: 250 in ten minutes. */
const EVERY_MS = 2_400

/**
 * How much of a fault there is: milliseconds of a delay or a jump, bytes a second of a throttled link, writes before a
 * death.
 */
const AMOUNTS: Partial<Record<FaultKind, [number, number]>> = {
  'delay link': [50, 800],
  'throttle link': [2_000, 40_000],
  'jump clock': [-3_600_000, 3_600_000],
  'die in creation': DIES_BEFORE,
  'die in cancellation': DIES_BEFORE,
  'die in deletion': DIES_BEFORE,
  'die in closing': DIES_BEFORE,
  'die in purging': DIES_BEFORE,
}

/** The faults of a run, the same for the same seed. `which` is a large number: its remainder names the victim. */
export function planFaults(seed: number, minutes: number): Fault[] {
  const dice = chance(seed, 0xc4a05)
  const faults: Fault[] = []
  for (let at = 1_500; at < minutes * 60_000; at += dice.between(EVERY_MS / 2, EVERY_MS * 1.5)) {
    const kind = pickKind(dice)
    const [shortest, longest] = LASTS[kind]
    const [least, most] = AMOUNTS[kind] ?? [0, 0]
    const which = dice.between(0, 1_000_000)
    // Short ones are commoner, as in life.
    const lasts = Math.round(shortest + (longest - shortest) * dice.next() ** 2)
    faults.push({ number: faults.length + 1, at, kind, which, lasts, amount: dice.between(least, most) })
  }
  return faults
}

function pickKind(dice: Chance): FaultKind {
  const kinds = Object.entries(WEIGHTS) as [FaultKind, number][]
  let left = dice.next() * kinds.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [kind, weight] of kinds) {
    left -= weight
    if (left < 0) return kind
  }
  return 'kill agent'
}
