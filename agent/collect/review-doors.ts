import type { Exits } from '../maps/exits/exit.ts'
import { checkReviewDoors, type DoorCheck } from '../maps/reviews/http.ts'
import type { Identities } from '../maps/session/identities.ts'
import { createTaskSessions } from '../maps/session/task-sessions.ts'
import type { Locale } from '../maps/urls/parameters.ts'
import type { PlaceUrl } from '../maps/urls/place-url.ts'

type Deps = { readonly exits: Exits; readonly identities: Identities; readonly base: URL }

/**
 * Requests the reviews of a place from each address that lists them over plain HTTP, through the own exit. Throws
 * MapFailed while that exit rests.
 */
export async function reviewDoors({ base, ...deps }: Deps, place: PlaceUrl, locale: Locale): Promise<DoorCheck[]> {
  const { signal } = new AbortController()
  const settings = { ...deps, language: locale.language, signal, mayProbe: true }
  const sessions = createTaskSessions(settings, { task_id: 'site-check', proxies: [] })
  try {
    const { http } = await sessions.current(new Set())
    return await checkReviewDoors(http, { base, place, locale, order: 'newest' })
  } finally {
    sessions.close()
  }
}
