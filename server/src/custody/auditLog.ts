import type { IncomingMessage } from 'node:http'
import { sql, type Kysely } from 'kysely'
import { clientAddress } from '../kit/http/clientAddress.ts'
import { networkPrefix } from './requests/networkPrefix.ts'
import type { Clock } from '../kit/runtime/clock.ts'

/** Events of an account, recorded for its owner and for investigations. */
export type AuditEvent =
  | 'login'
  | 'code refused'
  | 'token refused'
  | 'device revoked'
  | 'epoch started'
  | 'email changed'
  | 'email change reverted'
  | 'contact changed'
  | 'policy changed'
  | 'passkey added'
  | 'passkey verified'
  | 'passkey refused'
  | 'password attempt refused'
  | 'key exported'
  | 'deletion requested'
  | 'deletion cancelled'
  | 'deleted'
  | 'secret unreadable'

export type AuditEntry = {
  readonly user?: string
  readonly key?: string
  /** The request. Only the network that it came from is recorded. */
  readonly raw?: IncomingMessage
  /** The subject of the event, such as a table and a row. Never a secret, an address or a name. */
  readonly about?: string
}

/** An append-only log: the database itself refuses to change or delete entries. No entry contains a secret. */
export type AuditLog = { record(event: AuditEvent, entry: AuditEntry): Promise<void> }

export type AuditLogOptions = {
  database: Kysely<unknown>
  clock: Clock
  table: 'auth_audit' | 'share_audit'
  trustedProxies: number
}

/** Creates the audit log of a service. */
export function createAuditLog({ database, clock, table, trustedProxies }: AuditLogOptions): AuditLog {
  return {
    async record(event, { user, key, raw, about }) {
      const network = raw === undefined ? null : networkPrefix(clientAddress(raw, trustedProxies))
      await sql`
        insert into ${sql.table(table)} (at, event, user_id, key_thumbprint, network, about)
        values (${clock.now()}, ${event}, ${user ?? null}, ${key ?? null}, ${network}, ${about ?? null})`.execute(
        database,
      )
    },
  }
}
