import { Box, Button, NumberInput, SimpleGrid, Text, TextInput } from '@mantine/core'
import { Suspense } from 'react'
import { lazyChunk } from '../parts/chunk.ts'
import { Loading } from '../parts/data-states.tsx'
import { useTexts } from '../texts/language.ts'
import { newJobTexts } from '../texts/new-job.ts'
import { circleOf, type FieldsProps, numberOr } from './draft.ts'
import { TownSearch } from './town-search.tsx'

const AreaMap = lazyChunk(() => import('../map/area-map.tsx'))

const TOWN_RADIUS = 5_000

/** The area of the job: a town by name, a circle on the map, or coordinates. */
export function AreaFields({ draft, change, errorOf }: FieldsProps) {
  const t = useTexts(newJobTexts)
  return (
    <>
      <Text size="sm" c="dimmed">
        {t.whereHint}
      </Text>
      <TownSearch
        onFound={({ name, lat, lon }) =>
          change({
            town: name,
            lat: String(lat),
            lon: String(lon),
            radius: draft.radius === 0 ? TOWN_RADIUS : draft.radius,
          })
        }
      />
      <Box h={380}>
        <Suspense fallback={<Loading />}>
          <AreaMap
            circle={circleOf(draft)}
            onChange={({ lat, lon, radius }) => {
              const isMoved = String(lat) !== draft.lat || String(lon) !== draft.lon
              change({ lat: String(lat), lon: String(lon), radius, ...(isMoved && { town: '' }) })
            }}
          />
        </Suspense>
      </Box>
      <CircleInNumbers draft={draft} change={change} errorOf={errorOf} />
      {(draft.lat !== '' || draft.lon !== '') && (
        <Box>
          <Button variant="default" size="xs" onClick={() => change({ lat: '', lon: '', radius: 0, town: '' })}>
            {t.clear}
          </Button>
        </Box>
      )}
    </>
  )
}

function CircleInNumbers({ draft, change, errorOf }: FieldsProps) {
  const t = useTexts(newJobTexts)
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      <TextInput
        label={t.latitude}
        value={draft.lat}
        inputMode="decimal"
        error={errorOf('lat')}
        onChange={({ currentTarget: { value } }) => change({ lat: value.trim(), town: '' })}
      />
      <TextInput
        label={t.longitude}
        value={draft.lon}
        inputMode="decimal"
        error={errorOf('lon')}
        onChange={({ currentTarget: { value } }) => change({ lon: value.trim(), town: '' })}
      />
      <NumberInput
        label={t.radius}
        value={draft.radius}
        min={0}
        max={50_000}
        step={250}
        allowDecimal={false}
        allowNegative={false}
        error={errorOf('radius')}
        onChange={(value) => change({ radius: numberOr(value, draft.radius) })}
      />
    </SimpleGrid>
  )
}
