// The init service of compose.yaml: creates the secrets of a deployment once, each readable only by its users.
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AGENT_PERMISSIONS } from '@placefleet/shared/nats'

/** The user of the images. NATS runs as the same one. */
const USER_ID = 10_001

const [coordinator = '', agent = '', nats = '', natsData = ''] = process.argv.slice(2)

const secret = () => randomBytes(24).toString('base64url')

function write(dir: string, files: Record<string, string>): void {
  mkdirSync(dir, { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    const file = join(dir, name)
    writeFileSync(`${file}.new`, content, { mode: 0o400 })
    chownSync(`${file}.new`, USER_ID, USER_ID)
    renameSync(`${file}.new`, file)
  }
}

function natsConfiguration(passwords: { coordinator: string; agent: string }): string {
  return `port: 4222
jetstream { store_dir: "/data" }
authorization {
  users: [
    { user: placefleet, password: "${passwords.coordinator}" }
    { user: agents, password: "${passwords.agent}", permissions: ${JSON.stringify(AGENT_PERMISSIONS)} }
  ]
}
`
}

// The coordinator's files are written last. While they are missing, the next start creates all files again.
if (existsSync(join(coordinator, 'secrets-key'))) {
  console.log('The secrets exist.')
} else {
  const passwords = { coordinator: secret(), agent: secret() }
  const token = secret()
  write(nats, { 'nats.conf': natsConfiguration(passwords) })
  write(agent, { 'agent-token': token, 'nats-url': `nats://agents:${passwords.agent}@nats:4222` })
  write(coordinator, {
    'agent-token': token,
    'nats-url': `nats://placefleet:${passwords.coordinator}@nats:4222`,
    'secrets-key': randomBytes(32).toString('base64'),
  })
  chownSync(natsData, USER_ID, USER_ID)
  console.log('The secrets were made.')
}
