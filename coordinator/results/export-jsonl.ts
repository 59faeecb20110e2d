import type { Result } from './schema.ts'

/** Results as JSON Lines: one result a line. */
export async function* jsonLinesOf(results: AsyncIterable<Result>): AsyncGenerator<string> {
  for await (const result of results) yield `${JSON.stringify(result)}\n`
}
