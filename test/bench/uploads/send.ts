// Uploads a file of known places for each user, all at once. One that is refused for now is sent again.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { contend } from '../contender.ts'

const AGAIN_MS = 500

/** Rows of 147 bytes: 100,000 are 14 MiB, close to the limit of a file. */
const fileOf = (rows: number) =>
  Array.from(
    { length: rows },
    (_, row) => `0x${(row + 1).toString(16)}:0x1,${'a name and an address '.repeat(6)}\n`,
  ).join('')

await contend(
  z.object({ url: z.string(), keys: z.array(z.string()), rows: z.number() }),
  async ({ url, keys, rows }) => {
    const body = fileOf(rows)
    let refused = 0
    const upload = async (key: string): Promise<void> => {
      for (;;) {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv' }
        // A refusal may arrive as a cut connection, because it comes before the file is read.
        const answer = await fetch(`${url}/api/v1/known-places`, { method: 'POST', headers, body }).catch(
          () => undefined,
        )
        const text = await answer?.text()
        if (answer?.status === 200) return
        if (answer && answer.status !== 429) throw new Error(`an upload was answered ${answer.status}: ${text}`)
        refused += 1
        await sleep(AGAIN_MS)
      }
    }
    const work = async () => {
      await Promise.all(keys.map(upload))
      return { refused }
    }
    return { work }
  },
)
