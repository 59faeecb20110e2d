import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip, gzipSync } from 'node:zlib'
import { PathReport } from '@placefleet/shared/path-report'
import { extract, pack } from 'tar-fs'
import { z } from 'zod'

const Pair = z.object({
  file: z.string().regex(/^\d{3}\.txt$/),
  rung: z.enum(['http', 'browser']),
  door: z.string(),
  by: z.enum(['http', 'chromium']),
  request: z.object({ method: z.string(), url: z.string(), headers: z.record(z.string(), z.string()) }),
  answer: z.object({
    url: z.string(),
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    cookies: z.array(z.string()),
    milliseconds: z.int(),
  }),
  /** Whether its text is all there, or only the beginning, masked. */
  whole: z.boolean(),
  /** What the parsers of the recording made of it. */
  read: z.object({ kind: z.string(), verdict: z.string(), fields: z.record(z.string(), z.int()) }),
})
export type RecordedPair = z.infer<typeof Pair>

/** What a bundle says of itself, in its manifest.json. Beside it is a file with the text of each answer. */
export const Manifest = z.object({
  format: z.literal(1),
  version: z.string(),
  recorded_at: z.iso.datetime(),
  keyword: z.string(),
  language: z.string(),
  report: PathReport,
  removed: z.record(z.string(), z.int()),
  pairs: z.array(Pair),
})
export type Manifest = z.infer<typeof Manifest>

/** A recording: its manifest, and the texts of its answers by file name. */
export type Bundle = { readonly manifest: Manifest; readonly texts: ReadonlyMap<string, string> }

const MANIFEST = 'manifest.json'
/** A stranger may have made the file. */
const MAX_BYTES = 200_000_000

/** Writes a bundle as a compressed tar file. */
export async function writeBundle(file: string, { manifest, texts }: Bundle): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    await writeFile(join(folder, MANIFEST), JSON.stringify(manifest, undefined, 1))
    for (const [name, text] of texts) await writeFile(join(folder, name), text)
    await writeFile(file, gzipSync(await buffer(pack(folder)), { level: 9 }))
  })
}

/** @throws Error when the file is no recording. */
export function readBundle(file: string): Promise<Bundle> {
  return inTemporaryFolder(async (folder) => {
    let bytes = 0
    const gunzip = createGunzip().on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_BYTES) gunzip.destroy(new Error('it holds more than 200 MB'))
    })
    // Only plain files: a link could lead out of the folder.
    const files = extract(folder, { ignore: (_name, header) => header !== undefined && header.type !== 'file' })
    await pipeline(createReadStream(file), gunzip, files)
    const manifest = Manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')))
    const names = (await readdir(folder)).filter((name) => name !== MANIFEST)
    const texts = await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
    )
    return { manifest, texts: new Map(texts) }
  })
}

async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'placefleet-record-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
