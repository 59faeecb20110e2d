import { z } from 'zod'
import { Finding, inEnglish } from './findings.ts'

export const Check = z.object({
  name: z.string(),
  ok: z.boolean(),
  warning: z.boolean().optional().describe('true when it works, but an operator should look'),
  detail: z.string(),
  findings: z
    .array(Finding)
    .optional()
    .describe('the parts of `detail`, for programs; absent when `detail` has the words of a server'),
})
export type Check = z.infer<typeof Check>

/** Returns a check with its findings. Unless `state` says otherwise, it is passed. */
export const found = (
  name: string,
  findings: Finding[],
  { ok = true, ...state }: { ok?: boolean; warning?: boolean } = {},
): Check => ({ name, ok, detail: findings.map(inEnglish).join('; '), ...state, findings })
