// node mongo-stand-in.ts DATA_DIR: the embedded MongoDB on TCP port 27017, for machines that reach no registry.
import { createServer, connect as dial } from 'node:net'
import { startMongo } from '@placefleet/deploy/embedded/mongo'
import { stopSignal } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'

const [dataDir = '/data/db'] = process.argv.slice(2)
const log = createLogger('mongo', 'info')
const toldToStop = stopSignal()
const mongo = await startMongo({ dataDir, cacheDir: '/tmp/cache', env: {}, log })
const socket = decodeURIComponent(new URL(mongo.url).host)

const server = createServer((client) => {
  const upstream = dial(socket)
  const end = () => {
    client.destroy()
    upstream.destroy()
  }
  client.pipe(upstream).pipe(client)
  client.on('error', end).on('close', end)
  upstream.on('error', end).on('close', end)
})
server.listen(27_017, '0.0.0.0')
await toldToStop
await mongo.stop()
process.exit()
