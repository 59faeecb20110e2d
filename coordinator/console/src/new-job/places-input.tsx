import { Button, FileButton, Group, NativeSelect, Text, Textarea } from '@mantine/core'
import { jobParts } from '@placefleet/client'
import { readNamedPlace } from '@placefleet/shared/named-place'
import type { PlaceFile } from '@placefleet/shared/place-file/place-file'
import { type DragEvent, useState } from 'react'
import { loadPart } from '../parts/chunk.ts'
import { useTexts } from '../texts/language.ts'
import { namedPlacesTexts } from '../texts/named-places.ts'
import { type FieldsProps, jobRequestOf, placesOf } from './draft.ts'

/** The columns that exports have, in place of one that the user chooses. */
const USUAL = 'usual'

type PlaceFileReader = typeof import('@placefleet/shared/place-file/place-file')

/** A table, how to read it, the chosen column, and the lines that name no place there. */
type PlaceTable = { file: PlaceFile; reader: PlaceFileReader; column: string; wrongLines: number[] }

/** Places by name: pasted, or from a file that is chosen or dropped here. A table asks for its column. */
export function PlacesInput({ draft, change, errorOf }: FieldsProps) {
  const t = useTexts(namedPlacesTexts)
  const [table, setTable] = useState<PlaceTable>()
  const [fault, setFault] = useState('')
  const choose = (file: PlaceFile, reader: PlaceFileReader, column: string) => {
    const columns = column === USUAL ? reader.placeColumns(file) : column === '' ? [] : [Number(column)]
    const { places, wrongLines } = reader.placesIn(file, columns)
    change({ places: places.join('\n') })
    setTable({ file, reader, column, wrongLines })
  }
  const take = async (source: File) => {
    try {
      const reader = await loadPart(() => import('@placefleet/shared/place-file/place-file'))
      const file = reader.readPlaceFile(new Uint8Array(await source.arrayBuffer()))
      setFault('')
      choose(file, reader, reader.placeColumns(file).length > 0 ? USUAL : '')
    } catch (error) {
      setFault(t.placesFileFault(error instanceof Error ? error.message : String(error)))
    }
  }
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files
    if (!file) return // a text goes where it is dropped
    event.preventDefault()
    void take(file)
  }
  const named = placesOf(draft)
  const wrong = named.findIndex((place) => readNamedPlace(place) === undefined)
  return (
    <div>
      <Textarea
        label={t.namedPlaces}
        description={t.namedPlacesHint}
        value={draft.places}
        minRows={2}
        spellCheck={false}
        autoComplete="off"
        error={wrong >= 0 ? t.noPlace(named[wrong] ?? '') : errorOf('places')}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
        onChange={({ currentTarget: { value } }) => {
          setTable(undefined)
          change({ places: value })
        }}
      />
      <Group gap="xs" mt="xs" align="end">
        <FileButton accept=".csv,.tsv,.txt,text/csv,text/plain" onChange={(file) => file && take(file)}>
          {(props) => (
            <Button variant="default" size="xs" {...props}>
              {t.placesFile}
            </Button>
          )}
        </FileButton>
        {table && table.file.columns.length > 0 && (
          <NativeSelect
            size="xs"
            label={t.placesColumn}
            value={table.column}
            data={columnsOf(table, t)}
            onChange={({ currentTarget: { value } }) => choose(table.file, table.reader, value)}
          />
        )}
        <Text size="sm" role="status" c={fault !== '' || table?.wrongLines.length ? 'red' : 'dimmed'}>
          {fault} {named.length > 0 && t.namedCount(named.length, jobParts(jobRequestOf(draft)).length)}{' '}
          {table &&
            table.wrongLines.length > 0 &&
            t.leftOut(table.wrongLines.length, table.wrongLines.slice(0, 5).join(', '))}
        </Text>
      </Group>
    </div>
  )
}

function columnsOf({ file, reader }: PlaceTable, t: { usualColumns: string; chooseColumn: string }) {
  const first =
    reader.placeColumns(file).length > 0
      ? { value: USUAL, label: t.usualColumns }
      : { value: '', label: t.chooseColumn }
  return [first, ...file.columns.map((label, index) => ({ value: String(index), label }))]
}
