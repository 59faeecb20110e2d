import { span } from './words.ts'

/** Clocks that NTP sets differ by far less. */
const TOLERATED_SECONDS = 5

const isOff = (lead: number): boolean => Math.abs(lead) > TOLERATED_SECONDS

/** The check of this host's clock. `lead`: by how many seconds it is ahead of the database's. */
export function clockCheck(lead: number) {
  const off = `is ${span(Math.abs(lead))} ${lead > 0 ? 'ahead of' : 'behind'}`
  const detail = `the clock of this host ${isOff(lead) ? off : 'agrees with'} that of the database`
  return { name: 'clock', ok: true, detail, ...(isOff(lead) && { warning: true }) }
}

/** Says what to do about clocks that differ. */
export const clockAdvice = (lead: number): string[] =>
  isOff(lead)
    ? ['Let NTP set the clocks of this host and of MongoDB: shown times and checked dates are wrong now.']
    : []
