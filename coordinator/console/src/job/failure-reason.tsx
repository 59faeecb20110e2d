import { List, Stack, Text } from '@mantine/core'
import { readProxyFailures } from '@placefleet/shared/proxy-failures'
import { jobTexts } from '../texts/job.ts'
import { useTexts } from '../texts/language.ts'

/** Why a job failed: the reasons of its proxies in the user's language, otherwise the words of the API. */
export function FailureReason({ reason }: { reason: string }) {
  const t = useTexts(jobTexts)
  const proxies = readProxyFailures(reason)
  if (proxies.length === 0) {
    return (
      <Text size="sm" c="dimmed" ff="monospace" className="breakable" lang="en">
        {reason}
      </Text>
    )
  }
  return (
    <Stack gap={4}>
      <Text size="sm">{t.failedProxies}</Text>
      <List size="sm" type="unordered" aria-label={t.failedProxies}>
        {proxies.map(({ proxies, fault, status }) => (
          <List.Item key={proxies}>
            <b>{proxies}</b>: {t.proxyFaults[fault]}
            {status !== undefined && ` (HTTP ${status})`}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
