import { type ChannelCredentials, type ClientDuplexStream, credentials, Metadata } from '@grpc/grpc-js'
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
  register(): ClientDuplexStream<RegisterRequest, RegisterResponse>
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
  const metadata = new Metadata({ waitForReady: true })
  metadata.set('authorization', `Bearer ${token}`)
  metadata.set(PROTOCOL_METADATA, String(PROTOCOL))
  return {
    register: () => client.register(metadata),
    runTask: () => client.runTask(metadata),
    close: () => client.close(),
  }
}
