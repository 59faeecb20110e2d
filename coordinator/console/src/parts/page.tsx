import { ActionIcon, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { commonTexts } from '../texts/common.ts'
import { useTexts } from '../texts/language.ts'

/** The guide to each part of the console, by the first name in its path. */
const GUIDES: Readonly<Record<string, string>> = {
  jobs: 'jobs',
  monitors: 'monitors',
  'known-places': 'places',
  keys: 'api',
  credits: 'jobs',
  webhooks: 'webhooks',
  connect: 'api',
  account: 'start',
  support: 'start',
  fleet: 'agents',
  operations: 'operate',
}

/** Returns the address of the guide to a page of the console; undefined when it has none. */
function guideOf(path: string): string | undefined {
  const guide = GUIDES[path.split('/')[1] ?? '']
  return guide && `/guides/${guide}`
}

type PageProps = {
  title: string
  /** The sentence below the title. */
  lead?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** Whether a page was shown before in this frame: a reference that the frame keeps. */
export const ShownBefore = createContext({ current: false })

/** A page. Its title is also the title of the tab, and gets the focus when the user comes from another page. */
export function Page({ title, lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shownBefore = useContext(ShownBefore)
  useEffect(() => {
    document.title = `${title} · Placefleet`
  }, [title])
  useEffect(() => {
    if (shownBefore.current) heading.current?.focus({ preventScroll: true })
    shownBefore.current = true
  }, [shownBefore])
  return (
    <Stack gap="lg" className="page">
      <div className="page-head">
        <Title order={1} size="h2" ref={heading} tabIndex={-1} className="page-heading">
          {title}
        </Title>
        {lead !== undefined && (
          <Text c="dimmed" component="div" className="page-lead">
            {lead}
          </Text>
        )}
        <Group gap="xs" className="page-actions">
          {actions}
          <Guide />
        </Group>
      </div>
      {children}
    </Stack>
  )
}

/** Leads to the guide to the page. */
function Guide() {
  const t = useTexts(commonTexts)
  const [path] = useLocation()
  const guide = guideOf(path)
  if (guide === undefined) return null
  return (
    <ActionIcon
      component="a"
      href={guide}
      target="_blank"
      rel="noopener"
      variant="default"
      size="lg"
      title={t.guide}
      aria-label={t.guide}
    >
      ?
    </ActionIcon>
  )
}

/** A part of a page with its own heading. Beside others in a row it has their height. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} h="100%">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  )
}

export function Figure({ label, value, hint }: { label: string; value: ReactNode; hint?: ReactNode }) {
  return (
    <Paper withBorder px="md" py="sm" className="figure">
      <Text size="xs" c="dimmed" component="div">
        {label}
      </Text>
      <Text fw={650} size="xl" component="div" className="figures">
        {value}
      </Text>
      {hint !== undefined && (
        <Text size="xs" c="dimmed" component="div">
          {hint}
        </Text>
      )}
    </Paper>
  )
}
