import { z } from 'zod'
import hostsData from './hosts.json' with { type: 'json' }
import rulesData from './rules.json' with { type: 'json' }
import { WEB_PRESENCE_TIERS } from './tiers.ts'

const texts = z.array(z.string())

const hostsSchema = z.strictObject({ social: texts, directory: texts, builder: texts, booking: texts })

const wrapperSchema = z.strictObject({
  host: z.string(),
  path: z.string().default('/'),
  params: texts.default([]),
  rest: z.boolean().default(false),
  query: z.boolean().default(false),
  host_label: z.boolean().default(false),
})

const pathRuleSchema = z.strictObject({
  host: z.string(),
  path: z.string(),
  exact: z.boolean().default(false),
  tier: z.enum(WEB_PRESENCE_TIERS),
})

const rulesSchema = z.strictObject({
  placeholders: texts,
  schemes: z.strictObject({ none: texts, social: texts }),
  special_use_tlds: texts,
  wrappers: z.array(wrapperSchema),
  paths: z.array(pathRuleSchema),
  path_hosts: texts,
  reserved_subdomains: texts,
  shorteners: texts,
  parked_hosts: texts,
  webmail_hosts: texts,
  registry_suffixes: texts,
})

/** A page that only leads to another one. Its target is in a parameter, the path, the query or the host name. */
export type Wrapper = z.infer<typeof wrapperSchema>

/** A host that belongs to a tier only on some paths. */
export type PathRule = z.infer<typeof pathRuleSchema>

/** The platforms by tier. `label.*` is that label under any public suffix. */
export const HOSTS = hostsSchema.parse(hostsData)

/** Rules beyond the lists of hosts. */
export const RULES = rulesSchema.parse(rulesData)
