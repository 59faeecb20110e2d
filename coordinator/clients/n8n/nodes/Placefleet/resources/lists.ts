import type { IDataObject, IDisplayOptions, INodeProperties, INodePropertyRouting } from 'n8n-workflow'

/** The longest page of a list. */
const PAGE = 100

/**
 * Returns the fields that say how many items of a list are read.
 * @param next asks for the next page, as a field of an object.
 */
export const listFields = (displayOptions: IDisplayOptions, next: string): INodeProperties[] => [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    displayOptions,
    routing: { send: { paginate: '={{ $value }}' }, operations: { pagination: pages(next) } },
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: PAGE },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: { ...displayOptions.show, returnAll: [false] } },
    routing: { send: { type: 'query', property: 'limit' } },
  },
]

const pages = (next: string): NonNullable<INodePropertyRouting['operations']>['pagination'] => ({
  type: 'generic',
  properties: {
    continue: '={{ $response.body.has_more }}',
    request: { qs: `={{ Object.assign({}, $request.qs, { limit: ${PAGE}, ${next} }) }}` as unknown as IDataObject },
  },
})

/** The next page of a list by its number. */
export const BY_PAGE = 'page: ($response.body?.page ?? 0) + 1'

/** Returns what turns the list in an answer into items. */
export const itemsIn = (property: string): INodePropertyRouting['output'] => ({
  postReceive: [{ type: 'rootProperty', properties: { property } }],
})
