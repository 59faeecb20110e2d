import { hash } from '../random.ts'

// Tracking ids that real nodes contain everywhere. A parser must ignore them.

/** Returns the session id at the start of nodes. */
export const sessionId = (index: number) =>
  `diz2ZKf${hash(index, 7001).toString(36)}-${hash(index, 7002).toString(36)}AQ`

/** Returns a click-tracking id. */
export const clickId = (index: number, nth: number) =>
  `0ahUKEwinkeD${hash(index, nth).toString(36)}VaVaQEHXgWBMIQxBd${nth}`
