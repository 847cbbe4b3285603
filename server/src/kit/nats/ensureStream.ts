import { setTimeout as sleep } from 'node:timers/promises'
import {
  DiscardPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream'
import { TimeoutError, RequestError } from '@nats-io/transport-node'

export type StreamSettings = {
  name: string
  /** The subjects that it stores; `>` matches the rest of a subject. */
  subjects: readonly string[]
  replicas: number
  /** The most messages of a subject; unlimited by default. */
  messagesPerSubject?: number
  /** The age at which messages are deleted, in milliseconds; never by default. */
  maxAgeMs?: number
  /** The most bytes. A message beyond them is refused, and none is deleted for it. Unlimited by default. */
  maxBytes?: number
}

const startTimeoutMs = 60_000
const retryMs = 500
/** The server's code for a stream that exists with another configuration. */
const nameInUse = 10_058
/** The server's code for fewer servers in the cluster than copies of the stream. */
const tooFewServers = 10_005

/**
 * Creates a stream, or changes its settings. Several processes may do so at once. Waits up to a minute for a cluster that
 * has no leader or too few servers yet, because it may start together with its clients.
 *
 * @throws Error with a sentence if the cluster still has too few servers
 */
export async function ensureStream(manager: JetStreamManager, settings: StreamSettings): Promise<void> {
  const config = toStreamConfig(settings)
  const end = performance.now() + startTimeoutMs
  for (;;) {
    try {
      await manager.streams.add(config)
      return
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === nameInUse) {
        await manager.streams.update(settings.name, config)
        return
      }
      if (!isTemporary(error) || performance.now() > end) throw explain(error, settings)
      await sleep(retryMs)
    }
  }
}

function toStreamConfig(settings: StreamSettings): Partial<StreamConfig> & { name: string } {
  const { name, subjects, replicas, messagesPerSubject = -1, maxAgeMs = 0, maxBytes = -1 } = settings
  return {
    name,
    subjects: [...subjects],
    num_replicas: replicas,
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: messagesPerSubject === -1 ? DiscardPolicy.New : DiscardPolicy.Old,
    max_msgs_per_subject: messagesPerSubject,
    max_age: maxAgeMs * 1_000_000,
    max_bytes: maxBytes,
    // Writers compare sequences instead, which also works for messages that were deleted.
    duplicate_window: 1_000_000_000,
    allow_direct: true,
  }
}

/** True for a cluster that elects a leader, or has too few servers yet. */
function isTemporary(error: unknown): boolean {
  if (error instanceof TimeoutError || error instanceof RequestError) return true
  return (
    error instanceof JetStreamApiError && ([503, 500].includes(error.apiError().code) || error.code === tooFewServers)
  )
}

function explain(error: unknown, { replicas }: StreamSettings): unknown {
  if (!(error instanceof JetStreamApiError) || error.code !== tooFewServers) return error
  return new Error(
    `The NATS cluster has too few servers for ${replicas} copies of each message, or too little free storage. Start more servers, or lower RELAY_STORE_REPLICAS.`,
    { cause: error },
  )
}
