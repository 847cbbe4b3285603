import type { Database } from '../../kit/database/database.ts'
import type { StorageKey, StoredBytes } from './storageCeilings.ts'

/** Statements of the sums of stored bytes. Exported for the test of their plans. */
export const storedBytesStatements = {
  add: `
    insert into relay_stored_bytes (scope, key, ends_at, bytes)
    select * from unnest($1::text[], $2::bytea[], $3::bigint[], $4::bigint[]) as change (scope, key, ends_at, bytes)
    order by scope, key, ends_at
    on conflict (scope, key, ends_at) do update set bytes = relay_stored_bytes.bytes + excluded.bytes`,
  sum: `
    select place, sum.bytes from unnest($1::text[], $2::bytea[]) with ordinality as wanted (scope, key, place)
    cross join lateral (
      select coalesce(sum(bytes), 0)::bigint as bytes from relay_stored_bytes
      where relay_stored_bytes.scope = wanted.scope and relay_stored_bytes.key = wanted.key and ends_at > $3
    ) as sum
    order by place`,
  deleteEnded: `
    delete from relay_stored_bytes where ctid = any(array(
      select ctid from relay_stored_bytes where ends_at <= $1 order by ends_at limit 1000 for update skip locked))`,
} as const

/**
 * Creates the sums in PostgreSQL.
 *
 * @param hash a keyed hash that all processes share, because addresses of clients must not be stored
 */
export function createPostgresStoredBytes({ run }: Pick<Database, 'run'>, hash: (text: string) => Buffer): StoredBytes {
  const toColumns = (keys: readonly StorageKey[]): readonly [readonly string[], readonly Buffer[]] => [
    keys.map(({ scope }) => scope),
    keys.map(({ scope, key }) => hash(`${scope} ${key}`)),
  ]

  return {
    async add(changes) {
      if (changes.length === 0) return
      const ends = changes.map(({ endsAt }) => endsAt)
      const bytes = changes.map((each) => each.bytes)
      await run('relay: add stored bytes', storedBytesStatements.add, [...toColumns(changes), ends, bytes])
    },
    async sum(keys, now) {
      const values = [...toColumns(keys), now]
      const rows = await run<{ bytes: number }>('relay: sum stored bytes', storedBytesStatements.sum, values)
      return rows.map(({ bytes }) => bytes)
    },
    async deleteEnded(now) {
      await run('relay: delete ended bytes', storedBytesStatements.deleteEnded, [now])
    },
  }
}
