import type { components } from '../schema.d.ts'

type Schemas = components['schemas']
export type Job = Schemas['Job']
export type Place = Schemas['Result']
export type JobTask = Schemas['JobTask']
export type CreateJobRequest = Schemas['CreateJobRequest']

/** Returns whether a job has ended. */
export const hasEnded = ({ status }: Pick<Job, 'status'>): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

/** The most places that one job names. */
const MOST_PLACES = 1_000

/** The service takes 256 KiB in one request. A monitor has more around its job. */
const MOST_BYTES = 250 * 1_024

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length

/**
 * Divides a job with any number of `places` into jobs that the service takes, each text once. They share `max_cost` and
 * `max_results` by their numbers of places, and the first one has the keywords. A job that fits stays as it is.
 */
export function jobParts(job: CreateJobRequest): CreateJobRequest[] {
  const { places = [], keywords, exhaust, max_results, max_cost, ...same } = job
  if (places.length <= MOST_PLACES && bytesOf(job) <= MOST_BYTES) return [job]
  const distinct = [...new Set(places)]
  const groups = groupsOf(distinct, MOST_BYTES - bytesOf({ ...job, places: [] }))
  let before = 0
  const parts = groups.flatMap((group, index): Omit<CreateJobRequest, 'name'>[] => {
    const range: Range = { from: before, to: before + group.length, of: distinct.length }
    before = range.to
    const most = max_results === undefined ? undefined : Number(shareOf(BigInt(max_results), range))
    if (most === 0) return []
    return [
      {
        ...same,
        places: group,
        ...(index === 0 && keywords && { keywords }),
        ...(index === 0 && exhaust !== undefined && { exhaust }),
        ...(most !== undefined && { max_results: most }),
        ...(max_cost !== undefined && { max_cost: costShare(max_cost, range) }),
      },
    ]
  })
  return parts.map((part, index) => ({ ...part, name: nameOfPart(job.name, index, parts.length) }))
}

const LONGEST_NAME = 200

/** Returns the name of a part, e.g. `shops (2 of 5)`. By characters, so that no pair of surrogates is cut. */
export function nameOfPart(name: string, index: number, parts: number): string {
  const which = parts === 1 ? '' : ` (${index + 1} of ${parts})`
  return `${[...name].slice(0, LONGEST_NAME - which.length).join('')}${which}`
}

/** Divides places into groups that have at most 1,000 of them and so many bytes in JSON. */
function groupsOf(places: readonly string[], mostBytes: number): string[][] {
  const groups: string[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const place of places) {
    const size = bytesOf(place) + 1
    const last = groups.at(-1)
    if (last && last.length < MOST_PLACES && bytes + size <= mostBytes) {
      last.push(place)
      bytes += size
    } else {
      groups.push([place])
      bytes = size
    }
  }
  return groups
}

/** The places of a part among all. */
type Range = { from: number; to: number; of: number }

/** The shares of all parts are the whole amount. */
const shareOf = (amount: bigint, { from, to, of }: Range): bigint =>
  (amount * BigInt(to)) / BigInt(of) - (amount * BigInt(from)) / BigInt(of)

const MICRO = 1_000_000n

function costShare(amount: string, range: Range): string {
  const [, whole = '', decimals = ''] = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(amount) ?? []
  if (whole === '') return amount // the service says what is wrong
  const share = shareOf(BigInt(whole) * MICRO + BigInt(decimals.padEnd(6, '0')), range)
  return `${share / MICRO}.${String(share % MICRO).padStart(6, '0')}`
}
