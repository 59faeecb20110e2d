import type { SearchedCell } from '@placefleet/shared/coverage'
import type { Place } from '@placefleet/shared/place'
import pLimit from 'p-limit'
import type { Sink, TaskContext } from './task.ts'
import { contactsOnWebsite } from './website-contacts.ts'

const AT_ONCE = 5
/** How many places may wait for their websites. Their number bounds what a stopped task has collected in vain. */
const MOST_WAITING = 100

/**
 * Adds the contacts on its website to each place before it reaches the sink. The place is taken at once, so that a slow
 * website never stops the requests to the map site. A searched cell waits for the places before it: who continues the
 * task does not search it again.
 */
export function addingContacts(task: TaskContext, sink: Sink) {
  const limit = pLimit(AT_ONCE)
  const places = new Set<Promise<void>>()
  let cells = Promise.resolve()
  let failure: unknown
  const pass = async (place: Place) => {
    task.signal.throwIfAborted()
    await sink.place({ ...place, ...(await contactsOnWebsite(task, place)) })
  }
  return {
    sink: {
      references: sink.references,
      input: sink.input,
      async place(place: Place) {
        while (places.size >= MOST_WAITING) await Promise.race(places)
        const passed = limit(pass, place)
          .catch((error: unknown) => {
            failure ??= error
          })
          .finally(() => places.delete(passed))
        places.add(passed)
      },
      cells(searched: SearchedCell[]) {
        const before = [cells, ...places]
        cells = Promise.all(before).then(() => {
          if (failure === undefined) sink.cells(searched)
        })
      },
    },
    /**
     * Resolves when all places are passed on. Throws the first failure of the sink, or the abort reason of the task.
     */
    async done(): Promise<void> {
      await Promise.all([cells, ...places])
      if (failure !== undefined) throw failure
    },
  }
}
