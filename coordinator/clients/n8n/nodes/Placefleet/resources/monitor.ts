import type { INodeProperties } from 'n8n-workflow'
import { IDEMPOTENCY } from './job'
import { jobFields } from './job-fields'
import { itemsIn, listFields } from './lists'

const show = (...operation: string[]) => ({ show: { resource: ['monitor'], operation } })

const PATH = '=/api/v1/monitors/{{ encodeURIComponent($parameter["monitorId"]) }}'

const operations: INodeProperties = {
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  displayOptions: { show: { resource: ['monitor'] } },
  options: [
    {
      name: 'Create',
      value: 'create',
      action: 'Create a monitor',
      description: 'Create a monitor, which creates the same job again and again',
      routing: { request: { method: 'POST', url: '/api/v1/monitors', headers: IDEMPOTENCY } },
    },
    {
      name: 'Delete',
      value: 'delete',
      action: 'Delete a monitor',
      description: 'Delete a monitor with its changes; its jobs stay',
      routing: {
        request: { method: 'DELETE', url: PATH },
        output: { postReceive: [{ type: 'set', properties: { value: '={{ { "deleted": true } }}' } }] },
      },
    },
    {
      name: 'Get Changes',
      value: 'getChanges',
      action: 'Get the changes that a monitor found',
      description: 'Get new, changed and vanished places, the oldest first',
      routing: { request: { method: 'GET', url: `${PATH}/changes` }, output: itemsIn('changes') },
    },
    {
      name: 'Get Many',
      value: 'getAll',
      action: 'Get many monitors',
      description: 'Get your monitors, the oldest first',
      routing: { request: { method: 'GET', url: '/api/v1/monitors' }, output: itemsIn('monitors') },
    },
    {
      name: 'Pause',
      value: 'pause',
      action: 'Pause a monitor',
      description: 'Run a monitor no more until it is resumed',
      routing: { request: { method: 'PATCH', url: PATH, body: { paused: true } } },
    },
    {
      name: 'Resume',
      value: 'resume',
      action: 'Resume a monitor',
      description: 'Run a paused monitor again, without the missed runs',
      routing: { request: { method: 'PATCH', url: PATH, body: { paused: false } } },
    },
    {
      name: 'Run',
      value: 'run',
      action: 'Run a monitor now',
      description: 'Create the job of a monitor now, beside its schedule',
      routing: { request: { method: 'POST', url: `${PATH}/run`, headers: IDEMPOTENCY, body: {} } },
    },
  ],
  default: 'getChanges',
}

const fields: INodeProperties[] = [
  {
    displayName: 'Monitor ID',
    name: 'monitorId',
    type: 'string',
    required: true,
    default: '',
    displayOptions: show('delete', 'getChanges', 'pause', 'resume', 'run'),
  },
  {
    displayName: 'Name',
    name: 'name',
    type: 'string',
    required: true,
    default: '',
    description: 'A name for you',
    displayOptions: show('create'),
    routing: {
      send: { type: 'body', property: 'name' },
      request: { body: { job: { name: '={{ $value }}' } } },
    },
  },
  {
    displayName: 'Every',
    name: 'every',
    type: 'string',
    required: true,
    default: '7d',
    placeholder: 'e.g. 12h',
    description: 'The interval between runs in minutes, hours or days: 90m, 12h, 7d',
    displayOptions: show('create'),
    routing: { send: { type: 'body', property: 'schedule.every' } },
  },
  ...jobFields(show('create'), 'job.'),
  {
    displayName: 'After',
    name: 'after',
    type: 'number',
    default: 0,
    description: 'The sequence of the last change that you have',
    displayOptions: show('getChanges'),
    routing: { send: { type: 'query', property: 'after' } },
  },
  ...listFields(show('getChanges'), 'after: $response.body?.changes?.at(-1)?.sequence ?? $request.qs.after'),
]

export const monitorDescription: INodeProperties[] = [operations, ...fields]
