import { Alert, Box, Button, Grid, Paper, Stack } from '@mantine/core'
import { firstOf } from '@placefleet/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { jobs } from '../api/client.ts'
import { JobCode } from '../job/job-code-view.tsx'
import { JOBS_KEY, type Job, jobQuery } from '../jobs/job-queries.ts'
import { WithData } from '../parts/data-states.tsx'
import { FormFailure, useFaults } from '../parts/faults.tsx'
import { Page, Section } from '../parts/page.tsx'
import { jobCodeTexts } from '../texts/jobs.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { newJobTexts } from '../texts/new-job.ts'
import { AreaFields } from './area-fields.tsx'
import { CopiedSettings } from './copied-settings.tsx'
import { type Draft, jobDraftOf, jobRequestOf, newJobDraft, restOf } from './draft.ts'
import { EstimatePanel } from './estimate-panel.tsx'
import { OptionFields } from './option-fields.tsx'
import { WhatFields } from './what-fields.tsx'

/** The fields of the API that the form shows. */
const FIELDS = {
  keywords: ['keywords', 'places'],
  places: ['places'],
  name: ['name'],
  language: ['language'],
  max_results: ['max_results'],
  lat: ['lat', 'lon'],
  lon: ['lat', 'lon'],
  radius: ['radius', 'lat', 'lon'],
  exhaust: ['exhaust', 'lat', 'lon', 'radius'],
  max_cost: ['max_cost', 'exhaust'],
  max_reviews: ['max_reviews'],
  reviews_since: ['reviews_since'],
  categories: ['categories'],
  min_rating: ['min_rating'],
  min_review_count: ['min_review_count'],
  max_images: ['max_images'],
  depth: ['depth'],
  max_time: ['max_minutes'],
  proxies: ['proxies'],
} as const

/**
 * Creates a job. With `?from=` in the URL, the form starts with the settings of that job; with `?rest`, for what it
 * left.
 */
export default function NewJobPage() {
  const t = useTexts(newJobTexts)
  const { language } = useLanguage()
  const [params] = useSearchParams()
  const from = params.get('from')
  const model = useQuery({ ...jobQuery(from ?? ''), enabled: from !== null })
  return (
    <Page title={t.title}>
      {from === null ? (
        <NewJobForm start={newJobDraft(language)} proxiesMissing={false} />
      ) : (
        <WithData query={model}>
          {(job: Job) => (
            <NewJobForm
              start={params.has('rest') ? restOf(job) : jobDraftOf(job)}
              proxiesMissing={job.data.proxy_count > 0}
              lead={params.has('rest') ? t.restLead : undefined}
            />
          )}
        </WithData>
      )}
    </Page>
  )
}

type NewJobFormProps = { start: Draft; proxiesMissing: boolean; lead?: string | undefined }

function NewJobForm({ start, proxiesMissing, lead }: NewJobFormProps) {
  const t = useTexts(newJobTexts)
  const [draft, setDraft] = useState(start)
  const create = useCreateJob()
  const faults = useFaults(create, draft, FIELDS, t.faults)
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!create.isPending) create.mutate(draft)
  }
  const fields = { draft, change, errorOf: faults.of }
  const { proxies = [], ...request } = jobRequestOf(draft)
  const code = useTexts(jobCodeTexts)
  return (
    <form ref={faults.form} onSubmit={submit} noValidate>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            {lead !== undefined && <Alert variant="light">{lead}</Alert>}
            <Section title={t.what}>
              <WhatFields {...fields} />
            </Section>
            <Section title={t.where}>
              <AreaFields {...fields} />
            </Section>
            <CopiedSettings {...fields} />
            {proxiesMissing && <Alert color="yellow">{t.proxiesAgain}</Alert>}
            <OptionFields {...fields} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md" className="sticky">
            <EstimatePanel draft={draft} />
            <FormFailure faults={faults} />
            <Box className="submit-bar">
              <Button type="submit" size="md" fullWidth loading={create.isPending}>
                {t.create}
              </Button>
            </Box>
          </Stack>
        </Grid.Col>
      </Grid>
      <Paper withBorder component="details" className="more" mt="lg">
        <summary>{code.title}</summary>
        <Box pt="md">
          <JobCode request={request} proxies={proxies.length} />
        </Box>
      </Paper>
    </form>
  )
}

/**
 * Creates the job, or several for more places than one names. The same form creates them once, even when it is
 * submitted twice.
 */
function useCreateJob() {
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  const sent = useRef({ body: '', key: '' })
  return useMutation({
    mutationFn: async (draft: Draft) => {
      const body = jobRequestOf(draft)
      const text = JSON.stringify(body)
      if (sent.current.body !== text) sent.current = { body: text, key: crypto.randomUUID() }
      return await firstOf(jobs.createInParts(body, { idempotencyKey: sent.current.key }), Number.POSITIVE_INFINITY)
    },
    onSuccess: async ([job, ...others]) => {
      await queries.invalidateQueries({ queryKey: JOBS_KEY })
      navigate(job && others.length === 0 ? `/jobs/${job.id}` : '/jobs')
    },
  })
}
