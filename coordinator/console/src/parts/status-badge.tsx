import { Badge } from '@mantine/core'
import { useTexts } from '../texts/language.ts'
import type { Status } from '../texts/status.ts'
import { statusTexts } from '../texts/status.ts'

const COLORS: Record<Status, string> = {
  pending: 'gray',
  running: 'blue',
  aborting: 'orange',
  completed: 'green',
  failed: 'red',
  cancelled: 'gray',
  healthy: 'green',
  degraded: 'orange',
  disabled: 'red',
  delivered: 'green',
  dropped: 'gray',
  connected: 'green',
  draining: 'orange',
  silent: 'red',
  revoked: 'gray',
  enrolled: 'gray',
  started: 'blue',
  paused: 'orange',
  due: 'gray',
  skipped: 'orange',
  done: 'green',
  waiting: 'gray',
  released: 'gray',
  gone: 'gray',
}

/** A status, with a colour that says whether it is good. */
export function StatusBadge({ status, size = 'md' }: { status: Status; size?: 'sm' | 'md' | 'lg' }) {
  const { states } = useTexts(statusTexts)
  const moving = status === 'running' || status === 'aborting'
  return (
    <Badge
      color={COLORS[status]}
      variant="light"
      size={size}
      radius="sm"
      tt="none"
      className={`state ${moving ? 'state-moving' : ''}`}
    >
      {states[status] ?? status}
    </Badge>
  )
}
