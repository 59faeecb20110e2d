import { JobData } from '@placefleet/shared/job'
import { createLogger } from '@placefleet/shared/log'
import type { PathReport } from '@placefleet/shared/path-report'
import { parseProxyUrl } from '@placefleet/shared/proxy-url'
import { readSettings } from '@placefleet/shared/unknown-settings'
import { z } from 'zod'
import { problemForOperator } from '../browser/chromium-problem.ts'
import { createCollector } from '../collect/collector.ts'
import { exitLimits, readCollectingConfig } from '../config.ts'
import { checkPaths, type OnPath, USUAL_QUESTION } from './check-paths.ts'

/** The options that the programs which ask the map site have in common, for `parseArgs`. */
export const QUESTION_ARGUMENTS = {
  proxy: { type: 'string', multiple: true, default: [] as string[] },
  keyword: { type: 'string', default: USUAL_QUESTION.keyword },
  language: { type: 'string', default: USUAL_QUESTION.language },
  at: { type: 'string', default: `${USUAL_QUESTION.latitude},${USUAL_QUESTION.longitude}` },
} as const

export const QUESTION_HELP = `  --proxy URL     through this proxy instead of the own address; repeatable
  --keyword W     what to search for (${USUAL_QUESTION.keyword})
  --language L    in which language (${USUAL_QUESTION.language})
  --at LAT,LON    where, in decimal degrees (${USUAL_QUESTION.latitude},${USUAL_QUESTION.longitude})`

const AT = 'must be a latitude and a longitude in decimal degrees, e.g. 52.52,13.405'
const degrees = (limit: number) => z.number(AT).min(-limit, AT).max(limit, AT)

/** Their values. */
export const QuestionFlags = z.object({
  proxy: z.array(
    z.string().superRefine((text, context) => {
      const parsed = parseProxyUrl(text)
      if (!parsed.ok) context.addIssue(parsed.error)
    }),
  ),
  keyword: z.string().min(1).max(200),
  language: JobData.shape.language,
  at: z
    .string()
    .transform((text) => text.split(',').map(Number))
    .pipe(z.tuple([degrees(90), degrees(180)], AT)),
})

/** Checks the paths to the map site with the settings of an agent, without a coordinator. Throws ConfigError. */
export async function checkAsAgent(
  { proxy, keyword, language, at: [latitude, longitude] }: z.infer<typeof QuestionFlags>,
  onPath?: OnPath,
): Promise<PathReport> {
  const config = readSettings(readCollectingConfig, { LOG_LEVEL: 'fatal', ...process.env })
  let problem: string | undefined
  const collector = createCollector({
    mapsBaseUrl: config.MAPS_BASE_URL,
    rung: config.COLLECT_RUNG,
    allowHosts: config.EGRESS_ALLOW_HOSTS,
    exits: exitLimits(config),
    sandbox: config.CHROMIUM_SANDBOX === 'on',
    log: createLogger('doctor', config.LOG_LEVEL),
    onChromium: (chromiumProblem) => {
      problem = chromiumProblem && problemForOperator(chromiumProblem)
    },
  })
  const { signal } = new AbortController()
  const question = { keyword, language, latitude, longitude }
  try {
    const report = await checkPaths(await collector.access(), {
      question,
      proxies: proxy,
      signal,
      onPath,
    })
    return { ...report, ...(problem !== undefined && { chromium_problem: problem }) }
  } finally {
    await collector.close()
  }
}
