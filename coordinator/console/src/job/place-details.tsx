import { Anchor, Badge, Drawer, Group, List, Stack, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { weekdayName } from '../parts/formats.ts'
import { OutsideLink } from '../parts/outside-link.tsx'
import { useLanguage, useTexts } from '../texts/language.ts'
import { placesTexts } from '../texts/places.ts'
import { PlaceOffers } from './place-offers.tsx'
import { PlaceReviews } from './place-reviews.tsx'
import { Rating } from './rating.tsx'
import type { Place } from './use-places.ts'

/** All collected data of a place, beside the table. */
export function PlaceDetails({ place, onClose }: { place: Place | undefined; onClose(): void }) {
  const t = useTexts(placesTexts)
  return (
    <Drawer
      opened={place !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={<Text fw={650}>{t.details}</Text>}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      {place && <Details place={place} />}
    </Drawer>
  )
}

function Details({ place }: { place: Place }) {
  const t = useTexts(placesTexts)
  const { language } = useLanguage()
  return (
    <Stack gap="lg">
      <div>
        <Title order={2} size="h3" className="breakable">
          {place.title}
        </Title>
        {place.local_title && <Text className="breakable">{place.local_title}</Text>}
        <Text c="dimmed">{place.categories?.join(', ') || place.category}</Text>
        <Group gap="sm" mt={4}>
          <Rating place={place} language={language} />
          <Badge variant="default" tt="none" radius="sm">
            {t.tiers[place.web_presence]}
          </Badge>
        </Group>
      </div>
      {place.description && <Text className="prewrap">{place.description}</Text>}
      <Facts place={place} />
      <Hours place={place} />
      <PlaceOffers place={place} />
      <Images place={place} />
      <PlaceReviews place={place} />
    </Stack>
  )
}

function Facts({ place }: { place: Place }) {
  const t = useTexts(placesTexts)
  const { latitude, longitude } = place
  const facts: [label: string, value: ReactNode][] = [
    [t.status, place.status],
    [t.claimed, place.claimed !== undefined && (place.claimed ? t.isClaimed : t.isUnclaimed)],
    [t.address, place.address],
    [t.localAddress, place.local_address],
    [t.phone, [place.phone, ...(place.phones ?? [])].filter(Boolean).join(', ')],
    [t.phoneInternational, place.phone_e164 && <Anchor href={`tel:${place.phone_e164}`}>{place.phone_e164}</Anchor>],
    [t.emails, place.email_details?.map((detail) => <Email key={detail.email} detail={detail} />) ?? place.emails],
    [t.website, place.website && <OutsideLink href={place.website} />],
    [t.price, place.price_range],
    [t.timeSpent, place.time_spent],
    [
      t.booking,
      place.booking_links?.map(({ link, source }) => (
        <div key={link}>
          <OutsideLink href={link}>{source ?? link}</OutsideLink>
        </div>
      )),
    ],
    [t.coordinates, latitude !== undefined && longitude !== undefined && `${latitude}, ${longitude}`],
    [
      t.social,
      Object.entries(place.social_links ?? {}).map(([name, href]) => (
        <div key={name}>
          <OutsideLink href={href}>{name}</OutsideLink>
        </div>
      )),
    ],
    [t.onMap, place.link && <OutsideLink href={place.link}>{place.title}</OutsideLink>],
  ]
  return (
    <Table variant="vertical" layout="fixed" withTableBorder aria-label={t.details}>
      <Table.Tbody>
        {facts
          .filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value))
          .map(([label, value]) => (
            <Table.Tr key={label}>
              <Table.Th w={120} scope="row">
                {label}
              </Table.Th>
              <Table.Td className="breakable">{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  )
}

function Email({ detail: { email, mx, generic } }: { detail: NonNullable<Place['email_details']>[number] }) {
  const t = useTexts(placesTexts)
  const notes = [generic && t.genericEmail, mx === false && t.noMailServer].filter(Boolean)
  return (
    <div>
      <Anchor href={`mailto:${encodeURIComponent(email)}`}>{email}</Anchor>{' '}
      {notes.length > 0 && (
        <Text span size="xs" c="dimmed">
          ({notes.join(', ')})
        </Text>
      )}
    </div>
  )
}

/** The days of a week as the API names them, the first one first. */
const WEEK = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** Returns the hours of each known day of a week that begins on Monday; 0 is Sunday. */
const weekOf = (hours: Place['open_hours'] = {}) =>
  WEEK.flatMap((name, index) => {
    const times = hours[name]
    return times ? [{ day: (index + 1) % 7, times }] : []
  })

function Hours({ place }: { place: Place }) {
  const t = useTexts(placesTexts)
  const { language } = useLanguage()
  const days = weekOf(place.open_hours)
  if (days.length === 0) return null
  return (
    <div>
      <Title order={3} size="h5">
        {t.hours}
      </Title>
      <Table layout="fixed" verticalSpacing={2} aria-label={t.hours}>
        <Table.Tbody>
          {days.map(({ day, times }) => (
            <Table.Tr key={day}>
              <Table.Td w={120}>{weekdayName(day, language)}</Table.Td>
              <Table.Td>{times.join(', ')}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

/** Links to images instead of showing them: loading an image would tell its host who looks at which place. */
function Images({ place: { images } }: { place: Place }) {
  const t = useTexts(placesTexts)
  if (images.length === 0) return null
  return (
    <div>
      <Title order={3} size="h5">
        {t.images} ({images.length})
      </Title>
      <Text size="xs" c="dimmed">
        {t.imagesHint}
      </Text>
      <List size="sm">
        {images.slice(0, 50).map(({ url, title }, index) => (
          <List.Item key={url}>
            <OutsideLink href={url}>{title ?? t.image(index + 1)}</OutsideLink>
          </List.Item>
        ))}
      </List>
    </div>
  )
}
