/** The guide to each part of the console, by the first name in its path. */
const GUIDES: Readonly<Record<string, string>> = {
  jobs: 'jobs',
  monitors: 'monitors',
  'known-places': 'places',
  keys: 'api',
  credits: 'jobs',
  webhooks: 'webhooks',
  connect: 'api',
  account: 'start',
  support: 'start',
  fleet: 'agents',
  operations: 'operate',
}

/** Returns the address of the guide to a page of the console; undefined when it has none. */
export function guideOf(path: string): string | undefined {
  const guide = GUIDES[path.split('/')[1] ?? '']
  return guide && `/guides/${guide}`
}
