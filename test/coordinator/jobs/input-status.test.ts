import type { InputsState } from '@placefleet/coordinator/jobs/inputs/status'
import { inputStatus } from '@placefleet/coordinator/jobs/inputs/status'
import { expect, test } from 'vitest'

const KEY = '0x1:0x2'
const CID = '2'

const state = (known: Partial<InputsState> = {}): InputsState => ({
  references: new Map([[KEY, { position: 1 }]]),
  stored: new Map(),
  isOver: false,
  isTried: () => false,
  ...known,
})

test.each<[string, string, string, boolean, Partial<InputsState>]>([
  ['an input of an open task', 'pending', KEY, true, {}],
  ['an input that the job has not listed yet', 'pending', KEY, true, { references: new Map(), isTried: () => true }],
  ['an input that its task gave up', 'failed', KEY, true, { isTried: () => true }],
  ['an input that an ended job never tried', 'failed', KEY, true, { isOver: true }],
  ['an input that was missed while its task is still tried', 'pending', KEY, true, missed('blocked')],
  [
    'an input that was missed by an ended task',
    'not_found',
    KEY,
    true,
    { ...missed('not_found'), isTried: () => true },
  ],
  ['an input that was missed by an ended job', 'out_of_area', KEY, true, { ...missed('out_of_area'), isOver: true }],
  ['an input whose place is stored', 'stored', KEY, true, storedFrom(KEY)],
  ['a stored input that an earlier attempt missed', 'stored', KEY, true, { ...missed('failed'), ...storedFrom(KEY) }],
  ['the same text a second time', 'duplicate', KEY, false, storedFrom(KEY)],
  ['a place that another text brought', 'duplicate', KEY, true, storedFrom('ChIJ')],
  ['a place that a search brought', 'duplicate', KEY, true, storedFrom(undefined)],
  ['a second text for a place that is not stored', 'duplicate', KEY, false, {}],
  [
    'a CID whose place is stored under its whole key',
    'stored',
    CID,
    true,
    { ...storedFrom(CID), references: new Map([['0x0:0x2', { position: 1, found_key: KEY }]]) },
  ],
])('%s is %s', (_, status, input, isFirst, known) => {
  expect(inputStatus(input, isFirst, state(known)).status).toBe(status)
})

function missed(reason: 'blocked' | 'not_found' | 'out_of_area' | 'failed'): Partial<InputsState> {
  return { references: new Map([[KEY, { position: 1, missed: reason }]]) }
}

function storedFrom(input: string | undefined): Partial<InputsState> {
  return { stored: new Map([[KEY, { _id: 7, ...(input !== undefined && { input }) }]]) }
}
