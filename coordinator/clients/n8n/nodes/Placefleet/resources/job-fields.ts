import type { IDisplayOptions, INodeProperties } from 'n8n-workflow'

/** Reads a list that a person writes with commas. */
const LIST = '={{ $value.split(",").map((item) => item.trim()).filter((item) => item) }}'

/** Reads a list that a person writes by lines: links contain commas. */
const LINES = '={{ $value.split("\\n").map((line) => line.trim()).filter((line) => line) }}'

/**
 * Returns the fields that describe a job.
 * @param within where the body has them: '' or `job.`.
 */
export const jobFields = (displayOptions: IDisplayOptions, within: '' | 'job.'): INodeProperties[] => [
  {
    displayName: 'Keywords',
    name: 'keywords',
    type: 'string',
    default: '',
    placeholder: 'e.g. bakery in Berlin',
    description:
      'What to search for. Separate up to five searches with commas. Empty: only the places in the additional field.',
    displayOptions,
    routing: {
      send: {
        type: 'body',
        property: `${within}keywords`,
        value: LIST,
      },
    },
  },
  {
    displayName: 'Language',
    name: 'language',
    type: 'string',
    required: true,
    default: 'en',
    description: 'The language of the texts about places, as a code of two letters',
    displayOptions,
    routing: { send: { type: 'body', property: `${within}language` } },
  },
  {
    displayName: 'Maximum Places',
    name: 'maxResults',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'The most places to collect',
    displayOptions,
    routing: { send: { type: 'body', property: `${within}max_results` } },
  },
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions,
    options: (
      [
        json('Area', 'area', 'Keep only places in this GeoJSON Polygon or MultiPolygon'),
        json('Bounding Box', 'bbox', 'Keep only places in this box: [west, south, east, north] in degrees'),
        {
          ...text('Categories', 'categories', 'Keep only places of these categories. Separate them with commas.'),
          value: LIST,
        },
        text('Country', 'country', 'Country whose view of the map is used, e.g. de'),
        flag('Demo', 'demo', 'Whether to collect from the simulated city of npm start, at no cost'),
        number('Depth', 'depth', 5, 'Pages of each search, about 20 places each'),
        flag('Exclude Closed', 'exclude_closed', 'Whether to leave out closed places; they cost nothing'),
        flag(
          'Fast Mode',
          'fast_mode',
          'Whether to collect only the fields of the search results, which is several times faster',
        ),
        {
          displayName: 'Has Phone',
          name: 'has_phone',
          type: 'options',
          options: [
            { name: 'Yes', value: true },
            { name: 'No', value: false },
          ],
          default: true,
          description: 'Keep only places with a phone, or only those without one',
        },
        flag('Include Emails', 'include_emails', 'Whether to visit the websites for email addresses'),
        text('Latitude', 'lat', 'Latitude of the centre of the search'),
        text('Longitude', 'lon', 'Longitude of the centre of the search'),
        text(
          'Maximum Cost',
          'max_cost',
          'The most credits that the job may cost; at this limit it ends and keeps its places',
        ),
        number('Maximum Images', 'max_images', 0, 'Images per place'),
        number('Maximum Reviews', 'max_reviews', 0, 'Reviews per place'),
        number('Minimum Rating', 'min_rating', 4, 'Keep only places with this rating or a better one'),
        number('Minimum Reviews', 'min_review_count', 10, 'Keep only places with so many reviews or more'),
        text('Near', 'near', 'Town as the centre, e.g. Limassol or Berlin, DE, in place of latitude and longitude'),
        flag('Only New', 'only_new', 'Whether to leave out places that you know already; they cost nothing'),
        {
          ...text(
            'Places',
            'places',
            'Places to collect without a search, one a line: links, place IDs, CIDs or data IDs',
          ),
          typeOptions: { rows: 4 },
          value: LINES,
        },
        number('Radius', 'radius', 5000, 'Keep only places within so many metres of the centre'),
        {
          displayName: 'Website Filter',
          name: 'website_filter',
          type: 'options',
          options: [
            { name: 'All', value: 'all' },
            { name: 'Has Website', value: 'has_website' },
            { name: 'No Website', value: 'no_website' },
          ],
          default: 'all',
          description: 'Keep only places with or without their own website',
        },
      ] satisfies Field[]
    ).map(
      ({ value, ...field }: Field) =>
        ({ ...field, routing: { send: { type: 'body', property: within + field.name, value } } }) as INodeProperties,
    ),
  },
]

type Field = INodeProperties & { value?: string }

function text(displayName: string, name: string, description: string): INodeProperties {
  return { displayName, name, type: 'string', default: '', description }
}

/** A field of JSON. A text in it is parsed, because an expression gives an object. */
function json(displayName: string, name: string, description: string): Field {
  const value = '={{ typeof $value === "string" ? JSON.parse($value) : $value }}'
  return { displayName, name, type: 'json', default: '', description, value }
}

function flag(displayName: string, name: string, description: string): INodeProperties {
  return { displayName, name, type: 'boolean', default: false, description }
}

function number(displayName: string, name: string, value: number, description: string): INodeProperties {
  return { displayName, name, type: 'number', typeOptions: { minValue: 0 }, default: value, description }
}
