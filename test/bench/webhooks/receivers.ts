// Receivers in a separate process. It reports their addresses, and on request the ids since the last request.
import { createAuthority } from '../../harness/network/certificates.ts'
import { startReceiver } from '../../harness/network/receiver.ts'

const authority = await createAuthority()
// Each receiver has its own address, because limits are counted by address.
const addresses = Array.from({ length: Number(process.argv[2]) }, (_, number) => `127.0.1.${number + 1}`)
const identity = await authority.issue(addresses)
const receivers = await Promise.all(addresses.map((address) => startReceiver(identity, undefined, address)))

process.on('message', () => {
  const received = receivers.flatMap((receiver) => receiver.received.splice(0))
  process.send?.({ posts: received.length, ids: new Set(received.map(({ headers }) => headers['x-webhook-id'])).size })
})
process.once('disconnect', () => process.exit())
process.send?.({ ca: authority.ca, hosts: receivers.map(({ host }) => host) })
