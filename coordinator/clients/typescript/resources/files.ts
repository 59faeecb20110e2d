import { type Bytes, bodyOf, type CallOptions, type Connection, type Query } from '../connection.ts'
import { unwrap } from '../errors.ts'
import type { components } from '../schema.d.ts'

/** Files of places, as streams of bytes. */
export const createFiles = ({ api, sent }: Connection) => ({
  /** Downloads the file of an ended job. */
  download: async (id: string, query: Query<'downloadJobResults'> = {}, options?: CallOptions): Promise<Bytes> => {
    const call = { params: { path: { id }, query }, parseAs: 'stream', ...sent({ ...options, streams: true }) } as const
    return bodyOf(await unwrap(api.GET('/api/v1/jobs/{id}/download', call)))
  },

  /** Makes a link that downloads the file of an ended job for ten minutes, without an API key. */
  downloadLink: (
    id: string,
    body: components['schemas']['DownloadLinkRequest'],
    options?: CallOptions,
  ): Promise<components['schemas']['DownloadLink']> =>
    unwrap(api.POST('/api/v1/jobs/{id}/download-link', { params: { path: { id } }, body, ...sent(options) })),

  /** Downloads one file of all ended jobs, of a monitor, or of the jobs that a search finds. */
  downloadAll: async (query: Query<'downloadResults'> = {}, options?: CallOptions): Promise<Bytes> => {
    const call = { params: { query }, parseAs: 'stream', ...sent({ ...options, streams: true }) } as const
    return bodyOf(await unwrap(api.GET('/api/v1/results/download', call)))
  },
})
