import { Badge, Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Empty, WithData } from '../parts/data-states.tsx'
import { Time } from '../parts/time.tsx'
import { useTexts } from '../texts/language.ts'
import { operationsTexts } from '../texts/operations.ts'
import { supportTexts } from '../texts/support.ts'
import { supportQuery } from './operation-queries.ts'

/** Support requests, newest first. */
export function SupportRequests() {
  const t = useTexts(operationsTexts)
  const { categories } = useTexts(supportTexts)
  const requests = useQuery(supportQuery)
  return (
    <WithData query={requests}>
      {(all) =>
        all.length === 0 ? (
          <Empty title={t.noSupport} hint={t.noSupportHint} />
        ) : (
          <Stack gap="sm">
            {all.map((request) => (
              <Paper key={request.id} withBorder p="md">
                <Group gap="xs">
                  <Badge variant="default" tt="none" radius="sm">
                    {categories[request.category]}
                  </Badge>
                  <Text size="sm" fw={600} className="breakable">
                    {request.subject}
                  </Text>
                  <Text size="sm" c="dimmed" className="breakable">
                    {t.from} {request.email ?? request.user_id}, <Time at={request.created_at} />
                  </Text>
                </Group>
                <Text size="sm" className="prewrap" mt="xs">
                  {request.message}
                </Text>
              </Paper>
            ))}
          </Stack>
        )
      }
    </WithData>
  )
}
