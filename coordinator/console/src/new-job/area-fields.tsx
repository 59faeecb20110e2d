import { Box, Button, FileButton, Group, NumberInput, SimpleGrid, Text, TextInput } from '@mantine/core'
import { geometryOfFile } from '@placefleet/shared/area/geojson'
import { townRadius } from '@placefleet/shared/great-circle'
import { type DragEvent, Suspense, useState } from 'react'
import { lazyChunk } from '../parts/chunk.ts'
import { Loading } from '../parts/data-states.tsx'
import { useTexts } from '../texts/language.ts'
import { newJobTexts } from '../texts/new-job.ts'
import {
  type Corner,
  circleOf,
  cornersOf,
  type Draft,
  type FieldsProps,
  isCrossed,
  numberOr,
  shapeOf,
  WITHOUT_AREA,
} from './draft.ts'
import { TownSearch } from './town-search.tsx'

const AreaMap = lazyChunk(() => import('../map/area-map.tsx'))

/** The area of the job: a town by name, a circle or a shape on the map, a GeoJSON file, or coordinates. */
export function AreaFields({ draft, change, errorOf }: FieldsProps) {
  const t = useTexts(newJobTexts)
  const [begun, setBegun] = useState<Corner[]>() // a shape of fewer than three corners
  const [fileFault, setFileFault] = useState<string>()
  const { area } = draft
  const replace = (changes: Partial<Draft>) => {
    setBegun(undefined)
    setFileFault(undefined)
    change({ ...WITHOUT_AREA, ...changes })
  }
  const changeCorners = (corners: Corner[]) => {
    replace({ area: corners.length < 3 ? undefined : shapeOf(corners) })
    if (corners.length < 3) setBegun(corners)
  }
  const take = async (file: File) => {
    try {
      replace({ area: geometryOfFile(JSON.parse(await file.text())) })
    } catch (error) {
      setFileFault(error instanceof Error ? error.message : String(error))
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    const [file] = event.dataTransfer.files
    if (file) void take(file)
  }
  const hasArea = draft.lat !== '' || draft.lon !== '' || area !== undefined || begun !== undefined
  return (
    <>
      <Text size="sm" c="dimmed">
        {t.whereHint}
      </Text>
      <TownSearch
        onFound={({ name, lat, lon, population }) =>
          replace({ town: name, lat: String(lat), lon: String(lon), radius: townRadius(population) })
        }
      />
      <Box h={380} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <Suspense fallback={<Loading />}>
          <AreaMap
            circle={circleOf(draft)}
            area={area}
            corners={begun ?? cornersOf(area)}
            onCorners={changeCorners}
            onChange={({ lat, lon, radius }) => {
              const isMoved = String(lat) !== draft.lat || String(lon) !== draft.lon
              replace({ lat: String(lat), lon: String(lon), radius, ...(!isMoved && { town: draft.town }) })
            }}
          />
        </Suspense>
      </Box>
      <Text size="sm" role="status" c={fileFault !== undefined || isCrossed(area) ? 'red' : 'dimmed'}>
        {fileFault !== undefined && t.fileFault(fileFault)} {isCrossed(area) && t.crossed}{' '}
        {area && t.shape(area.coordinates.flat(area.type === 'Polygon' ? 1 : 2).length)} {begun && t.drawHint}
      </Text>
      {!area && !begun && <CircleInNumbers draft={draft} change={change} errorOf={errorOf} />}
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={() => changeCorners([])}>
          {t.draw}
        </Button>
        <FileButton
          accept=".geojson,.json,application/geo+json,application/json"
          onChange={(file) => file && take(file)}
        >
          {(props) => (
            <Button variant="default" size="xs" {...props}>
              {t.file}
            </Button>
          )}
        </FileButton>
        {hasArea && (
          <Button variant="default" size="xs" onClick={() => replace({})}>
            {t.clear}
          </Button>
        )}
      </Group>
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
