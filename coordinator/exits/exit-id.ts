import { createHmac } from 'node:crypto'

/** Which exit it is. `name`: of an exit without a proxy, an address or the EXIT_NAME of its agents. */
export type ExitId = { id: string; kind: 'direct' | 'proxy'; name?: string }

/** Names exits. An id says nothing about the URL of its proxy. */
export type ExitIds = {
  direct(name: string): ExitId
  /** @param digest of the proxy's URL with its credentials. */
  proxy(digest: string): ExitId
}

const ID_LENGTH = 20

/** Creates the names of exits under the key of the deployment. All its coordinators need the same key. */
export function createExitIds(key: Buffer): ExitIds {
  const idOf = (kind: ExitId['kind'], value: string) =>
    createHmac('sha256', key).update(`exit ${kind} ${value}`).digest('hex').slice(0, ID_LENGTH)
  return {
    direct: (name) => ({ id: idOf('direct', name), kind: 'direct', name }),
    proxy: (digest) => ({ id: idOf('proxy', digest), kind: 'proxy' }),
  }
}
