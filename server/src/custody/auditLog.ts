import type { IncomingMessage } from 'node:http'
import { sql, type Kysely } from 'kysely'
import { clientAddress } from '../kit/http/clientAddress.ts'
import { createRefusalCounts } from './refusalCounts.ts'
import { networkPrefix } from './requests/source/networkPrefix.ts'
import type { Clock } from '../kit/runtime/clock.ts'

/** Events of an account, recorded for its owner and for investigations. */
export type AuditEvent = (typeof auditEvents)[number]

export const auditEvents = [
  'login',
  'code refused',
  'token refused',
  'device revoked',
  'sessions ended',
  'epoch started',
  'email changed',
  'email change reverted',
  'contact changed',
  'policy changed',
  'passkey added',
  'passkey verified',
  'passkey refused',
  'password attempt refused',
  'key exported',
  'deletion requested',
  'deletion cancelled',
  'deleted',
  'secret unreadable',
] as const

export type AuditEntry = {
  readonly user?: string
  readonly key?: string
  /** The request. Only the network that it came from is recorded. */
  readonly raw?: IncomingMessage
  /** The subject of the event, such as a table and a row. Never a secret, an address or a name. */
  readonly about?: string
}

/** Refused attempts, which anyone may repeat without a limit. They are counted for each subject and hour. */
const refusals: readonly AuditEvent[] = ['code refused', 'token refused', 'passkey refused', 'password attempt refused']

/** An append-only log: the database itself refuses to change or delete entries. No entry contains a secret. */
export type AuditLog = {
  /**
   * Records an event. Refused attempts are counted instead, one row for each event, subject and hour. The subject is the user,
   * or the network of a request without a login: an attacker chooses keys freely.
   */
  record(event: AuditEvent, entry: AuditEntry): Promise<void>
  /** Deletes counts of refused attempts after ninety days. */
  sweep(): Promise<void>
}

export type AuditLogOptions = {
  database: Kysely<unknown>
  clock: Clock
  table: 'auth_audit' | 'share_audit'
  refusalTable: 'auth_refusal' | 'share_refusal'
  trustedProxies: number
  /** Called with each event, and the subject of a login: its provider. */
  count?: ((event: AuditEvent, about: string | undefined) => void) | undefined
}

/** Creates the audit log of a service. */
export function createAuditLog(options: AuditLogOptions): AuditLog {
  const { database, clock, table, refusalTable, trustedProxies, count } = options
  const counts = createRefusalCounts({ database, table: refusalTable })
  return {
    async record(event, { user, key, raw, about }) {
      count?.(event, about)
      const network = raw === undefined ? null : networkPrefix(clientAddress(raw, trustedProxies))
      if (refusals.includes(event)) {
        const subject = user ?? network ?? 'unknown'
        return counts.add({ event, subject, at: clock.now(), key })
      }
      await sql`
        insert into ${sql.table(table)} (at, event, user_id, key_thumbprint, network, about)
        values (${clock.now()}, ${event}, ${user ?? null}, ${key ?? null}, ${network}, ${about ?? null})`.execute(
        database,
      )
    },
    sweep: () => counts.sweep(clock.now()),
  }
}
