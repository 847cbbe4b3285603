import { sql, type Kysely } from 'kysely'
import type { TableRow } from '../schema/tableRow.ts'
import type { Database } from '../kit/database/database.ts'
import { mainnetCoinType } from './coinType.ts'
import { isActive, isCoolingDown, isHeld, nameTerms, type NameTerms } from './nameTerms.ts'
import type { SignerKind } from './signatureVerifier.ts'

/** A registered name. */
export type NameRecord = {
  name: string
  /** Address in lower case that registered the name and may change it. */
  owner: string
  /** The signer that proved the ownership, or null if the name was registered before this was stored. */
  signer: SignerKind | null
  /** The coin type of the chain of the proof, or null if it is not known. */
  proofCoinType: number | null
  registeredAt: number
  updatedAt: number | null
  expiresAt: number
  attributes: NameAttributes | null
  addresses: Readonly<Record<string, { address: string; createdAt: number }>>
}

export type NameAttributes = Readonly<Record<string, string>>

/** The result of a change. */
export type NameChangeResult =
  | 'done'
  | 'taken'
  | 'reserved'
  | 'too-many'
  | 'replayed'
  | 'not-owner'
  | 'other-chain'
  | 'expired'
  | 'not-offered'

/** An address that proved to be the signer, in lower case, and the chain of the proof. */
export type NameOwner = { address: string; signer: SignerKind; coinType: number }

export type NameRegistration = {
  name: string
  owner: NameOwner
  address: string
  coinTypes: readonly number[]
  attributes: NameAttributes | null
  /** The hash of the signed message. */
  message: Uint8Array
  now: number
  mostPerHour: number
}

export type NameChange = { name: string; owner: NameOwner; message: Uint8Array; now: number } & (
  | { attributes: NameAttributes }
  | { coinType: number; address: string }
  | { action: 'renew' }
  | { action: 'release' }
  /** Offers the name to an address. A contract accepts on the chain of the coin type. */
  | { action: 'transfer'; to: string; toCoinType: number }
  /** The owner of the change is the new owner. */
  | { action: 'accept'; address: string; coinTypes: readonly number[] }
)

/** Stores names. */
export type NameStore = {
  /** Gets a name that resolves. */
  find(name: string, now: number): Promise<NameRecord | undefined>
  /** Gets the names that an address owns and that resolve to it, oldest first. */
  ofOwner(owner: string, now: number): Promise<readonly NameRecord[]>
  /** Gets the names that are offered to an address. */
  offeredTo(address: string, now: number): Promise<readonly NameRecord[]>
  /** Gets the names among some names that are not available to everyone. */
  taken(names: readonly string[], now: number): Promise<ReadonlySet<string>>
  /** Registers a name that is available. Of concurrent registrations of a name, one succeeds. */
  register(registration: NameRegistration): Promise<NameChangeResult>
  change(change: NameChange): Promise<NameChangeResult>
}

/** A row of `name` with its addresses, and the type of the JSON column. */
type NameRow = Omit<TableRow<'name'>, 'attributes' | 'signer'> & {
  signer: SignerKind | null
  attributes: NameAttributes | null
  addresses: NameRecord['addresses'] | null
}

const hour = 3_600_000
/** Longer than a message stays valid, even if the clocks of servers differ. */
const remembered = 300_000

const columns = sql`
  n.name, n.owner, n.signer, n.proof_coin_type, n.registered_at, n.updated_at, n.expires_at, n.attributes,
  (select json_object_agg(a.coin_type, json_build_object('address', a.address, 'createdAt', a.created_at))
   from name_address a where a.name = n.name) as addresses`

