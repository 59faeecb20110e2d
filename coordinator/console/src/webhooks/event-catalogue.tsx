import { Accordion, Badge, Stack, Text, Title } from '@mantine/core'
import { DELIVERY_EVENTS } from '@placefleet/shared/webhooks/job-event'
import { CodeBlock } from '../parts/code-block.tsx'
import { useTexts } from '../texts/language.ts'
import { webhooksTexts } from '../texts/webhooks.ts'
import { HEADERS, requestOfEvent } from './event-examples.ts'

/** What a webhook receives: each event with an example of its request. */
export function EventCatalogue() {
  const t = useTexts(webhooksTexts)
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t.catalogue}
      </Title>
      <Text size="sm" c="dimmed">
        {t.catalogueLead}
      </Text>
      <Accordion variant="contained" order={3} classNames={{ item: 'event' }}>
        {DELIVERY_EVENTS.map((event) => (
          <Accordion.Item key={event} value={event}>
            <Accordion.Control>
              <Badge variant="light" tt="none" radius="sm">
                {event}
              </Badge>{' '}
              <Text span size="sm">
                {t.events[event]}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              <CodeBlock label={t.exampleOf(event)}>{requestOfEvent(event)}</CodeBlock>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
        <Accordion.Item value="headers">
          <Accordion.Control>
            <Text span size="sm">
              {t.headersTitle}
            </Text>
          </Accordion.Control>
          <Accordion.Panel>
            <Stack gap="xs" component="dl" m={0}>
              {Object.keys(HEADERS).map((name) => (
                <div key={name}>
                  <Text component="dt" size="sm" ff="monospace">
                    {name}
                  </Text>
                  <Text component="dd" size="sm" c="dimmed" m={0}>
                    {t.headers[name] ?? ''}
                  </Text>
                </div>
              ))}
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  )
}
