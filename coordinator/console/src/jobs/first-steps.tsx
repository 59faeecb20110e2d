import { Anchor, Box, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { CodeBlock } from '../parts/code-block.tsx'
import { firstStepsTexts } from '../texts/first-steps.ts'
import { useTexts } from '../texts/language.ts'
import type { Job } from './job-queries.ts'

/** The next steps for a user without jobs, or with the demo job alone. */
export function FirstSteps({ demo }: { demo?: Job }) {
  const t = useTexts(firstStepsTexts)
  return (
    <Stack gap="md">
      <Title order={2} size="h4">
        {t.title}
      </Title>
      {demo && (
        <Text>
          <Anchor component={Link} href={`/jobs/${demo.id}`} underline="always">
            {t.demoLink}
          </Anchor>
          {t.demo}
        </Text>
      )}
      <Step title={t.job} hint={t.jobHint}>
        <To path="/jobs/new" label={t.jobAction} first />
      </Step>
      <Group gap="lg">
        <Anchor component={Link} href="/keys" underline="always">
          {t.key}
        </Anchor>
        <Anchor component={Link} href="/webhooks" underline="always">
          {t.webhook}
        </Anchor>
      </Group>
      <Paper withBorder component="details" className="more">
        <summary>{t.programs}</summary>
        <Box pt="md">
          <Programs />
        </Box>
      </Paper>
    </Stack>
  )
}

/** What a user can do after the demo job. */
export function AfterDemo({ job }: { job: Job }) {
  const t = useTexts(firstStepsTexts)
  return (
    <Stack gap="sm" component="section" aria-label={t.next}>
      <Title order={2} size="h4">
        {t.next}
      </Title>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <Step title={t.job} hint={t.realHint}>
          <To path="/jobs/new" label={t.jobAction} first />
        </Step>
        <Step title={t.monitor} hint={t.monitorHint}>
          <To path={`/monitors/new?from=${job.id}`} label={t.monitorAction} />
        </Step>
        <Step title={t.key} hint={t.keyHint}>
          <To path="/keys" label={t.keyAction} />
        </Step>
      </SimpleGrid>
      <Programs />
    </Stack>
  )
}

/** The lines for a terminal and for an assistant. */
function Programs() {
  const t = useTexts(firstStepsTexts)
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
      <Step title={t.terminal} hint={t.terminalHint}>
        <CodeBlock label={t.terminal}>{`npm run placefleet -- login --url ${location.origin}
npm run placefleet -- run hotel --demo`}</CodeBlock>
      </Step>
      <Step title={t.assistant} hint={t.assistantHint}>
        <CodeBlock label={t.assistant}>{MCP}</CodeBlock>
      </Step>
    </SimpleGrid>
  )
}

const MCP = JSON.stringify(
  { mcpServers: { placefleet: { url: `${location.origin}/mcp`, headers: { Authorization: 'Bearer svc_…' } } } },
  undefined,
  2,
)

function Step({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Stack gap="xs" h="100%">
        <Title order={3} size="h5">
          {title}
        </Title>
        <Text size="sm" c="dimmed" flex={1}>
          {hint}
        </Text>
        {children}
      </Stack>
    </Paper>
  )
}

const To = ({ path, label, first = false }: { path: string; label: string; first?: boolean }) => (
  <Button component={Link} href={path} variant={first ? 'filled' : 'default'} style={{ alignSelf: 'flex-start' }}>
    {label}
  </Button>
)
