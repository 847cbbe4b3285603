import { sql, type Kysely } from 'kysely'
import type { Database } from '../kit/database.ts'

/** A registered name. */
export type NameRecord = {
  name: string
  /** In lower case: who registered it, and may change it. */
  owner: string
  registeredAt: number
  updatedAt: number | null
  attributes: Attributes | null
  addresses: Readonly<Record<string, { address: string; createdAt: number }>>
}

export type Attributes = Readonly<Record<string, string>>

/** What became of a change. */
export type Verdict = 'done' | 'taken' | 'too-many' | 'replayed' | 'not-owner'

export type Registration = {
  name: string
  owner: string
  address: string
  coinTypes: readonly number[]
  attributes: Attributes | null
  /** The hash of the signed message. */
  message: Uint8Array
  now: number
  mostPerHour: number
}

export type Change = { name: string; owner: string; message: Uint8Array; now: number } & (
  { attributes: Attributes } | { coinType: number; address: string }
)

/** Registered names, in the database. */
export type NameStore = {
  find(name: string): Promise<NameRecord | undefined>
  /** The names that an address registered and that lead to it still, the first one first. */
  ofOwner(owner: string): Promise<readonly NameRecord[]>
  /** Which of some names are registered. */
  taken(names: readonly string[]): Promise<ReadonlySet<string>>
  /** Of those who want the same name at the same time, one gets it. */
  register(registration: Registration): Promise<Verdict>
  change(change: Change): Promise<Verdict>
}

type Row = {
  name: string
  owner: string
  registered_at: number
  updated_at: number | null
  attributes: Attributes | null
  addresses: Readonly<Record<string, { address: string; createdAt: number }>> | null
}

const hour = 3_600_000
/** A message cannot count again after so long, however the clocks of several servers differ. */
const remembered = 300_000

const columns = sql`
  n.name, n.owner, n.registered_at, n.updated_at, n.attributes,
  (select json_object_agg(a.coin_type, json_build_object('address', a.address, 'createdAt', a.created_at))
   from name_address a where a.name = n.name) as addresses`

/** Opens the names of a database that has their tables. */
export function createNameStore({ kysely }: Database): NameStore {
  return {
    async find(name) {
      const { rows } = await sql<Row>`select ${columns} from name n where n.name = ${name}`.execute(kysely)
      return rows.map(read)[0]
    },
    async ofOwner(owner) {
      const { rows } = await sql<Row>`
        select ${columns} from name n
        where n.owner = ${owner}
          and exists (select 1 from name_address a where a.name = n.name and lower(a.address) = ${owner})
        order by n.registered_at, n.name limit 100`.execute(kysely)
      return rows.map(read)
    },
    async taken(names) {
      const { rows } = await sql<{ name: string }>`
        select name from name where name = any(${names as string[]})`.execute(kysely)
      return new Set(rows.map(({ name }) => name))
    },
    register: (registration) => kysely.transaction().execute((within) => register(within, registration)),
    change: (wanted) => kysely.transaction().execute((within) => change(within, wanted)),
  }
}

async function register(within: Kysely<unknown>, wanted: Registration): Promise<Verdict> {
  const { name, owner, address, coinTypes, attributes, message, now, mostPerHour } = wanted
  // One after the other for each owner, or many at once would all be counted as the first.
  await sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 0))`.execute(within)
  const { rows: recent } = await sql<{ count: number }>`
    select count(*)::int as count from name where owner = ${owner} and registered_at > ${now - hour}`.execute(within)
  if ((recent[0]?.count ?? 0) >= mostPerHour) return 'too-many'
  const { rows: inserted } = await sql`
    insert into name (name, owner, registered_at, attributes)
    values (${name}, ${owner}, ${now}, ${attributes === null ? null : JSON.stringify(attributes)}::jsonb)
    on conflict (name) do nothing returning name`.execute(within)
  if (inserted.length === 0) return 'taken'
  for (const coinType of coinTypes) await putAddress(within, { name, coinType, address, now })
  // A name is registered once, so that nothing depends on whether its message is new.
  await spendMessage(within, message, now)
  return 'done'
}

async function change(within: Kysely<unknown>, wanted: Change): Promise<Verdict> {
  const { name, owner, message, now } = wanted
  const { rows } = await sql<{ owner: string }>`
    select owner from name where name = ${name} for update`.execute(within)
  if (rows[0]?.owner !== owner) return 'not-owner'
  if (!(await spendMessage(within, message, now))) return 'replayed'
  if ('attributes' in wanted) {
    const attributes = JSON.stringify(wanted.attributes)
    await sql`update name set attributes = ${attributes}::jsonb where name = ${name}`.execute(within)
  } else {
    await putAddress(within, { name, coinType: wanted.coinType, address: wanted.address, now })
  }
  await sql`update name set updated_at = ${now} where name = ${name}`.execute(within)
  return 'done'
}

type Address = { name: string; coinType: number; address: string; now: number }

async function putAddress(within: Kysely<unknown>, { name, coinType, address, now }: Address): Promise<void> {
  await sql`
    insert into name_address (name, coin_type, namespace, address, created_at)
    values (${name}, ${coinType}, 'eip155', ${address}, ${now})
    on conflict (name, coin_type) do update set address = excluded.address, created_at = excluded.created_at`.execute(
    within,
  )
}

/** Whether a message counts: it does so once. */
async function spendMessage(within: Kysely<unknown>, hash: Uint8Array, now: number): Promise<boolean> {
  await sql`delete from name_message where used_at < ${now - remembered}`.execute(within)
  const { rows } = await sql`
    insert into name_message (hash, used_at) values (${Buffer.from(hash)}, ${now})
    on conflict (hash) do nothing returning used_at`.execute(within)
  return rows.length > 0
}

function read({ name, owner, registered_at, updated_at, attributes, addresses }: Row): NameRecord {
  return { name, owner, registeredAt: registered_at, updatedAt: updated_at, attributes, addresses: addresses ?? {} }
}
