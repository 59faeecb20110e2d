import { hash } from '../random.ts'

// Tracking ids that real nodes contain everywhere. A parser must ignore them.

export const sessionId = (index: number) =>
  `diz2ZKf${hash(index, 7001).toString(36)}-${hash(index, 7002).toString(36)}AQ`

export const clickId = (index: number, nth: number) =>
  `0ahUKEwinkeD${hash(index, nth).toString(36)}VaVaQEHXgWBMIQxBd${nth}`
