import type { IncomingMessage } from 'node:http'
import { sql, type Kysely } from 'kysely'
import { clientAddress } from '../kit/clientAddress.ts'
import type { Clock } from '../kit/clock.ts'

/** What happened to an account, for its owner and for who has to find out later. Nothing of it opens anything. */
export type AuditEvent =
  | 'login'
  | 'code refused'
  | 'token refused'
  | 'share refused'
  | 'device revoked'
  | 'epoch begun'
  | 'email changed'
  | 'email change taken back'
  | 'contact changed'
  | 'passkey added'
  | 'passkey shown'
  | 'passkey refused'
  | 'guess refused'
  | 'way added'
  | 'key exported'
  | 'deletion asked'
  | 'deletion cancelled'
  | 'deleted'
  | 'secret unreadable'

export type AuditEntry = {
  readonly user?: string
  readonly key?: string
  /** Where the request came from: only its network is noted. */
  readonly raw?: IncomingMessage
  /** A table and a row, say; never a secret, an address or a name. */
  readonly about?: string
}

/** A log that entries are added to and none is taken from: the database itself refuses. */
export type Audit = { note(event: AuditEvent, entry: AuditEntry): Promise<void> }

export function createAudit(parts: {
  database: Kysely<unknown>
  clock: Clock
  table: 'auth_audit' | 'share_audit'
  trustedProxies: number
}): Audit {
  const { database, clock, table, trustedProxies } = parts
  return {
    async note(event, { user, key, raw, about }) {
      const network = raw === undefined ? null : networkOf(clientAddress(raw, trustedProxies))
      await sql`
        insert into ${sql.table(table)} (at, event, user_id, key_thumbprint, network, about)
        values (${clock.now()}, ${event}, ${user ?? null}, ${key ?? null}, ${network}, ${about ?? null})`.execute(
        database,
      )
    },
  }
}

/** A neighbourhood, not a person: /24 of IPv4, /48 of IPv6. */
function networkOf(address: string): string {
  if (!address.includes(':')) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  return `${address.split(':').slice(0, 3).join(':')}::/48`
}

/** Makes the table of a log. */
export async function createAuditTable(database: Kysely<unknown>, name: 'auth_audit' | 'share_audit'): Promise<void> {
  const table = sql.table(name)
  await sql`
    create table ${table} (
      id bigint generated always as identity primary key,
      at bigint not null,
      event text not null,
      user_id text,
      key_thumbprint text,
      network text,
      about text
    )`.execute(database)
  await sql`create index ${sql.id(`${name}_by_user`)} on ${table} (user_id, at)`.execute(database)
  await sql`
    create function ${sql.id(`${name}_stays`)}() returns trigger language plpgsql as
    'begin raise exception ''entries of this log stay''; end'`.execute(database)
  await sql`
    create trigger ${sql.id(`${name}_stays`)} before update or delete or truncate on ${table}
    for each statement execute function ${sql.id(`${name}_stays`)}()`.execute(database)
}

/** Takes the table of a log away. */
export async function dropAuditTable(database: Kysely<unknown>, name: 'auth_audit' | 'share_audit'): Promise<void> {
  await sql`drop table ${sql.table(name)}`.execute(database)
  await sql`drop function ${sql.id(`${name}_stays`)}()`.execute(database)
}
