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
import { KEEPALIVE, MAX_MESSAGE_BYTES, PROTOCOL, PROTOCOL_METADATA } from '@placefleet/shared/protocol'

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
