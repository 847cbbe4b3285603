import { sql, type Kysely } from 'kysely'
import type { TableRow } from '../schema/tableRow.ts'
import type { Database } from '../kit/database/database.ts'

/** A registered name. */
export type NameRecord = {
  name: string
  /** Address in lower case that registered the name and may change it. */
  owner: string
  registeredAt: number
  updatedAt: number | null
  attributes: NameAttributes | null
  addresses: Readonly<Record<string, { address: string; createdAt: number }>>
}

export type NameAttributes = Readonly<Record<string, string>>

/** The result of a change. */
export type NameChangeResult = 'done' | 'taken' | 'too-many' | 'replayed' | 'not-owner'

export type NameRegistration = {
  name: string
  owner: string
  address: string
  coinTypes: readonly number[]
  attributes: NameAttributes | null
  /** The hash of the signed message. */
  message: Uint8Array
  now: number
  mostPerHour: number
}

export type NameChange = { name: string; owner: string; message: Uint8Array; now: number } & (
  { attributes: NameAttributes } | { coinType: number; address: string }
)

/** Stores names. */
export type NameStore = {
  find(name: string): Promise<NameRecord | undefined>
  /** Gets the names that an address registered and that still resolve to it, oldest first. */
  ofOwner(owner: string): Promise<readonly NameRecord[]>
  /** Gets the registered names among some names. */
  taken(names: readonly string[]): Promise<ReadonlySet<string>>
  /** Registers a name. Of concurrent registrations of a name, one succeeds. */
  register(registration: NameRegistration): Promise<NameChangeResult>
  change(change: NameChange): Promise<NameChangeResult>
}

/** A row of `name` with its addresses, and the type of the JSON column. */
type NameRow = Omit<TableRow<'name'>, 'attributes'> & {
  attributes: NameAttributes | null
  addresses: NameRecord['addresses'] | null
}

const hour = 3_600_000
/** Longer than a message stays valid, even if the clocks of servers differ. */
const remembered = 300_000

const columns = sql`
  n.name, n.owner, n.registered_at, n.updated_at, n.attributes,
  (select json_object_agg(a.coin_type, json_build_object('address', a.address, 'createdAt', a.created_at))
   from name_address a where a.name = n.name) as addresses`

/** Creates the store on a migrated database. */
export function createNameStore({ kysely }: Database): NameStore {
  return {
    async find(name) {
      const { rows } = await sql<NameRow>`select ${columns} from name n where n.name = ${name}`.execute(kysely)
      return rows.map(toNameRecord)[0]
    },
    async ofOwner(owner) {
      const { rows } = await sql<NameRow>`
        select ${columns} from name n
        where n.owner = ${owner}
          and exists (select 1 from name_address a where a.name = n.name and lower(a.address) = ${owner})
        order by n.registered_at, n.name limit 100`.execute(kysely)
      return rows.map(toNameRecord)
    },
    async taken(names) {
      const { rows } = await sql<Pick<NameRow, 'name'>>`
        select name from name where name = any(${names as string[]})`.execute(kysely)
      return new Set(rows.map(({ name }) => name))
    },
    register: (registration) => kysely.transaction().execute((within) => insertName(within, registration)),
    change: (wanted) => kysely.transaction().execute((within) => updateName(within, wanted)),
  }
}

async function insertName(within: Kysely<unknown>, wanted: NameRegistration): Promise<NameChangeResult> {
  const { name, owner, address, coinTypes, attributes, message, now, mostPerHour } = wanted
  // Serialises registrations of an owner. Otherwise concurrent ones would pass the limit.
  await sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 0))`.execute(within)
  const { rows: recent } = await sql<{ count: number }>`
    select count(*)::int as count from name where owner = ${owner} and registered_at > ${now - hour}`.execute(within)
  if ((recent[0]?.count ?? 0) >= mostPerHour) return 'too-many'
  const { rows: inserted } = await sql`
    insert into name (name, owner, registered_at, attributes)
    values (${name}, ${owner}, ${now}, ${attributes === null ? null : JSON.stringify(attributes)}::jsonb)
    on conflict (name) do nothing returning name`.execute(within)
  if (inserted.length === 0) return 'taken'
  for (const coinType of coinTypes) await upsertAddress(within, { name, coinType, address, now })
  // A name can be registered only once, so replayed messages have no effect.
  await markMessageUsed(within, message, now)
  return 'done'
}

async function updateName(within: Kysely<unknown>, wanted: NameChange): Promise<NameChangeResult> {
  const { name, owner, message, now } = wanted
  const { rows } = await sql<Pick<NameRow, 'owner'>>`
    select owner from name where name = ${name} for update`.execute(within)
  if (rows[0]?.owner !== owner) return 'not-owner'
  if (!(await markMessageUsed(within, message, now))) return 'replayed'
  if ('attributes' in wanted) {
    const attributes = JSON.stringify(wanted.attributes)
    await sql`update name set attributes = ${attributes}::jsonb where name = ${name}`.execute(within)
  } else {
    await upsertAddress(within, { name, coinType: wanted.coinType, address: wanted.address, now })
  }
  await sql`update name set updated_at = ${now} where name = ${name}`.execute(within)
  return 'done'
}

type Address = { name: string; coinType: number; address: string; now: number }

async function upsertAddress(within: Kysely<unknown>, { name, coinType, address, now }: Address): Promise<void> {
  await sql`
    insert into name_address (name, coin_type, namespace, address, created_at)
    values (${name}, ${coinType}, 'eip155', ${address}, ${now})
    on conflict (name, coin_type) do update set address = excluded.address, created_at = excluded.created_at`.execute(
    within,
  )
}

/** Marks a message as used. Returns false if it already was. */
async function markMessageUsed(within: Kysely<unknown>, hash: Uint8Array, now: number): Promise<boolean> {
  await sql`delete from name_message where used_at < ${now - remembered}`.execute(within)
  const { rows } = await sql`
    insert into name_message (hash, used_at) values (${Buffer.from(hash)}, ${now})
    on conflict (hash) do nothing returning used_at`.execute(within)
  return rows.length > 0
}

function toNameRecord({ name, owner, registered_at, updated_at, attributes, addresses }: NameRow): NameRecord {
  return { name, owner, registeredAt: registered_at, updatedAt: updated_at, attributes, addresses: addresses ?? {} }
}
