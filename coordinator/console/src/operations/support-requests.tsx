import { Badge, Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'
import { Empty, WithData } from '../parts/data-states.tsx'
import { Time } from '../parts/time.tsx'
import { useTexts } from '../texts/language.ts'
import { operationsTexts } from '../texts/operations.ts'

/** Support requests, newest first. */
export function SupportRequests() {
  const t = useTexts(operationsTexts)
  const letters = useQuery({
    queryKey: ['operations', 'support'],
    queryFn: async () => (await unwrap(api.GET('/api/v1/admin/support'))).requests,
    refetchInterval: 30_000,
  })
  return (
    <WithData query={letters}>
      {(all) =>
        all.length === 0 ? (
          <Empty title={t.noSupport} hint={t.noSupportHint} />
        ) : (
          <Stack gap="sm">
            {all.map((letter) => (
              <Paper key={letter.id} withBorder p="md">
                <Group gap="xs">
                  <Badge variant="default" tt="none" radius="sm">
                    {letter.category}
                  </Badge>
                  <Text size="sm" fw={600} className="breakable">
                    {letter.subject}
                  </Text>
                  <Text size="sm" c="dimmed" className="breakable">
                    {t.from} {letter.email ?? letter.user_id}, <Time at={letter.created_at} />
                  </Text>
                </Group>
                <Text size="sm" className="prewrap" mt="xs">
                  {letter.message}
                </Text>
              </Paper>
            ))}
          </Stack>
        )
      }
    </WithData>
  )
}