/** Creates the store on a migrated database. */
export function createNameStore({ kysely }: Database, terms: NameTerms = nameTerms): NameStore {
  return {
    async find(name, now) {
      const { rows } = await sql<NameRow>`
        select ${columns} from name n
        where n.name = ${name} and n.released_at is null and n.expires_at > ${now}`.execute(kysely)
      return rows.map(toNameRecord)[0]
    },
    async ofOwner(owner, now) {
      const { rows } = await sql<NameRow>`
        select ${columns} from name n
        where n.owner = ${owner} and n.released_at is null and n.expires_at > ${now}
          and exists (select 1 from name_address a where a.name = n.name and lower(a.address) = ${owner})
        order by n.registered_at, n.name limit 100`.execute(kysely)
      return rows.map(toNameRecord)
    },
    async offeredTo(address, now) {
      const { rows } = await sql<NameRow>`
        select ${columns} from name n
        where n.offered_to = ${address} and n.offered_until > ${now} and n.released_at is null and n.expires_at > ${now}
        order by n.name limit 100`.execute(kysely)
      return rows.map(toNameRecord)
    },
    async taken(names, now) {
      const { rows } = await sql<Pick<NameRow, 'name'>>`
        select name from name where name = any(${names as string[]}) and case
          when released_at is null then expires_at > ${now - terms.graceMs} else released_at > ${now - terms.coolDownMs}
        end`.execute(kysely)
      return new Set(rows.map(({ name }) => name))
    },
    register: (registration) => kysely.transaction().execute((within) => insertName(within, registration, terms)),
    change: (wanted) => kysely.transaction().execute((within) => updateName(within, wanted, terms)),
  }
}

async function insertName(
  within: Kysely<unknown>,
  wanted: NameRegistration,
  terms: NameTerms,
): Promise<NameChangeResult> {
  const { name, owner, address, coinTypes, attributes, message, now, mostPerHour } = wanted
  // Serialises registrations of an owner. Otherwise concurrent ones would pass the limit.
  await sql`select pg_advisory_xact_lock(hashtextextended(${owner.address}, 0))`.execute(within)
  const { rows: recent } = await sql<{ count: number }>`
    select count(*)::int as count from name
    where owner = ${owner.address} and registered_at > ${now - hour}`.execute(within)
  if ((recent[0]?.count ?? 0) >= mostPerHour) return 'too-many'
  const obstacle = await removeLapsed(within, wanted, terms)
  if (obstacle !== undefined) return obstacle
  // A name that was released could otherwise be registered again with the same message.
  if (!(await markMessageUsed(within, message, now))) return 'replayed'
  const { rows: inserted } = await sql`
    insert into name (name, owner, signer, proof_coin_type, registered_at, expires_at, attributes)
    values (${name}, ${owner.address}, ${owner.signer}, ${owner.coinType}, ${now}, ${now + terms.termMs},
      ${attributes === null ? null : JSON.stringify(attributes)}::jsonb)
    on conflict (name) do nothing returning name`.execute(within)
  if (inserted.length === 0) return 'taken'
  for (const coinType of coinTypes) await upsertAddress(within, { name, coinType, address, now })
  return 'done'
}

/** Removes a name that expired or was released. Returns the reason if it is not available to the owner. */
async function removeLapsed(
  within: Kysely<unknown>,
  { name, owner, now }: NameRegistration,
  terms: NameTerms,
): Promise<'taken' | 'reserved' | undefined> {
  const stored = await lockName(within, name)
  if (stored === undefined) return undefined
  if (isHeld(stored, now, terms)) return 'taken'
  const isFormerOwner = stored.owner === owner.address && isSameOwner(stored, owner)
  if (isCoolingDown(stored, now, terms) && !isFormerOwner) return 'reserved'
  await sql`delete from name_address where name = ${name}`.execute(within)
  await sql`delete from name where name = ${name}`.execute(within)
  return undefined
}

async function lockName(within: Kysely<unknown>, name: string): Promise<StoredName | undefined> {
  const { rows } = await sql<StoredName>`
    select owner, signer, proof_coin_type, expires_at, released_at, offered_to, offered_coin_type, offered_until
    from name where name = ${name} for update`.execute(within)
  return rows[0]
}

async function updateName(within: Kysely<unknown>, wanted: NameChange, terms: NameTerms): Promise<NameChangeResult> {
  const { name, owner, message, now } = wanted
  const stored = await lockName(within, name)
  if (stored === undefined || !isHeld(stored, now, terms)) return 'not-owner'
  const action = 'action' in wanted ? wanted.action : 'change'
  const obstacle = action === 'accept' ? findOfferObstacle(stored, owner, now) : findOwnerObstacle(stored, owner)
  if (obstacle !== undefined) return obstacle
  if (action !== 'renew' && !isActive(stored, now)) return 'expired'
  if (!(await markMessageUsed(within, message, now))) return 'replayed'
  if (stored.signer === null && action !== 'accept') await completeProof(within, name, owner)
  await applyChange(within, wanted, terms)
  await sql`update name set updated_at = ${now} where name = ${name}`.execute(within)
  return 'done'
}

