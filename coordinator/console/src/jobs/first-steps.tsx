import { Button, Paper, SimpleGrid, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { Link } from 'wouter'
import { firstStepsTexts } from '../texts/first-steps.ts'
import { useTexts } from '../texts/language.tsx'

/** The next steps for a user without jobs. */
export function FirstSteps({ demo = false }: { demo?: boolean }) {
  const t = useTexts(firstStepsTexts)
  const steps = [
    { title: t.job, hint: t.jobHint, action: t.jobAction, path: '/jobs/new' },
    { title: t.key, hint: t.keyHint, action: t.keyAction, path: '/keys' },
    { title: t.webhook, hint: t.webhookHint, action: t.webhookAction, path: '/webhooks' },
  ]
  return (
    <Stack gap="md">
      <Title order={2} size="h4">
        {t.title}
      </Title>
      {demo && <Text>{t.demo}</Text>}
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        {steps.map(({ title, hint, action, path }, index) => (
          <Paper key={path} withBorder p="lg">
            <Stack gap="xs" align="flex-start" h="100%">
              <ThemeIcon radius="xl" variant="light" aria-hidden="true">
                {index + 1}
              </ThemeIcon>
              <Title order={3} size="h5">
                {title}
              </Title>
              <Text size="sm" c="dimmed" className="grows">
                {hint}
              </Text>
              <Button component={Link} href={path} variant={index === 0 ? 'filled' : 'default'}>
                {action}
              </Button>
            </Stack>
          </Paper>
        ))}
      </SimpleGrid>
    </Stack>
  )
}
