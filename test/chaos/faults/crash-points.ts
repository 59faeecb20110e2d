import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

/** The first write of each part of a job's life: its collection, and text that no other write contains. */
export const FIRST_WRITES = {
  creation: { collection: 'jobs', text: '"$replaceWith":{"$literal":' },
  cancellation: { collection: 'jobs', text: '"cancel_reason":"user"}}' },
  deletion: { collection: 'jobs', text: '"listed":false,"due_at":"$$NOW"' },
  closing: { collection: 'results', text: '"sealed":true,"totals":' },
  purging: { collection: 'results', text: '"$replaceWith":{"_id":"$_id"' },
} as const

export type LifeStep = keyof typeof FIRST_WRITES

/**
 * Where a process dies: in the next such step of any job, before so many more writes about that job (1 is the one after
 * the first write).
 */
const CrashPoint = z.object({
  step: z.enum(['creation', 'cancellation', 'deletion', 'closing', 'purging']),
  write: z.int().min(1),
})
type CrashPoint = z.infer<typeof CrashPoint>

const diedFile = (file: string) => `${file}.died`

/** Lets the process that watches the file die at the point. Returns false when it already waits for another one. */
export function armCrash(file: string, point: CrashPoint): boolean {
  if (existsSync(file)) return false
  writeFileSync(file, JSON.stringify(point))
  return true
}

/** Ends the wait for the point. Returns where the process died, undefined when it never came there. */
export function disarmCrash(file: string): string | undefined {
  rmSync(file, { force: true })
  if (!existsSync(diedFile(file))) return undefined
  const where = readFileSync(diedFile(file), 'utf8')
  rmSync(diedFile(file))
  return where
}

/** Returns the point at which the process that watches the file is to die. */
export const armedCrash = (file: string): CrashPoint | undefined =>
  existsSync(file) ? CrashPoint.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined

/** Notes where the process dies. Call it right before. */
export function noteCrash(file: string, where: string): void {
  writeFileSync(diedFile(file), where)
  rmSync(file, { force: true }) // a process that is started again lives
}
