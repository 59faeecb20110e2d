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
} from '@placefleet/proto/fleet'
import { ConfigError } from '@placefleet/shared/config'
import { KEEPALIVE, MAX_MESSAGE_BYTES, PROTOCOL, PROTOCOL_METADATA } from '@placefleet/shared/protocol'
import { readCertificates, readKeyPair } from '@placefleet/shared/tls-files'

/** A connection to whichever coordinator answers at the address. It reconnects by itself. */
export type Coordinator = {
  readonly address: string
  /** Fails at once, with the reason, while no connection can be had. */
  register(): ClientDuplexStream<RegisterRequest, RegisterResponse>
  /** Waits for a connection while there is none: a task that runs is to go on. */
  runTask(): ClientDuplexStream<RunTaskRequest, RunTaskResponse>
  close(): void
}

/** The connection; nothing is sent before the first call. */
export function connectCoordinator(
  address: string,
  token: string,
  channel: ChannelCredentials = credentials.createInsecure(),
): Coordinator {
  const client = new FleetServiceClient(address, channel, {
    ...KEEPALIVE,
    'grpc.initial_reconnect_backoff_ms': 200,
    'grpc.max_reconnect_backoff_ms': 2_000,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  })
  const metadata = (options: MetadataOptions) => {
    const made = new Metadata(options)
    made.set('authorization', `Bearer ${token}`)
    made.set(PROTOCOL_METADATA, String(PROTOCOL))
    return made
  }
  return {
    address,
    register: () => client.register(metadata({ waitForReady: false })),
    runTask: () => client.runTask(metadata({ waitForReady: true })),
    close: () => client.close(),
  }
}

/** Who may vouch for a coordinator (a PEM file, or `system`), and the agent's own certificate and key, in PEM files. */
export type TlsFiles = { ca?: string | undefined; cert?: string | undefined; key?: string | undefined }

/**
 * How an agent checks who it talks to, and proves who it is. Without any file the connection is not encrypted.
 * @throws ConfigError when a file is missing or not what it must be, or when one setting lacks the other.
 */
export function coordinatorCredentials({ ca, cert, key }: TlsFiles): ChannelCredentials {
  if ((cert === undefined) !== (key === undefined) || (cert !== undefined && ca === undefined)) {
    throw new ConfigError('AGENT_TLS_CERT and AGENT_TLS_KEY are needed together, and with COORDINATOR_TLS_CA.')
  }
  if (ca === undefined) return credentials.createInsecure()
  const authority = ca === 'system' ? null : readCertificates({ name: 'COORDINATOR_TLS_CA', path: ca })
  if (cert === undefined || key === undefined) return credentials.createSsl(authority)
  const own = readKeyPair({ name: 'AGENT_TLS_CERT', path: cert }, { name: 'AGENT_TLS_KEY', path: key })
  return credentials.createSsl(authority, own.key, own.cert)
}
