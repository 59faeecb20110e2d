import { type Draft, nameOf, newDraft, requestOf } from './draft.ts'

/** Returns the curl command that creates the job. Proxies are secrets, so it contains a placeholder for them. */
export function curlOf(draft: Draft): string {
  const { proxies, ...body } = requestOf(draft)
  const shown = proxies === undefined ? body : { ...body, proxies: ['<your proxy>'] }
  return `curl ${location.origin}/api/v1/jobs \\
  -H "Authorization: Bearer $PLACEFLEET_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d ${quoted(JSON.stringify(shown))}`
}

/**
 * Returns the `placefleet` command that runs the job; undefined when the command has no option for one of its settings.
 */
export function cliOf(draft: Draft): string | undefined {
  const untouched = newDraft(draft.language)
  if (draft.proxies !== '' || (!draft.exhaust && draft.max_minutes !== untouched.max_minutes)) return undefined
  const { keywords, language, lat, lon, radius, country, coverage, max_cost, website_filter } = draft
  const options = [
    nameOf(draft) !== '' && `--name ${quoted(nameOf(draft))}`,
    `--language ${language}`,
    draft.exhaust ? '--exhaust' : `--max ${draft.max_results}`,
    max_cost !== '' && `--max-cost ${quoted(max_cost)}`,
    draft.depth !== untouched.depth && `--depth ${draft.depth}`,
    lat !== '' && lon !== '' && `--lat=${quoted(lat)} --lon=${quoted(lon)} --radius ${radius}`,
    coverage !== undefined && !draft.exhaust && `--coverage ${coverage}`,
    country !== undefined && `--country ${country}`,
    website_filter !== untouched.website_filter && `--website-filter ${website_filter}`,
    draft.only_new && '--only-new',
    draft.only_new && draft.recheck_after !== undefined && `--recheck-after ${draft.recheck_after}`,
    draft.include_emails && '--emails',
    draft.max_reviews > 0 && `--reviews ${draft.max_reviews}`,
    draft.reviews_sort !== untouched.reviews_sort && `--reviews-sort ${draft.reviews_sort}`,
    draft.reviews_since !== '' && `--reviews-since ${quoted(draft.reviews_since)}`,
    draft.reviews_ratings.length > 0 && `--reviews-ratings ${draft.reviews_ratings.join(',')}`,
    !draft.reviewer_names && '--anonymous-reviews',
    draft.max_images > 0 && `--images ${draft.max_images}`,
    draft.fast_mode && '--fast',
  ]
  return ['npm run placefleet -- run', ...keywords.map(quoted), ...options.filter((option) => option !== false)].join(
    ' ',
  )
}

/** Quotes a text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
