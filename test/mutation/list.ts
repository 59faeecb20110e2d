import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { admission } from './list/admission.ts'
import { chains } from './list/chains.ts'
import { exits } from './list/exits.ts'
import { guards } from './list/guards.ts'
import { leases } from './list/leases.ts'
import { lifecycle } from './list/lifecycle.ts'
import { money } from './list/money.ts'
import { monitors } from './list/monitors.ts'
import type { Listed, Mutation } from './mutation.ts'

const ROOT = join(import.meta.dirname, '..', '..')

const LISTS: Record<string, Mutation[]> = { money, lifecycle, leases, chains, guards, admission, monitors, exits }

/** Every mutation that `npm run test:mutation` makes. */
export const MUTATIONS: readonly Listed[] = Object.entries(LISTS).flatMap(([list, mutations]) =>
  mutations.map((mutation) => ({ list, ...mutation })),
)

/** Returns whether the product still has the line of a mutation. */
export function isApplicable({ file, original }: Mutation): boolean {
  try {
    return readFileSync(join(ROOT, file), 'utf8').split(original).length === 2
  } catch {
    return false // the file was moved
  }
}
