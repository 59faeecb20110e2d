import {
  type ChannelCredentials,
  type ClientDuplexStream,
  credentials,
  Metadata,
  type MetadataOptions,
} from '@grpc/grpc-js'
import {
  FleetServiceClient,
  type RegisterRequest,
  type RegisterResponse,
  type RunTaskRequest,
  type RunTaskResponse,
  type TakeTurnsRequest,
  type TakeTurnsResponse,
} from '@placefleet/proto/fleet'
import { ConfigError } from '@placefleet/shared/config'
import { EXIT_METADATA, KEEPALIVE, MAX_MESSAGE_BYTES, PROTOCOL, PROTOCOL_METADATA } from '@placefleet/shared/protocol'
import { readCertificates, readKeyPair } from '@placefleet/shared/tls-files'

const OPTIONS = {
  ...KEEPALIVE,
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 2_000,
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
}

/** A connection to the first coordinator that answers. It reconnects automatically. */
export type Coordinator = {
  readonly address: string
  /** Opens a registration stream. Fails at once while there is no connection; the next call uses the next address. */
  register(): ClientDuplexStream<RegisterRequest, RegisterResponse>
  /** Opens a task stream at the address where the agent is registered. */
  openTaskStream(): ClientDuplexStream<RunTaskRequest, RunTaskResponse>
  /** Opens a stream for turns of exits at the same address. Fails at once while there is no connection. */
  takeTurns(): ClientDuplexStream<TakeTurnsRequest, TakeTurnsResponse>
  close(): void
}

/** Connects to one of several addresses, from a random one on, so that agents spread over them. */
export function connectCoordinator(
  address: string,
  token: string,
  channel: ChannelCredentials = credentials.createInsecure(),
  { exitName, random = Math.random }: { exitName?: string | undefined; random?: () => number } = {},
): Coordinator {
  const clients = address.split(',').map((host) => new FleetServiceClient(host, channel, OPTIONS))
  const [first] = clients
  if (!first) throw new TypeError('no address of a coordinator')
  let current = Math.floor(random() * clients.length)
  const client = () => clients[current % clients.length] ?? first
  const metadata = (options: MetadataOptions) => {
    const made = new Metadata(options)
    made.set('authorization', `Bearer ${token}`)
    made.set(PROTOCOL_METADATA, String(PROTOCOL))
    if (exitName !== undefined) made.set(EXIT_METADATA, exitName)
    return made
  }
  return {
    address,
    register() {
      const used = current
      const call = client().register(metadata({ waitForReady: false }))
      call.on('error', () => {
        if (current === used) current++
      })
      return call
    },
    // With one coordinator the call waits until it is back. With several it fails, and the next call goes to another
    // one.
    openTaskStream: () => client().runTask(metadata({ waitForReady: clients.length === 1 })),
    takeTurns: () => client().takeTurns(metadata({ waitForReady: false })),
    close() {
      for (const client of clients) client.close()
    },
  }
}

/** PEM files: the authorities that sign the coordinator (or `system`), and the agent's own certificate and key. */
export type TlsFiles = { ca?: string | undefined; cert?: string | undefined; key?: string | undefined }

/** @throws ConfigError when a file is missing or invalid, or when one setting lacks the other. */
export function coordinatorCredentials({ ca, cert, key }: TlsFiles): ChannelCredentials {
  if ((cert === undefined) !== (key === undefined) || (cert !== undefined && ca === undefined)) {
    throw new ConfigError('Set AGENT_TLS_CERT and AGENT_TLS_KEY together, and set COORDINATOR_TLS_CA with them.')
  }
  if (ca === undefined) return credentials.createInsecure()
  const authority = ca === 'system' ? null : readCertificates({ name: 'COORDINATOR_TLS_CA', path: ca })
  if (cert === undefined || key === undefined) return credentials.createSsl(authority)
  const own = readKeyPair({ name: 'AGENT_TLS_CERT', path: cert }, { name: 'AGENT_TLS_KEY', path: key })
  return credentials.createSsl(authority, own.key, own.cert)
}

/** What OpenSSL, Node and the coordinator's TLS say, and a connection that the other side closes at once. */
const MISFIT = /Protocol error|wrong version number|certificate|ALTNAME_INVALID|Failed to connect/
const SETTINGS =
  'Compare COORDINATOR_GRPC with the address and GRPC_PORT of a coordinator, and COORDINATOR_TLS_CA, AGENT_TLS_CERT and AGENT_TLS_KEY with its GRPC_TLS_CERT and GRPC_TLS_CLIENT_CA.'

/** Returns why a coordinator cannot be reached, with the settings to look at when they may not fit together. */
export const withSettings = (reason: string): string => (MISFIT.test(reason) ? `${reason}. ${SETTINGS}` : reason)
