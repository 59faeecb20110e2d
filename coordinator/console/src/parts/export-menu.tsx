import { Button, Menu } from '@mantine/core'
import { APIConnectionError } from '@placefleet/client'
import { useMutation } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { unwrap } from '../api/client.ts'
import { useFailureNotice } from './use-action.ts'

/**
 * Asks for a file, and reads only the beginning of the answer.
 * @throws PlacefleetError when the API refuses or does not answer.
 */
async function throwRefusal(href: string): Promise<void> {
  const rest = new AbortController()
  const response = await fetch(href, { signal: rest.signal }).catch((cause) => {
    throw new APIConnectionError({ status: 0, body: {}, cause })
  })
  const error: unknown = response.ok ? undefined : await response.json()
  await unwrap(Promise.resolve({ error, response }))
  rest.abort()
}

const NAMES = { csv: 'CSV', xlsx: 'Excel', jsonl: 'JSON Lines', geojson: 'GeoJSON', parquet: 'Parquet' } as const
type Format = keyof typeof NAMES

/** Excel reads accents in a CSV only with a byte order mark. */
const FOR_PEOPLE = { bom: 'true' }

const ALL: readonly Format[] = ['csv', 'xlsx', 'jsonl', 'geojson', 'parquet']

type ExportMenuProps = {
  /** The text of the button. */
  label: string
  /** Says what the files contain. */
  hint?: string | undefined
  variant?: 'default' | 'filled'
  size?: 'xs' | 'sm'
  /** The path of the download, without its format. */
  path: string
  query?: Record<string, string>
  /** Whether the API lets a CSV have a byte order mark. */
  hasLayout?: boolean
  formats?: readonly Format[] | undefined
}

/** Downloads a file in one of the formats of the API. */
export function ExportMenu({
  label,
  hint,
  variant = 'default',
  size = 'sm',
  path,
  query = {},
  hasLayout = true,
  formats = ALL,
}: ExportMenuProps) {
  const download = useDownload()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant={variant} size={size} loading={download.isPending}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {hint !== undefined && <Menu.Label>{hint}</Menu.Label>}
        {formats.map((format) => (
          <Menu.Item
            key={format}
            component="a"
            href={`${path}?${new URLSearchParams({ format, ...query, ...(format === 'csv' && hasLayout && FOR_PEOPLE) })}`}
            download
            onClick={(event: MouseEvent<HTMLAnchorElement>) => {
              event.preventDefault()
              download.mutate(event.currentTarget.href)
            }}
          >
            {NAMES[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Downloads a file, or says why there is none. A link alone would end as a failed download without a reason. */
function useDownload() {
  const onError = useFailureNotice()
  return useMutation({
    mutationFn: throwRefusal,
    onSuccess: (_, href) => Object.assign(document.createElement('a'), { href, download: '' }).click(),
    onError,
  })
}
