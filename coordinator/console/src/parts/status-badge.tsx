import { Badge } from '@mantine/core'

const COLORS: Record<string, string> = {
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
}

/** A status in the word of the API, in every language of the console. */
export function StatusBadge({ status, size = 'md' }: { status: string; size?: 'sm' | 'md' | 'lg' }) {
  const moving = status === 'running' || status === 'aborting'
  return (
    <Badge
      color={COLORS[status] ?? 'gray'}
      variant="light"
      size={size}
      radius="sm"
      tt="none"
      className={`state ${moving ? 'state-moving' : ''}`}
    >
      {status}
    </Badge>
  )
}
