import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  connectCoordinator,
  coordinatorCredentials,
  type TlsFiles,
  withSettings,
} from '@placefleet/agent/fleet/coordinator'
import type { RegisterResponse } from '@placefleet/proto/fleet'
import { natsServers, natsUnusable } from '@placefleet/shared/nats'
import { PROTOCOL } from '@placefleet/shared/protocol'
import { connect } from 'nats'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { AGENT_TOKEN, addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { createAuthority } from '../../harness/network/certificates.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { until } from '../../harness/until.ts'

/** Files with a server's certificate, an agent's and one of a stranger. */
async function certificateFiles(dir: string) {
  const [authority, stranger] = [await createAuthority(), await createAuthority()]
  const [server, agent, foreign] = [
    await authority.issue(['127.0.0.1', 'localhost']),
    await authority.issue(['agent-1']),
    await stranger.issue(['agent-1']),
  ]
  const file = (name: string, text: string) => {
    const path = join(dir, name)
    writeFileSync(path, text)
    return path
  }
  return {
    ca: file('ca.pem', authority.ca),
    strangerCa: file('stranger.pem', stranger.ca),
    server: { cert: file('server.pem', server.cert), key: file('server.key', server.key) },
    agent: { cert: file('agent.pem', agent.cert), key: file('agent.key', agent.key) },
    foreign: { cert: file('foreign.pem', foreign.cert), key: file('foreign.key', foreign.key) },
  }
}

const world = await startWorld(afterAll)
const { ca, strangerCa, server, agent, foreign } = await certificateFiles(world.dataDir)

/** Returns `answered`, or the message for the operator of an agent with these files. */
async function answerTo(grpc: string, files: TlsFiles): Promise<string> {
  const localhost = grpc.replace('127.0.0.1', 'localhost')
  const coordinator = connectCoordinator(localhost, AGENT_TOKEN, coordinatorCredentials(files))
  onTestFinished(() => coordinator.close())
  const call = coordinator.register()
  call.write({
    agent_id: crypto.randomUUID(),
    name: 'a',
    version: '0.1.0',
    protocol: PROTOCOL,
    host: 'h',
    slots: 1,
    busy: 0,
    draining: false,
    resting: [],
    drifted: [],
    unknown_answers: [],
  })
  return new Promise((resolve) => {
    call.on('data', (_: RegisterResponse) => resolve('answered'))
    call.on('error', (error) => resolve(withSettings(error.message)))
  })
}

test('agents are served over TLS, know a coordinator by its authority, and say which settings to compare', async () => {
  const [encrypted, plain, elsewhere] = [
    await addCoordinator(world, { GRPC_TLS_CERT: server.cert, GRPC_TLS_KEY: server.key }),
    await addCoordinator(world),
    await addCoordinator(world, { GRPC_TLS_CERT: foreign.cert, GRPC_TLS_KEY: foreign.key }),
  ]

  expect(await answerTo(encrypted.grpc, { ca })).toBe('answered')
  expect(await answerTo(encrypted.grpc, { ca: strangerCa })).toContain('COORDINATOR_TLS_CA')
  expect(await answerTo(encrypted.grpc, { ca: 'system' })).toContain('COORDINATOR_TLS_CA')
  expect(await answerTo(encrypted.grpc, {})).toContain('COORDINATOR_TLS_CA')
  expect(await answerTo(plain.grpc, { ca })).toContain('COORDINATOR_TLS_CA')
  expect(await answerTo(elsewhere.grpc, { ca: strangerCa })).toContain('COORDINATOR_GRPC')
})

test("the port of a coordinator's API is recognized as wrong for agents and for NATS", async () => {
  const { host } = new URL((await addCoordinator(world)).url)
  expect(await answerTo(host, {})).toMatch(/COORDINATOR_GRPC .*GRPC_PORT/)
  const refusal = await connect({ servers: host, timeout: 200 }).catch((error) => natsUnusable(error).message)
  expect(refusal).toMatch(/^NATS \(NATS_URL\) does not answer: .*another server has that port/)
})

test('with mutual TLS only agents with a certificate of the right authority are served', async () => {
  const { grpc } = await addCoordinator(world, {
    GRPC_TLS_CERT: server.cert,
    GRPC_TLS_KEY: server.key,
    GRPC_TLS_CLIENT_CA: ca,
  })

  expect(await answerTo(grpc, { ca, ...agent })).toBe('answered')
  expect(await answerTo(grpc, { ca, ...foreign })).toContain('GRPC_TLS_CLIENT_CA')
  expect(await answerTo(grpc, { ca })).toContain('AGENT_TLS_CERT and AGENT_TLS_KEY')
})

/** Starts a NATS server that takes encrypted connections only, and its port. */
async function startEncryptedNats(dir: string, { cert, key }: { cert: string; key: string }): Promise<number> {
  const port = await freePort()
  const file = join(dir, 'nats.conf')
  const tls = `tls { cert_file: "${cert}", key_file: "${key}" }`
  writeFileSync(
    file,
    `host: "127.0.0.1"\nport: ${port}\njetstream { store_dir: "${join(dir, 'jetstream')}" }\n${tls}\n`,
  )
  const deploy = createRequire(import.meta.resolve('@placefleet/deploy/embedded/nats'))
  const command = deploy.resolve(`@lagz0ne/nats-embedded-${process.platform}-${process.arch}/nats-server`)
  const child = spawn(command, ['-c', file], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return port
}

/** Returns `connected`, or the message for the operator. */
const connecting = (url: string, caFile?: string) =>
  connect({ ...natsServers(url, caFile), reconnect: false }).then(
    async (nats) => {
      await nats.close()
      return 'connected'
    },
    (error) => natsUnusable(error).message,
  )

test('a tls: NATS is verified by its authority, and an unencrypted one gets no connection', async () => {
  const port = await startEncryptedNats(world.dataDir, server)

  const encrypted = `tls://localhost:${port}`
  await until('it is known by its authority', async () => (await connecting(encrypted, ca)) === 'connected')
  expect(await connecting(encrypted, strangerCa)).toContain('NATS_TLS_CA')
  expect(await connecting(encrypted)).toContain('NATS_TLS_CA')
  expect(await connecting(encrypted.replace('tls:', 'nats:'))).toContain('tls://')
  expect(await connecting(encrypted.replace('tls:', 'nats:'), ca)).toBe('connected') // an authority means TLS, too
  expect(await connecting(world.natsUrl.replace('nats:', 'tls:'), ca)).toContain('does not use TLS')
  expect(await connecting(world.natsUrl, ca)).toContain('does not use TLS')
  const { client } = await addCoordinator(world, { NATS_URL: `tls://localhost:${port}`, NATS_TLS_CA: ca })
  expect((await client.call('GET', '/health')).status).toBe(200)
})

test('TLS settings that do not fit together, or name a missing or wrong file, are reported by name', async () => {
  const written = (name: string, text: string) => {
    const path = join(world.dataDir, name)
    writeFileSync(path, text)
    return path
  }
  const whole = readFileSync(ca, 'utf8')
  const broken = written('broken.pem', `${whole}${whole.slice(0, 200)}`) // a second one that is cut off
  const pair = { GRPC_TLS_CERT: server.cert, GRPC_TLS_KEY: server.key }
  const refused = [
    [{ GRPC_TLS_CERT: server.cert }, 'GRPC_TLS_KEY'],
    [{ GRPC_TLS_CLIENT_CA: ca }, 'GRPC_TLS_CLIENT_CA'],
    [{ GRPC_TLS_CERT: '/nowhere', GRPC_TLS_KEY: server.key }, 'GRPC_TLS_CERT: /nowhere'],
    [
      { GRPC_TLS_CERT: server.cert, GRPC_TLS_KEY: agent.cert },
      'GRPC_TLS_CERT and GRPC_TLS_KEY are not a certificate and its key',
    ],
    [
      { GRPC_TLS_CERT: server.cert, GRPC_TLS_KEY: agent.key },
      'GRPC_TLS_CERT and GRPC_TLS_KEY are not a certificate and its key',
    ],
    [{ ...pair, GRPC_TLS_CLIENT_CA: server.key }, 'GRPC_TLS_CLIENT_CA'],
    [{ ...pair, GRPC_TLS_CLIENT_CA: broken }, 'certificate 2 of 2'],
    [{ NATS_URL: 'tls://localhost:4222', NATS_TLS_CA: server.key }, 'NATS_TLS_CA'],
  ] as const

  for (const [env, told] of refused) await expect(addCoordinator(world, env)).rejects.toThrow(told)
  expect(() => coordinatorCredentials({ ca, cert: agent.cert })).toThrow('AGENT_TLS_KEY')
  expect(() => coordinatorCredentials(agent)).toThrow('COORDINATOR_TLS_CA')
  expect(() => coordinatorCredentials({ ca: '/nowhere' })).toThrow('COORDINATOR_TLS_CA: /nowhere')
  expect(() => coordinatorCredentials({ ca: written('empty.pem', '') })).toThrow('COORDINATOR_TLS_CA')
  expect(() => coordinatorCredentials({ ca: broken })).toThrow('certificate 2 of 2')
  expect(() => coordinatorCredentials({ ca, cert: agent.cert, key: foreign.key })).toThrow('AGENT_TLS_KEY')
  const bundle = written('bundle.pem', `# two authorities\n${whole}\n${readFileSync(agent.cert, 'utf8')}`)
  expect(() => coordinatorCredentials({ ca: bundle, ...agent })).not.toThrow()
})
