import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../kit/runtime/clock.ts'
import type { Database } from '../kit/database/database.ts'
import type { Tracing } from '../kit/tracing/tracing.ts'
import { createPostgresStoredBytes } from './limits/postgresStoredBytes.ts'
import { createStorageCeilings, type StorageCeilings } from './limits/storageCeilings.ts'
import type { Mailbox } from './mailbox/mailbox.ts'
import { createPostgresMailbox } from './mailbox/postgresMailbox.ts'
import type { RelayIdentity } from './relayIdentity.ts'
import type { RelayLimits } from './relayVariables.ts'
import type { RelayStore } from './storeVariables.ts'

export type RelayStorageOptions = {
  database: Database
  clock: Clock
  log: FastifyBaseLogger
  limits: RelayLimits
  /** Hashes the addresses of clients. */
  identity: Pick<RelayIdentity, 'hash'>
  bridgeClientId: string | undefined
  /** The cluster for the messages; they are in the database if `undefined`. */
  store: RelayStore | undefined
  tracing: Tracing | undefined
}

/** The stored messages of the relay, and the limits of their bytes. */
export type RelayStorage = {
  mailbox: Mailbox
  ceilings: StorageCeilings
  /** Closes the connections of its own. */
  close(): Promise<void>
}

/** Connections to the database for clients that catch up, so that they can't use those of publishers. */
const catchUpConnections = 4

/** Opens the storage of the relay in a migrated database, and in the cluster for its messages if there is one. */
export async function openRelayStorage(options: RelayStorageOptions): Promise<RelayStorage> {
  const { database, clock, log, limits, identity } = options
  const { mailbox, close } = await openMailbox(options)
  return {
    mailbox,
    ceilings: createStorageCeilings({
      stored: createPostgresStoredBytes(database, identity.hash),
      limits: limits.storage,
      clock,
      onFault: () => log.warn('the stored bytes could not be exchanged with other processes'),
    }),
    close,
  }
}

/** Opens the mailbox in the database or in the configured cluster, whose client is loaded only then. */
async function openMailbox(options: RelayStorageOptions): Promise<Pick<RelayStorage, 'mailbox' | 'close'>> {
  const { database, clock, log, limits, bridgeClientId, store, tracing } = options
  if (store !== undefined) {
    const { openJetStreamMailbox } = await import('./mailbox/jetStream/openJetStreamMailbox.ts')
    return openJetStreamMailbox({ store, clock, log, limits, bridgeClientId })
  }
  const catchUpDatabase = await database.openPool(catchUpConnections)
  const shared = { database, catchUpDatabase, clock, bridgeClientId, tracing }
  const mailbox = createPostgresMailbox({ ...shared, limits: limits.mailbox })
  return { mailbox, close: catchUpDatabase.close }
}