function findOwnerObstacle(stored: StoredName, owner: NameOwner): 'not-owner' | 'other-chain' | undefined {
  if (stored.owner !== owner.address) return 'not-owner'
  return isSameOwner(stored, owner) ? undefined : 'other-chain'
}

function findOfferObstacle(
  stored: StoredName,
  { address, signer, coinType }: NameOwner,
  now: number,
): 'not-offered' | 'other-chain' | undefined {
  if (stored.offered_to !== address || now >= (stored.offered_until ?? 0)) return 'not-offered'
  return signer === 'key' || stored.offered_coin_type === coinType ? undefined : 'other-chain'
}

async function applyChange(within: Kysely<unknown>, wanted: NameChange, terms: NameTerms): Promise<void> {
  const { name, owner, now } = wanted
  if ('attributes' in wanted) {
    const attributes = JSON.stringify(wanted.attributes)
    await sql`update name set attributes = ${attributes}::jsonb where name = ${name}`.execute(within)
  } else if ('coinType' in wanted) {
    await upsertAddress(within, { name, coinType: wanted.coinType, address: wanted.address, now })
  } else if (wanted.action === 'renew') {
    await sql`update name set expires_at = ${now + terms.termMs} where name = ${name}`.execute(within)
  } else if (wanted.action === 'transfer') {
    // An offer to the owner withdraws the last one.
    const to = wanted.to === owner.address ? null : wanted.to
    await sql`
      update name set offered_to = ${to}, offered_coin_type = ${wanted.toCoinType}, offered_until = ${now + terms.offerMs}
      where name = ${name}`.execute(within)
  } else if (wanted.action === 'release') {
    await sql`delete from name_address where name = ${name}`.execute(within)
    await sql`
      update name set released_at = ${now}, attributes = null, offered_to = null where name = ${name}`.execute(within)
  } else {
    // No data of the former owner stays. The oldest name of the new owner remains the displayed one.
    await sql`delete from name_address where name = ${name}`.execute(within)
    await sql`
      update name set owner = ${owner.address}, signer = ${owner.signer}, proof_coin_type = ${owner.coinType},
        attributes = null, offered_to = null, registered_at = ${now}
      where name = ${name}`.execute(within)
    for (const coinType of wanted.coinTypes) {
      await upsertAddress(within, { name, coinType, address: wanted.address, now })
    }
  }
}

type StoredName = StoredProof &
  Pick<NameRow, 'expires_at' | 'released_at' | 'offered_to' | 'offered_coin_type' | 'offered_until'>

type StoredProof = Pick<NameRow, 'owner' | 'signer' | 'proof_coin_type'>

/**
 * True if a proof is at least as strong as that of the registration. A key proves the ownership of an address on every
 * chain. A contract proves it on the chain of the registration only. Otherwise another owner of a contract at the same
 * address on another chain would own the name.
 */
function isSameOwner(stored: StoredProof, { signer, coinType }: NameOwner): boolean {
  if (signer === 'key') return true
  return stored.signer !== 'key' && stored.proof_coin_type === coinType
}

/** Stores the proof of a name that was registered before proofs were stored. */
async function completeProof(within: Kysely<unknown>, name: string, { signer, coinType }: NameOwner): Promise<void> {
  await sql`
    update name set signer = ${signer}, proof_coin_type = ${coinType} where name = ${name}`.execute(within)
  if (signer === 'key') return
  // Earlier versions gave every name a record for mainnet. A record that the owner set is younger than the name.
  await sql`
    delete from name_address a using name n
    where a.name = ${name} and n.name = a.name and a.coin_type = ${mainnetCoinType}
      and n.proof_coin_type <> a.coin_type and a.created_at = n.registered_at`.execute(within)
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

function toNameRecord(row: NameRow): NameRecord {
  const { name, owner, signer, proof_coin_type, registered_at, updated_at, expires_at, attributes, addresses } = row
  return {
    name,
    owner,
    signer,
    proofCoinType: proof_coin_type,
    registeredAt: registered_at,
    updatedAt: updated_at,
    expiresAt: expires_at,
    attributes,
    addresses: addresses ?? {},
  }
}
