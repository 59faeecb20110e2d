import { CreateJobRequest } from '@placefleet/shared/job'
import { expect, test } from 'vitest'
import { codeOf, shortRequest } from '../../../coordinator/console/src/job/job-code.ts'
import { points, polygon } from '../../shared/area/shapes.ts'

const ORIGIN = 'https://fleet.example'

/** The settings of a stored job: every field that the API fills in. */
const stored = (request: object) =>
  CreateJobRequest.parse({ name: "Ada's job", keywords: ['bar & grill'], language: 'en', max_results: 20, ...request })

test('a job is shown with what differs from the defaults, and with a placeholder for its proxies', () => {
  const request = shortRequest(stored({ max_reviews: 5 }), 2)
  expect(request).toEqual({
    name: "Ada's job",
    keywords: ['bar & grill'],
    language: 'en',
    max_results: 20,
    max_reviews: 5,
    proxies: ['<your proxy>'],
  })
  expect(JSON.parse(codeOf('json', request, ORIGIN))).toEqual(request)
})

test('what is left out of the request means what the API sets', () => {
  const request = stored({ website_filter: 'no_website', reviewer_names: false, depth: 3 })
  expect(CreateJobRequest.parse(shortRequest(request, 0))).toEqual(request)
  const ofPlaces = stored({ keywords: [], places: ['1', '2'], max_results: undefined })
  expect(shortRequest(ofPlaces, 0)).toEqual({ name: "Ada's job", language: 'en', places: ['1', '2'], max_results: 2 })
  expect(codeOf('cli', shortRequest(ofPlaces, 0), ORIGIN)).toBe(
    `cat > places.txt <<'END'\n1\n2\nEND\nnpx placefleet run --name='Ada'\\''s job' --language=en --max=2 --places=places.txt`,
  )
})

test('the command for a shell quotes what a shell would read otherwise', () => {
  const request = shortRequest(stored({}), 0)
  expect(codeOf('curl', request, ORIGIN)).toContain(`-d '{"name":"Ada'\\''s job"`)
  expect(codeOf('cli', request, ORIGIN)).toBe(
    `npx placefleet run 'bar & grill' --name='Ada'\\''s job' --language=en --max=20`,
  )
})

test('the command line has an option for every setting', () => {
  const area = { lat: '52.5', lon: '13.4', radius: 500, coverage: 'audited', country: 'de' }
  const reviews = { max_reviews: 5, reviews_ratings: [1, 2], reviewer_names: false, reviews_sort: 'lowest' }
  const filters = { categories: ['Bakery', 'Café'], min_rating: 4.5, min_review_count: 20, has_phone: false }
  const others = { include_emails: true, only_new: true, max_cost: '1.5', website_filter: 'has_website', max_images: 2 }
  const cli = codeOf('cli', shortRequest(stored({ ...area, ...reviews, ...filters, ...others }), 0), ORIGIN)
  const options = [
    "--anonymous-reviews --categories='Bakery,Café' --country=de --coverage=audited --emails --images=2 --lat=52.5",
    '--lon=13.4 --max-cost=1.5 --min-rating=4.5 --min-review-count=20 --no-phone --only-new --radius=500 --reviews=5',
    '--reviews-ratings=1,2 --reviews-sort=lowest --website-filter=has_website',
  ]
  expect(cli.split(' ')).toEqual(expect.arrayContaining(options.join(' ').split(' ')))
})

test('the command line takes a shape from a file, and a box', () => {
  const shape = { area: polygon(points('13 52, 14 52, 13 53')) }
  const cli = codeOf('cli', shortRequest(stored(shape), 0), ORIGIN)
  expect(cli).toMatch(
    /^cat > area\.geojson <<'END'\n\{"type":"Polygon",.*\}\nEND\nnpx placefleet run .* --area=area\.geojson$/,
  )
  const box = codeOf('cli', shortRequest(stored({ bbox: [-13.5, 52, 14, 53] }), 0), ORIGIN)
  expect(box.split(' ')).toContain('--bbox=-13.5,52,14,53')
})

test('the program in Python has its own words for true and false, but not within texts', () => {
  const request = shortRequest(stored({ keywords: ['true story'], include_emails: true, reviewer_names: false }), 0)
  const code = codeOf('python', request, ORIGIN)
  expect(code).toContain('"include_emails": True')
  expect(code).toContain('"reviewer_names": False')
  expect(code).toContain('"true story"')
  expect(code).toContain('from placefleet import Placefleet')
  expect(code).toContain('placefleet.jobs.create(**job)')
})
