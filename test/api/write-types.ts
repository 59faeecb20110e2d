// npm run api:types: writes what is made from the API's own document. It starts a coordinator with embedded servers for
// it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCoordinator } from '@placefleet/coordinator/app'
import { readConfig } from '@placefleet/coordinator/config'
import { startServers } from '@placefleet/deploy/embedded/servers'
import { ROOT } from '@placefleet/deploy/packages/pack'
import { createLifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { apiFiles } from './api-files.ts'

const log = createLogger('api', 'warn')
const life = createLifecycle(log)
try {
  const dataDir = life.own('directory', mkdtempSync(join(tmpdir(), 'placefleet-api-')), (path) =>
    rmSync(path, { recursive: true }),
  )
  const servers = await startServers({ dataDir, env: process.env, log })
  life.own('servers', servers, (running) => running.stop())
  const config = readConfig({
    MONGODB_URL: servers.mongoUrl,
    NATS_URL: servers.natsUrl,
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    PORT: '0',
    GRPC_PORT: '0',
  })
  const { url } = await startCoordinator(config, log, life)
  const document = await fetch(`${url}/openapi.json`)
  for (const [path, text] of await apiFiles(await document.text())) writeFileSync(join(ROOT, path), text)
} finally {
  await life.close()
}
