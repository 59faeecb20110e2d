import { type Draft, newDraft, requestOf } from './draft.ts'

/** The curl command that creates the job. Proxies are secrets, so a placeholder stands for them. */
export function curlOf(draft: Draft): string {
  const { proxies, ...body } = requestOf(draft)
  const shown = proxies === undefined ? body : { ...body, proxies: ['<your proxy>'] }
  return `curl ${location.origin}/api/v1/jobs \\
  -H "Authorization: Bearer $PLACEFLEET_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d ${quoted(JSON.stringify(shown))}`
}

/** The command line that runs the job; undefined for a job with settings that it has no option for. */
export function cliOf(draft: Draft): string | undefined {
  const untouched = newDraft(draft.language)
  if (draft.proxies !== '' || draft.max_minutes !== untouched.max_minutes) return undefined
  const { name, keywords, language, lat, lon, radius, website_filter } = draft
  const options = [
    name !== '' && `--name ${quoted(name)}`,
    `--language ${language}`,
    `--max ${draft.max_results}`,
    draft.depth !== untouched.depth && `--depth ${draft.depth}`,
    lat !== '' && lon !== '' && `--lat=${quoted(lat)} --lon=${quoted(lon)} --radius ${radius}`,
    website_filter !== untouched.website_filter && `--website-filter ${website_filter}`,
    draft.include_emails && '--emails',
    draft.max_reviews > 0 && `--reviews ${draft.max_reviews}`,
    draft.max_images > 0 && `--images ${draft.max_images}`,
    draft.fast_mode && '--fast',
  ]
  return ['npm run placefleet -- run', ...keywords.map(quoted), ...options.filter((option) => option !== false)].join(
    ' ',
  )
}

/** The text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
