import { Button, Group, Paper, Stack, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { FormFailure, useFaults } from '../parts/faults.tsx'
import { linesOf } from '../parts/lines.ts'
import { fleetTexts } from '../texts/fleet.ts'
import { useTexts } from '../texts/language.ts'
import { FLEET_KEY } from './fleet-queries.ts'

/** Adds proxies to the pool. They may hold passwords, so the browser neither completes nor checks the text. */
export function AddProxies() {
  const t = useTexts(fleetTexts)
  const queries = useQueryClient()
  const [proxies, setProxies] = useState('')
  const add = useMutation({
    mutationFn: (sent: { proxies: string }) =>
      unwrap(api.POST('/api/v1/admin/exits', { body: { proxies: linesOf(sent.proxies) } })),
    onSuccess() {
      setProxies('')
      return queries.invalidateQueries({ queryKey: FLEET_KEY })
    },
  })
  const faults = useFaults(add, { proxies }, { proxies: ['proxies'] }, { proxies: t.proxiesFault })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate({ proxies })
  }
  return (
    <Paper withBorder p="lg" component="form" ref={faults.form} onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Textarea
          label={t.pool}
          description={t.poolHint}
          value={proxies}
          minRows={2}
          spellCheck={false}
          autoComplete="off"
          error={faults.of('proxies')}
          onChange={({ currentTarget: { value } }) => setProxies(value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={add.isPending}>
            {t.addProxies}
          </Button>
        </Group>
        <FormFailure faults={faults} />
      </Stack>
    </Paper>
  )
}
