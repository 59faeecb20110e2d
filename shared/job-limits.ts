import { z } from 'zod'

type Limits = { readonly max_results: number; readonly max_time: number }

/** The limits of a job that names none. */
export const USUAL: Limits = { max_results: 50, max_time: 1_800 }

/** The largest limits of a job. */
export const MOST: Limits = { max_results: 500, max_time: 3_600 }

/** The largest limits of a job that exhausts its area. They hold when it names none. */
export const MOST_EXHAUSTING: Limits = { max_results: 100_000, max_time: 86_400 }

/** The most places that a job names. It may store as many. */
export const MOST_PLACES = 1_000

const filled = { minLength: 1 }
const positive = { minimum: 1 }

/** An object with these fields. It allows others explicitly, because linters take a part for the whole object. */
const objectWith = (rules: Record<string, object>) => ({
  properties: rules,
  required: Object.keys(rules),
  additionalProperties: true,
})

/** An object in which these fields are absent or empty. */
const objectWithout = (...fields: string[]) => ({
  properties: Object.fromEntries(
    fields.map((field) => [field, field.startsWith('l') ? { maxLength: 0 } : { not: {} }]),
  ),
  additionalProperties: true,
})

const IS_EXHAUSTING = objectWith({ exhaust: { const: true } })

const atMost = (limit: keyof Limits, maximum: number) => ({
  properties: { [limit]: { maximum } },
  additionalProperties: true,
})

/** The bound of a limit of a job that does not exhaust its area, as JSON Schema. */
const limitRule = (limit: keyof Limits) => ({
  if: IS_EXHAUSTING,
  else:
    limit === 'max_time'
      ? atMost(limit, MOST[limit])
      : // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nothing awaits this object.
        { if: objectWith({ places: {} }), then: atMost(limit, MOST_PLACES), else: atMost(limit, MOST[limit]) },
})

/** The rule for a schema that has `max_results` alone. */
export const LIMIT_RULE = { dependentSchemas: { max_results: limitRule('max_results') } }

type LimitedJob = { exhaust?: boolean | undefined; places?: unknown } & { [Limit in keyof Limits]?: unknown }

/** Checks the bound of a limit of a job that does not exhaust its area. */
export const checkLimit =
  (limit: keyof Limits) =>
  ({ value, issues }: z.core.ParsePayload<LimitedJob>): void => {
    const requested = value[limit]
    const most = limit === 'max_results' && value.places !== undefined ? MOST_PLACES : MOST[limit]
    if (value.exhaust || typeof requested !== 'number' || requested <= most) return
    const message = `must be at most ${most} without exhaust: true`
    issues.push({ code: 'custom', input: value, path: [limit], message })
  }

/**
 * Checks that a job searches for something, or names places; also beside other faults, so that one answer names all.
 */
export const checkSubject = z.superRefine<{ keywords: string[]; places?: unknown }>(
  ({ keywords, places }, context) => {
    const isFaulty = context.issues.some(({ path }) => path?.[0] === 'keywords' || path?.[0] === 'places')
    if (isFaulty || keywords.length > 0 || places !== undefined) return
    context.addIssue({ code: 'custom', path: ['keywords'], message: 'is needed: send keywords, places or both' })
  },
  { when: ({ value }) => typeof value === 'object' && value !== null && 'keywords' in value },
)

/** The rule of `checkSubject` as JSON Schema. Not as `anyOf`: generators make several types of that. */
export const SUBJECT_RULE = { if: objectWith({ places: {} }), else: objectWith({ keywords: { minItems: 1 } }) }

/** The rules for dependent fields of a job as JSON Schema, for clients. */
export const dependentFields = {
  if: {
    anyOf: [
      objectWith({ lat: filled }),
      objectWith({ lon: filled }),
      objectWith({ radius: positive }),
      objectWith({ zoom: positive }),
    ],
  },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nothing awaits this object.
  then: { anyOf: [objectWith({ lat: filled, lon: filled }), objectWith({ near: {} })] },
  dependentSchemas: {
    area: objectWithout('bbox', 'near', 'lat', 'lon'),
    bbox: objectWithout('area', 'near', 'lat', 'lon'),
    near: objectWithout('area', 'bbox', 'lat', 'lon'),
    language: SUBJECT_RULE, // every job has a language
    exhaust: {
      if: IS_EXHAUSTING,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nothing awaits this object.
      then: {
        anyOf: [
          objectWith({ lat: filled, lon: filled, radius: positive, max_cost: {} }),
          objectWith({ area: {}, max_cost: {} }),
          objectWith({ bbox: {}, max_cost: {} }),
          objectWith({ near: {}, max_cost: {} }),
        ],
      },
    },
    max_results: limitRule('max_results'),
    max_time: limitRule('max_time'),
  },
}
