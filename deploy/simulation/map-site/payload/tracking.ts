import { hash } from '../random.ts'

// Noise that real nodes carry everywhere. A parser must not take it for anything.

/** The session's id at the start of nodes. */
export const sessionId = (index: number) =>
  `diz2ZKf${hash(index, 7001).toString(36)}-${hash(index, 7002).toString(36)}AQ`

/** A click-tracking id. */
export const clickId = (index: number, nth: number) =>
  `0ahUKEwinkeD${hash(index, nth).toString(36)}VaVaQEHXgWBMIQxBd${nth}`
