import type { INodeProperties } from 'n8n-workflow'
import { jobFields } from './job-fields'
import { BY_PAGE, itemsIn, listFields } from './lists'

const show = (...operation: string[]) => ({ show: { resource: ['job'], operation } })

const PATH = '=/api/v1/jobs/{{ encodeURIComponent($parameter["jobId"]) }}'

/** A repeated request creates nothing again: n8n may retry a node that failed. */
export const IDEMPOTENCY = { 'Idempotency-Key': '={{ $execution.id }}-{{ $nodeId }}-{{ $runIndex }}-{{ $itemIndex }}' }

/** The service answers when the status has changed, or after a minute. Only the job that has ended becomes an item. */
const HAS_ENDED = '["completed", "failed", "cancelled"].includes'

const operations: INodeProperties = {
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  displayOptions: { show: { resource: ['job'] } },
  options: [
    {
      name: 'Cancel',
      value: 'cancel',
      action: 'Cancel a job',
      description: 'Cancel a job; its stored places stay',
      routing: {
        request: { method: 'POST', url: `${PATH}/cancel`, body: {} },
        output: { postReceive: [{ type: 'set', properties: { value: '={{ { "success": true } }}' } }] },
      },
    },
    {
      name: 'Create',
      value: 'create',
      action: 'Create a job',
      description: 'Create a job, which then collects places',
      routing: { request: { method: 'POST', url: '/api/v1/jobs', headers: IDEMPOTENCY } },
    },
    {
      name: 'Estimate',
      value: 'estimate',
      action: 'Estimate a job',
      description: 'Get what a job would cost, and how long it would take',
      routing: { request: { method: 'POST', url: '/api/v1/jobs/estimates' } },
    },
    {
      name: 'Export',
      value: 'export',
      action: 'Export the places of a job',
      description: 'Get the file of an ended job',
      routing: {
        request: {
          method: 'GET',
          url: `${PATH}/download`,
          encoding: 'arraybuffer',
          json: false,
          headers: { Accept: '*/*' },
        },
        output: {
          postReceive: [
            {
              type: 'set',
              properties: { value: '={{ { "jobId": $parameter["jobId"], "format": $parameter["format"] } }}' },
            },
            { type: 'binaryData', properties: { destinationProperty: 'data' } },
          ],
        },
      },
    },
    {
      name: 'Get',
      value: 'get',
      action: 'Get a job',
      description: 'Get the status, the progress and the cost of a job',
      routing: { request: { method: 'GET', url: PATH } },
    },
    {
      name: 'Get Inputs',
      value: 'getInputs',
      action: 'Get the inputs of a job',
      description: 'Get what became of each of the places that a job was to collect',
      routing: { request: { method: 'GET', url: `${PATH}/inputs` }, output: itemsIn('inputs') },
    },
    {
      name: 'Get Many',
      value: 'getAll',
      action: 'Get many jobs',
      description: 'Get your jobs, the newest first',
      routing: { request: { method: 'GET', url: '/api/v1/jobs' }, output: itemsIn('jobs') },
    },
    {
      name: 'Get Places',
      value: 'getPlaces',
      action: 'Get the places of a job',
      description: 'Get the places that a job has stored',
      routing: { request: { method: 'GET', url: `${PATH}/results` }, output: itemsIn('results') },
    },
    {
      name: 'Wait',
      value: 'wait',
      action: 'Wait for the end of a job',
      description: 'Wait until a job has ended, and get it',
      routing: {
        request: { method: 'GET', url: PATH, qs: { wait: 60 } },
        send: { paginate: true },
        operations: {
          pagination: {
            type: 'generic',
            properties: { continue: `={{ !${HAS_ENDED}($response.body.status) }}`, request: {} },
          },
        },
        output: {
          postReceive: [{ type: 'filter', properties: { pass: `={{ ${HAS_ENDED}($responseItem.status) }}` } }],
        },
      },
    },
  ],
  default: 'create',
}

const fields: INodeProperties[] = [
  {
    displayName: 'Job ID',
    name: 'jobId',
    type: 'string',
    required: true,
    default: '',
    displayOptions: show('cancel', 'export', 'get', 'getInputs', 'getPlaces', 'wait'),
  },
  {
    displayName: 'Name',
    name: 'name',
    type: 'string',
    required: true,
    default: '',
    description: 'A name for you',
    displayOptions: show('create', 'estimate'),
    routing: { send: { type: 'body', property: 'name' } },
  },
  ...jobFields(show('create', 'estimate'), ''),
  {
    displayName: 'Format',
    name: 'format',
    type: 'options',
    options: [
      { name: 'CSV', value: 'csv' },
      { name: 'Excel', value: 'xlsx' },
      { name: 'GeoJSON', value: 'geojson' },
      { name: 'JSON Lines', value: 'jsonl' },
      { name: 'Parquet', value: 'parquet' },
    ],
    default: 'csv',
    displayOptions: show('export'),
    routing: { send: { type: 'query', property: 'format' } },
  },
  {
    displayName: 'Web Presence',
    name: 'webPresence',
    type: 'options',
    options: [
      { name: 'All', value: 'all' },
      { name: 'Has Website', value: 'has_website' },
      { name: 'No Website', value: 'no_website' },
    ],
    default: 'all',
    description: 'Only places with or without their own website',
    displayOptions: show('export', 'getPlaces'),
    routing: { send: { type: 'query', property: 'web_presence' } },
  },
  ...listFields(show('getAll', 'getPlaces'), BY_PAGE),
  ...listFields(show('getInputs'), 'after: $response.body?.after ?? 0'),
]

export const jobDescription: INodeProperties[] = [operations, ...fields]
