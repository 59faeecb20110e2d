import { Badge, Box, Table, Text, UnstyledButton } from '@mantine/core'
import { memo } from 'react'
import { OutsideLink } from '../parts/outside-link.tsx'
import { useLanguage, useTexts } from '../texts/language.ts'
import { placesTexts } from '../texts/places.ts'
import type { Place } from './place-queries.ts'
import { Rating } from './rating.tsx'

type PlacesTableProps = {
  places: Place[]
  selected: number | undefined
  onOpen(id: number): void
  /** Called with the row under the pointer, so that the map highlights it. */
  onPoint(id: number | undefined): void
}

/** A table of places. A click on a name opens the details. */
export const PlacesTable = memo(function PlacesTable({ places, selected, onOpen, onPoint }: PlacesTableProps) {
  const t = useTexts(placesTexts)
  return (
    <Box className="panel table-scroll">
      <Table verticalSpacing="xs" highlightOnHover aria-label={t.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.title}</Table.Th>
            <Table.Th>{t.rating}</Table.Th>
            <Table.Th visibleFrom="sm" className="contact-cell">
              {t.contact}
            </Table.Th>
            <Table.Th visibleFrom="xs">{t.website}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {places.map((place) => (
            <PlaceRow key={place.id} place={place} active={place.id === selected} onOpen={onOpen} onPoint={onPoint} />
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
})

type PlaceRowProps = Pick<PlacesTableProps, 'onOpen' | 'onPoint'> & { place: Place; active: boolean }

const PlaceRow = memo(function PlaceRow({ place, active, onOpen, onPoint }: PlaceRowProps) {
  const t = useTexts(placesTexts)
  const { language } = useLanguage()
  return (
    <Table.Tr
      onMouseEnter={() => onPoint(place.id)}
      onMouseLeave={() => onPoint(undefined)}
      data-active={active || undefined}
      className="place-row"
    >
      <Table.Td className="name-cell">
        <UnstyledButton onClick={() => onOpen(place.id)} onFocus={() => onPoint(place.id)} className="place-name">
          {place.title}
        </UnstyledButton>
        <Text size="xs" c="dimmed" className="breakable">
          {[place.category, place.address].filter(Boolean).join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td>
        <Rating place={place} language={language} />
      </Table.Td>
      <Table.Td visibleFrom="sm" className="contact-cell">
        <Text size="sm" className="unbroken">
          {place.phone}
        </Text>
        <Text size="xs" c="dimmed" className="breakable">
          {place.emails}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="xs" className="website-cell">
        {place.website !== '' && (
          <Text size="sm" component="div" className="one-line">
            <OutsideLink href={place.website} />
          </Text>
        )}
        <Badge size="xs" variant="default" tt="none" radius="sm">
          {t.tiers[place.web_presence]}
        </Badge>
      </Table.Td>
    </Table.Tr>
  )
})
