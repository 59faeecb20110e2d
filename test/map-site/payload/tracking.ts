import { chance } from '../random.ts'

// Noise that real nodes carry everywhere. A parser must not take it for anything.

/** The session's id at the start of nodes. */
export const sessionId = (index: number) => chance(index, 7001).token(22)

/** A click-tracking id. */
export const clickId = (index: number, nth: number) => `0ahUKEw${chance(index, nth, 7002).token(14)}QxBd${nth}`
