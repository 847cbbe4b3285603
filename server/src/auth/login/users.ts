import { randomUUID } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { isUuid } from '../../custody/isUuid.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Secrets } from '../../kit/secrets/secrets.ts'
import type { TableRow } from '../../schema/tableRow.ts'

/** A user of the embedded wallet. */
export type User = { readonly id: string; readonly email: string | undefined }

/** The devices of users: the frame keys that users logged in with. */
export type UserDevices = {
  /** Records a login of a user with a frame's key. */
  recordDevice(user: string, key: string): Promise<void>
  /** True if any user logged in with this key in the last ninety days. It does not tell which user. */
  isKnownDevice(key: string): Promise<boolean>
  /**
   * True if this is a proven device of the mailbox's user, who logged in with it in the last ninety days. A login alone proves
   * nothing: the thief of one code could otherwise use up what known devices have.
   */
  isProvenDeviceOfMailbox(mailbox: Uint8Array, key: string): Promise<boolean>
  /** True if the device created the wallet, or proved more than a login, see `recordProof`. */
  isProvenDevice(user: string, key: string): Promise<boolean>
  /**
   * Records that a device proved more than a login: that the share store approved it, or that it opened the wallet. The first
   * proof counts.
   */
  recordProof(user: string, key: string): Promise<void>
  /**
   * True if the device created the wallet, or if its first proof is at least a day old. A login alone never counts: the thief
   * of one code has only to wait.
   */
  isEstablishedDevice(user: string, key: string): Promise<boolean>
  /** Forgets a removed device, and remembers the removal for its later tokens. Idempotent. */
  forgetDevice(user: string, key: string): Promise<void>
}

/** The users, found by a mailbox or by an account at an identity provider. */
export type Users = UserDevices & {
  /** Returns the user of a mailbox, and creates one if there is none. The address is stored sealed, for mail to the user. */
  findOrCreateByMailbox(mailbox: Uint8Array, email: string): Promise<User>
  find(id: string): Promise<User | undefined>
  /** True while the user can log in. A deleted user that a backup restored can't. [K-13] */
  exists(id: string): Promise<boolean>
  /** True if the user logs in with a mailbox. */
  hasMailbox(id: string): Promise<boolean>
  /** Returns the mailbox that the user logs in with, as a keyed hash, and its address. */
  findMailbox(id: string): Promise<{ mailbox: Buffer; email: string } | undefined>
  /** Seals an address for `changeMailbox`. Do so before the transaction, which would otherwise wait for another connection. */
  sealEmail(id: string, email: string): Promise<Buffer>
  /**
   * Changes the address in a transaction that has locked the user.
   *
   * @param next.mailbox `undefined` if the user logs in at a provider, and the address is for mail only
   * @throws Problem 409 `email` if another user has this mailbox
   */
  changeMailbox(transaction: Transaction<unknown>, id: string, next: SealedAddress): Promise<void>
}

/** A mailbox as a keyed hash, and its sealed address. */
export type SealedAddress = { readonly mailbox: Uint8Array | undefined; readonly email: Buffer }

const dayMs = 86_400_000
const knownMs = 90 * dayMs

type UserRow = Pick<TableRow<'auth_user'>, 'id' | 'email'>

export type UsersDependencies = { database: Kysely<unknown>; clock: Clock; secrets: Secrets }

const emailLocation = (id: string) => ({ table: 'auth_user', row: id, owner: id })

/** Creates the users of the auth service. */
export function createUsers(dependencies: UsersDependencies): Users {
  const { database, secrets } = dependencies
  return {
    ...createUserDevices(dependencies),
    findOrCreateByMailbox: (mailbox, email) => findOrCreateByMailbox(dependencies, Buffer.from(mailbox), email),
    async find(id) {
      const { rows } = await sql<UserRow>`select id, email from auth_user where id = ${id}`.execute(database)
      const [row] = rows
      return row === undefined ? undefined : openUser(secrets, row)
    },
    async exists(id) {
      if (!isUuid(id)) return false
      const { rows } = await sql`select from auth_user where id = ${id}`.execute(database)
      return rows.length > 0 && secrets.hasKeys(id)
    },
    async hasMailbox(id) {
      const { rows } = await sql`
        select from auth_user where id = ${id} and mailbox is not null`.execute(database)
      return rows.length > 0
    },
    async findMailbox(id) {
      const { rows } = await sql<UserRow & { mailbox: Buffer }>`
        select id, email, mailbox from auth_user where id = ${id} and mailbox is not null`.execute(database)
      const [row] = rows
      const email = row && (await openUser(secrets, row)).email
      return row === undefined || email === undefined ? undefined : { mailbox: row.mailbox, email }
    },
    sealEmail: (id, email) => secrets.seal(emailLocation(id), Buffer.from(email)),
    async changeMailbox(transaction, id, { mailbox, email }) {
      const next = mailbox === undefined ? null : Buffer.from(mailbox)
      const { rows } = await sql`
        update auth_user set mailbox = ${next}::bytea, email = ${email}
        where id = ${id} and not exists (
          select from auth_user as other where other.mailbox = ${next}::bytea and other.id <> ${id})
        returning id`.execute(transaction)
      if (rows.length === 0) throw createTakenProblem()
    },
  }
}

