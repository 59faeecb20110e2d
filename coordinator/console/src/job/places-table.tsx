import { Badge, Text, UnstyledButton } from '@mantine/core'
import { memo, useCallback, useMemo } from 'react'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { OutsideLink } from '../parts/outside-link.tsx'
import { useLanguage, useTexts } from '../texts/language.ts'
import { placesTexts } from '../texts/places.ts'
import { Rating } from './rating.tsx'
import type { Place } from './use-places.ts'

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
  const { language } = useLanguage()
  const columns = useMemo<Column<Place>[]>(
    () => [
      {
        title: t.title,
        className: 'name-cell',
        cell: (place) => (
          <>
            <UnstyledButton onClick={() => onOpen(place.id)} onFocus={() => onPoint(place.id)} className="place-name">
              {place.title}
            </UnstyledButton>
            <Rating place={place} language={language} />
            <Text size="xs" c="dimmed" className="breakable">
              {[place.category, place.address].filter(Boolean).join(' · ')}
            </Text>
          </>
        ),
      },
      { title: t.contact, className: 'contact-cell', cell: Contact },
      { title: t.website, from: 'xs', className: 'website-cell', cell: (place) => <Website place={place} /> },
    ],
    [t, language, onOpen, onPoint],
  )
  const pointAt = useCallback((place: Place | undefined) => onPoint(place?.id), [onPoint])
  return (
    <DataTable
      dense
      label={t.table}
      rows={places}
      columns={columns}
      keyOf={({ id }) => id}
      active={selected}
      onPoint={pointAt}
    />
  )
})

const Contact = ({ phone, emails }: Place) => (
  <>
    <Text size="sm" className="one-line">
      {phone}
    </Text>
    <Text size="xs" c="dimmed" className="breakable">
      {emails}
    </Text>
  </>
)

function Website({ place }: { place: Place }) {
  const t = useTexts(placesTexts)
  return (
    <>
      {place.website !== '' && (
        <Text size="sm" component="div" className="one-line">
          <OutsideLink href={place.website} />
        </Text>
      )}
      <Badge size="xs" variant="default" tt="none" radius="sm">
        {t.tiers[place.web_presence]}
      </Badge>
    </>
  )
}
