import { collectPlaces } from './collect-places.ts'
import { discover, discoverFast } from './discover.ts'
import type { Sink, Task, TaskContext } from './task.ts'

/**
 * Does the work of a task, and passes each place to the sink, with the contacts on its website if the job wants them.
 */
export async function doWork(context: TaskContext, { work, parameters }: Task, sink: Sink): Promise<void> {
  // Loaded when needed: most jobs do not request contacts.
  const { addingContacts } = parameters.include_emails ? await import('./adding-contacts.ts') : {}
  const contacts = addingContacts?.(context, sink)
  const into = contacts?.sink ?? sink
  try {
    if (work.kind === 'collect') await collectPlaces(context, work.references, into)
    else await (parameters.fast_mode ? discoverFast : discover)(context, work, into)
  } finally {
    await contacts?.done()
  }
}
