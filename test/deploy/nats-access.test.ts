import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readAccess, writeAccess } from '@placefleet/deploy/embedded/nats-access'
import { expect, test } from 'vitest'
import { temporaryDir } from '../harness/temporary-dir.ts'

/** Linux says here which ports it gives to connections. */
const PORTS_OF_CONNECTIONS = '/proc/sys/net/ipv4/ip_local_port_range'

const firstPortOfConnections = existsSync(PORTS_OF_CONNECTIONS)
  ? Number(readFileSync(PORTS_OF_CONNECTIONS, 'utf8').split(/\s/)[0])
  : 49_152

test('NATS gets a port that no connection takes while it restarts', async () => {
  const taken = await Promise.all(Array.from({ length: 200 }, () => readAccess(temporaryDir())))
  for (const { port } of taken) expect(port).toBeLessThan(firstPortOfConnections)
})

test('NATS keeps its port and passwords, and gets new ones when their file is damaged', async () => {
  const dir = temporaryDir()
  const first = await readAccess(dir)
  writeAccess(dir, first)
  expect(await readAccess(dir)).toEqual(first)
  writeFileSync(join(dir, 'access.json'), '{')
  expect((await readAccess(dir)).passwords).not.toEqual(first.passwords)
})
