import { Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'
import { useDraft } from '../parts/draft.ts'
import { ConflictNotice } from '../parts/faults.tsx'
import { useTexts } from '../texts/language.ts'
import { monitorsTexts } from '../texts/monitors.ts'
import { changesJob, changesOf, type MonitorDraft, monitorDraftOf } from './draft.ts'
import { MonitorForm } from './monitor-form.tsx'
import { MONITORS_KEY, type Monitor } from './monitor-queries.ts'

/** Changes the settings of a monitor. A run that has begun keeps the old ones. */
export function MonitorSettings({ monitor }: { monitor: Monitor }) {
  const t = useTexts(monitorsTexts)
  const queries = useQueryClient()
  const { draft, change, conflicts, reset } = useDraft(monitorDraftOf(monitor))
  const save = useMutation({
    mutationFn: (sent: MonitorDraft) => {
      const path = { params: { path: { id: monitor.id } } }
      return unwrap(api.PATCH('/api/v1/monitors/{id}', { ...path, body: changesOf(monitor, sent) }))
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: MONITORS_KEY })
      reset()
    },
  })
  const edit = (next: MonitorDraft) => {
    if (save.isSuccess) save.reset() // the note that it is saved
    change(next)
  }
  return (
    <Stack>
      <ConflictNotice conflicts={conflicts} onReset={reset} />
      <MonitorForm
        draft={draft}
        action={t.save}
        asksProxies={monitor.job.proxy_count > 0 && changesJob(monitor, draft)}
        isFree={monitor.job.demo === true}
        done={save.isSuccess ? t.saved : undefined}
        sent={save}
        pending={save.isPending}
        onChange={edit}
        onSubmit={() => save.mutate(draft)}
      />
    </Stack>
  )
}
