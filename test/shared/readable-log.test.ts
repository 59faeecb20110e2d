import { readableLine } from '@placefleet/shared/readable-log'
import { expect, test } from 'vitest'

const AT = new Date(2026, 10, 28, 9, 5, 7).getTime()

const line = (members: object) => JSON.stringify({ level: 30, time: AT, pid: 1, hostname: 'h', name: 'p', ...members })
const shown = (members: object, debug = false) => readableLine(line(members), { debug })

test.each([
  [
    'its time, message and members',
    { msg: 'agent joined', agent: 'home', slots: 4 },
    '09:05:07 agent joined agent=home slots=4\n',
  ],
  ['that it is a warning', { level: 40, msg: 'slow' }, '09:05:07 warning: slow\n'],
  ['that it is an error', { level: 50, msg: 'broken' }, '09:05:07 error: broken\n'],
  [
    'why, without the stack',
    { level: 50, msg: 'broken', err: { message: 'why', stack: 'at' } },
    '09:05:07 error: broken (why)\n',
  ],
  ['a list as JSON', { msg: 'read', names: ['a'] }, '09:05:07 read names=["a"]\n'],
  ['a failed request', { level: 40, msg: 'request', status: 500 }, '09:05:07 warning: request status=500\n'],
])('a line on a terminal says %s', (_, members, text) => {
  expect(shown(members)).toBe(text)
})

test('requests that succeed are not on a terminal, except with LOG_LEVEL=debug', () => {
  const request = { msg: 'request', route: '/api/v1/jobs', status: 200 }
  expect(shown(request)).toBeUndefined()
  expect(shown(request, true)).toBe('09:05:07 request route=/api/v1/jobs status=200\n')
})

test('LOG_LEVEL=debug shows the stack of an error', () => {
  expect(shown({ level: 50, msg: 'broken', err: { message: 'why', stack: 'at main' } }, true)).toContain('\nat main\n')
})
