import { readNamedPlace } from '@placefleet/shared/named-place'
import type { TaskReference } from '@placefleet/shared/protocol'
import { namedByHttp, namedInBrowser } from '../maps/place/named.ts'
import { ask } from '../maps/requests/attempt.ts'
import { MapFailed } from '../maps/requests/failure.ts'
import { isRefusal } from '../maps/requests/verdicts.ts'
import { controlPlaceByHttp, controlPlaceInBrowser } from '../maps/search/control.ts'
import type { PlaceUrl } from '../maps/urls/place-url.ts'
import type { TaskContext } from './task.ts'

/**
 * Returns a named place with its whole key. Asks the site only for one that was named by its CID or a short link.
 * Throws MapFailed: `not_found` when the site names no place there.
 */
export async function wholeKeyOf(task: TaskContext, reference: TaskReference): Promise<PlaceUrl> {
  const named = readNamedPlace(reference.place_key)
  if (!named) throw new MapFailed('layout') // of a newer coordinator
  if (named.kind === 'key') return reference
  const { answer } = await ask<PlaceUrl>(task, {
    door: 'place',
    byHttp: (session) => namedByHttp(session, named),
    inBrowser: (tab) => namedInBrowser(tab, named),
  })
  return answer
}

/** Returns why the site gives no place to a task, not even one that a search lists. Undefined where it does. */
export async function whyUnserved(task: TaskContext): Promise<MapFailed | undefined> {
  try {
    await ask<boolean>(task, {
      door: 'place',
      byHttp: controlPlaceByHttp,
      inBrowser: controlPlaceInBrowser,
    })
    return undefined
  } catch (error) {
    if (!(error instanceof MapFailed)) throw error
    return isRefusal(error.fault) ? error : new MapFailed('unknown', error)
  }
}
