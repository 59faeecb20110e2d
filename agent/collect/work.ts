import { collectPlaces } from './collect-places.ts'
import { discover, discoverFast, searchRun } from './discover.ts'
import type { Sink, Task, TaskContext } from './task.ts'

/**
 * Does the work of a task, and passes each place to the sink, with the contacts on its website if the job wants them.
 */
export async function doWork(context: TaskContext, task: Task, sink: Sink): Promise<void> {
  if (!task.parameters.include_emails) return collectOrDiscover(context, task, sink)
  const { addingContacts } = await import('./adding-contacts.ts') // most jobs do not request contacts
  const contacts = addingContacts(context, sink)
  await collectOrDiscover(context, task, contacts.sink).finally(contacts.done)
}

function collectOrDiscover(context: TaskContext, { work, parameters }: Task, sink: Sink): Promise<void> {
  if (work.kind === 'collect') return collectPlaces(context, work.references, sink)
  const run = searchRun(work)
  return parameters.fast_mode ? discoverFast(context, run, sink) : discover(context, run, sink)
}
