import { z } from 'zod'
import { JobData } from './job.ts'
import { Place, PlaceReference } from './place.ts'

/** The version of the contract between agents and coordinators. An agent sends it with every call. */
export const PROTOCOL = 1

/** The metadata that carries the version. */
export const PROTOCOL_METADATA = 'placefleet-protocol'

/** The metadata that carries the agent's EXIT_NAME. */
export const EXIT_METADATA = 'placefleet-exit'

/** The name of an exit that an operator gives. */
export const ExitName = z.string().regex(/^[\w.:-]{1,100}$/, 'must be 1 to 100 letters, digits and any of . : _ -')

/** Returns whether a peer's version works with ours: one apart at most, so either side may be updated first. */
export const isCompatible = (protocol: number): boolean => protocol > 0 && Math.abs(protocol - PROTOCOL) <= 1

/** How often an agent renews its lease on a task: three times per lease, so one heartbeat may be lost. */
export const HEARTBEAT_MS = 5_000

/** How often an agent reports its state, even when nothing changed. */
export const REGISTER_MS = 10_000

/** Keepalive of both ends: a frozen peer is detected within the sum, long before its leases end. */
export const KEEPALIVE = {
  'grpc.keepalive_time_ms': 5_000,
  'grpc.keepalive_timeout_ms': 3_000,
  'grpc.keepalive_permit_without_calls': 1,
} as const

/** The largest message that either end accepts. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024

/** The largest encoded place: several times that of a place with 500 reviews and 500 images. */
export const MAX_PLACE_BYTES = 2 * 1024 * 1024

/**
 * The options of a job that each of its tasks carries to its agent. `latitude` and `longitude` are both set or both
 * absent. `zoom` 0 is unset. `country` is the one of the centre of its area, unless the job names one.
 */
export const TaskParameters = JobData.pick({
  language: true,
  depth: true,
  fast_mode: true,
  include_emails: true,
  max_images: true,
  max_reviews: true,
  reviews_sort: true,
  reviews_since: true,
  reviews_ratings: true,
  reviewer_names: true,
  website_filter: true,
  categories: true,
  min_rating: true,
  min_review_count: true,
  has_phone: true,
  exclude_closed: true,
  zoom: true,
  radius: true,
  area: true,
  bbox: true,
  country: true,
}).extend({ latitude: z.number().optional(), longitude: z.number().optional() })
export type TaskParameters = z.infer<typeof TaskParameters>

/**
 * A place for a task to collect. `input`: the user named it and no search listed it. Then `place_key` may be `0x0:0x…`,
 * or a short link.
 */
export const TaskReference = PlaceReference.extend({
  place_key: z.string().min(1).max(8_192),
  input: z.boolean().optional(),
})
export type TaskReference = z.infer<typeof TaskReference>

const utf8 = new TextDecoder()

/**
 * Returns a place as it travels: as JSON, so that a new field needs no message. `decodePlace` restores the same place.
 */
export const encodePlace = (place: Place): Buffer => Buffer.from(JSON.stringify(place))

/**
 * Reads and validates a place: agents are not trusted more than users.
 * @throws z.ZodError that names the members that are out of bounds, or SyntaxError when the bytes are no JSON.
 */
export const decodePlace = (bytes: Uint8Array): Place => Place.parse(JSON.parse(utf8.decode(bytes)))

/** The largest numbers of items in one event. */
export const MAX_EVENT = { places: 500, references: 1_000, cells: 10_000 } as const

/** Refusals of a claim that concern the agent, not the task: the queue offers the task to another agent at once. */
const OF_THE_AGENT = ['draining', 'full', 'resting', 'proxies'] as const

/** Why a claim is refused. `fleet.proto` explains each. */
export type Refusal = (typeof OF_THE_AGENT)[number] | 'done' | 'busy' | 'stale' | 'unknown'

export const LEFT_TO_OTHERS: readonly string[] = OF_THE_AGENT

/** The most payload paths with too little data that an agent reports, and the longest text of one. */
export const MAX_DRIFTED = 20
export const MAX_DRIFTED_TEXT = 100

/** The most characters of an unknown answer that are kept. */
export const MAX_UNKNOWN_TEXT = 20_000

/** An answer of the map site that no agent understands: its beginning, without persons, tokens and addresses. */
export const UnknownAnswer = z.object({
  id: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .describe('the same for answers that look the same'),
  path: z.string().max(300).describe('the path of the request, without its parameters'),
  status: z.int().min(0).max(999).describe('the HTTP status'),
  text: z
    .string()
    .max(MAX_UNKNOWN_TEXT)
    .describe('the beginning of the answer; addresses, tokens and what persons wrote are masked'),
})
export type UnknownAnswer = z.infer<typeof UnknownAnswer>
