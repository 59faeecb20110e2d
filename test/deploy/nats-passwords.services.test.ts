import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { natsServerProgram } from '@placefleet/deploy/embedded/nats'
import { connect } from 'nats'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../harness/network/free-port.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'
import { until } from '../harness/until.ts'

const README = readFileSync(resolve(import.meta.dirname, '../../deploy/helm/README.md'), 'utf8')

/** Returns the value in the Secret for a password, as the page's line makes it. */
function valueFor(password: string): string {
  const [, literal = ''] = /--from-literal=coordinator="([^"]*)"/.exec(README) ?? expect.fail('no such line')
  return literal.replace('$COORDINATOR', () => password)
}

test.each(['12e5', '123456', '0x1f', 'true', '3h', 'a b#c{$d'])(
  'NATS takes the password %s from its environment as the page for Kubernetes stores it',
  async (password) => {
    const [dir, port] = [temporaryDir(), await freePort()]
    const config = join(dir, 'server.conf')
    writeFileSync(config, 'authorization { users: [ { user: placefleet, password: $COORDINATOR_PASSWORD } ] }')
    const server = spawn(natsServerProgram(process.env), ['-c', config, '-a', '127.0.0.1', '-p', `${port}`], {
      env: { COORDINATOR_PASSWORD: valueFor(password) },
      stdio: 'ignore',
    })
    onTestFinished(async () => {
      if (server.exitCode === null && server.kill()) await once(server, 'exit')
    })
    const client = await until('NATS accepts the password', () =>
      connect({ servers: `127.0.0.1:${port}`, user: 'placefleet', pass: password }).catch(() => undefined),
    )
    await client.close()
  },
)