function createUserDevices({ database, clock }: UsersDependencies): UserDevices {
  return {
    async recordDevice(user, key) {
      const now = clock.now()
      await sql`
        insert into auth_key (key_thumbprint, user_id, seen_at, since) values (${key}, ${user}, ${now}, ${now})
        on conflict (key_thumbprint, user_id) do update set
          seen_at = excluded.seen_at,
          since = case when auth_key.seen_at > ${now - knownMs} then auth_key.since else excluded.since end,
          proven_at = case
            when auth_key.proven_at is null or auth_key.seen_at > ${now - knownMs} then auth_key.proven_at
            else excluded.since end`.execute(database)
    },
    async isKnownDevice(key) {
      const { rows } = await sql`
        select from auth_key where key_thumbprint = ${key} and seen_at > ${clock.now() - knownMs} limit 1`.execute(
        database,
      )
      return rows.length > 0
    },
    async isProvenDeviceOfMailbox(mailbox, key) {
      const { rows } = await sql`
        select from auth_key
          join auth_user on auth_user.id = auth_key.user_id
          left join auth_wallet on auth_wallet.user_id = auth_key.user_id
        where key_thumbprint = ${key} and seen_at > ${clock.now() - knownMs} and (proven_at is not null or founder = ${key})
          and mailbox = ${Buffer.from(mailbox)}`.execute(database)
      return rows.length > 0
    },
    async isProvenDevice(user, key) {
      const { rows } = await sql`
        select from auth_key left join auth_wallet using (user_id)
        where user_id = ${user} and key_thumbprint = ${key} and (proven_at is not null or founder = ${key})`.execute(
        database,
      )
      return rows.length > 0
    },
    async recordProof(user, key) {
      await sql`
        update auth_key set proven_at = coalesce(proven_at, ${clock.now()})
        where user_id = ${user} and key_thumbprint = ${key}`.execute(database)
    },
    async isEstablishedDevice(user, key) {
      const { rows } = await sql`
        select from auth_key left join auth_wallet using (user_id)
        where user_id = ${user} and key_thumbprint = ${key}
          and (proven_at <= ${clock.now() - dayMs} or founder = ${key})`.execute(database)
      return rows.length > 0
    },
    async forgetDevice(user, key) {
      await sql`delete from auth_key where user_id = ${user} and key_thumbprint = ${key}`.execute(database)
      // A removed device that logs in again is a new one.
      await sql`update auth_wallet set founder = null where user_id = ${user} and founder = ${key}`.execute(database)
      await sql`
        insert into auth_removed_device (user_id, key_thumbprint, at) values (${user}, ${key}, ${clock.now()})
        on conflict (user_id, key_thumbprint) do update set at = excluded.at`.execute(database)
    },
  }
}

async function findOrCreateByMailbox(
  { database, clock, secrets }: UsersDependencies,
  mailbox: Buffer,
  email: string,
): Promise<User> {
  const [present] = await selectByMailbox(database, mailbox)
  if (present !== undefined && (await secrets.hasKeys(present.id))) return openUser(secrets, present)
  // A deleted user that a backup restored no longer has data keys. The mailbox gets a new user. [K-13]
  if (present !== undefined) await sql`delete from auth_user where id = ${present.id}`.execute(database)
  const id = randomUUID()
  const sealed = await secrets.seal(emailLocation(id), Buffer.from(email))
  // Two concurrent first logins insert one row, and both return it.
  await sql`
    insert into auth_user (id, mailbox, email, created_at)
    values (${id}, ${mailbox}, ${sealed}, ${clock.now()})
    on conflict (mailbox) do nothing`.execute(database)
  const [row] = await selectByMailbox(database, mailbox)
  if (row === undefined) throw new Error('The user was created but cannot be read.')
  if (row.id !== id) await secrets.destroy(id)
  return openUser(secrets, row)
}

async function selectByMailbox(database: Kysely<unknown>, mailbox: Buffer): Promise<readonly UserRow[]> {
  const { rows } = await sql<UserRow>`
    select id, email from auth_user where mailbox = ${mailbox}`.execute(database)
  return rows
}

/** Returns the problem 409 of an address that another user has. */
export function createTakenProblem(): Problem {
  return new Problem(409, 'email', 'Another wallet has this address already.')
}

async function openUser(secrets: Secrets, { id, email }: UserRow): Promise<User> {
  return { id, email: email === null ? undefined : (await secrets.open(emailLocation(id), email)).toString() }
}
