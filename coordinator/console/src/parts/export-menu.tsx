import { Button, Menu } from '@mantine/core'

const FORMATS = { csv: 'CSV', xlsx: 'Excel', jsonl: 'JSON Lines', geojson: 'GeoJSON', parquet: 'Parquet' } as const

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
}

/** Downloads places as a file in one of the formats of the API. */
export function ExportMenu({ label, hint, variant = 'default', size = 'sm', path, query = {} }: ExportMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant={variant} size={size}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {hint !== undefined && <Menu.Label>{hint}</Menu.Label>}
        {Object.entries(FORMATS).map(([format, name]) => (
          <Menu.Item key={format} component="a" href={`${path}?${new URLSearchParams({ format, ...query })}`} download>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
