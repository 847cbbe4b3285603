import { sql, type Kysely, type Transaction } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import type { KeyEncryption } from '../kit/keyEncryption.ts'
import { Problem } from '../kit/problem.ts'

/** Which enrolment of which wallet. All three stand in the share itself, too. */
export type SetPlace = { readonly walletId: Uint8Array; readonly setId: Uint8Array; readonly epoch: number }

/** One way to get the recovery key back. What is in it the frame alone can open. */
export type Wrap = {
  /** Names it among those of its wallet: `auto`, `password`, a passkey's credential. */
  readonly id: string
  readonly method: 'auto' | 'password' | 'passkey'
  readonly wrapped: Uint8Array
  /** What the frame has to know to use it, like a salt; not secret. JSON. */
  readonly facts: string
}

/** What a frame hands over for one device. */
export type Draft = SetPlace & {
  /** The thumbprint of the frame's key: it needs nobody's approval for what it brought itself. */
  readonly key: string
  /** Sealed by the frame under the recovery key. */
  readonly share: Uint8Array
  /** With the first device of a wallet, and of an epoch. */
  readonly vault?: Uint8Array
  readonly wraps?: readonly Wrap[]
}

/** What is kept of a wallet. */
export type Kept = SetPlace & {
  readonly share: Uint8Array
  readonly vault: Uint8Array
  readonly wraps: readonly Wrap[]
}

/**
 * The share store: the third part of every wallet key, sealed by the frame and sealed again here, and the vault.
 *
 * An enrolment is drafted, then committed when the frame has read everything back; what was never committed was never there.
 */
export type RecoveryStore = {
  /**
   * Notes an enrolment that counts for nothing yet. The same again is the same.
   *
   * @throws Problem 409 `walletId` when the user has another wallet, or another epoch of it; 409 `setId` when that
   *   enrolment has other contents; 429 `walletId` with too many devices.
   */
  prepare(user: string, draft: Draft): Promise<void>
  /** Reads a draft back, or a live enrolment; undefined when there is none of this user. */
  read(user: string, setId: Uint8Array): Promise<Kept | undefined>
  /**
   * Makes an enrolment count. Of two first wallets that were drafted at once, the first commit wins.
   *
   * @throws Problem 404 `setId`, 409 `walletId` when another wallet won meanwhile: its key is to be recovered instead.
   */
  commit(user: string, setId: Uint8Array): Promise<void>
  /** The wallet of a user, by any of its live enrolments; undefined when there is none. */
  find(user: string): Promise<Kept | undefined>
  /** Whether this key brought a live enrolment of the user. */
  knowsKey(user: string, key: string): Promise<boolean>
  /** Forgets the enrolment of one device. */
  remove(user: string, setId: Uint8Array): Promise<void>
  /** Forgets drafts of yesterday, and enrolments that nobody used for ninety days. */
  sweep(): Promise<void>
}

const day = 86_400_000
const draftMs = day
const unusedMs = 90 * day
const mostSets = 25

type Row = {
  set_id: Buffer
  wallet_id: Buffer
  epoch: number
  share: Buffer
  vault: Buffer | null
  live_at: number | null
}

export function createRecoveryStore(parts: {
  database: Kysely<unknown>
  clock: Clock
  encryption: KeyEncryption
}): RecoveryStore {
  const { database, clock, encryption } = parts
  const place = (user: string, setId: Uint8Array) => ({ table: 'share_set', row: hex(setId), owner: user })

  async function keptOf(user: string, row: Row): Promise<Kept> {
    const wallet = await walletOf(database, user)
    const vault = row.vault ?? wallet?.vault
    if (vault === undefined) throw new Problem(404, 'setId', 'There is no such enrolment.')
    const { rows } = await sql<{ id: string; method: Wrap['method']; wrapped: Buffer; facts: string }>`
      select distinct on (id) id, method, wrapped, facts from share_wrap
      where wallet_id = ${row.wallet_id} and (live_at is not null or set_id = ${row.set_id})
      order by id, created_at desc`.execute(database)
    const { secret } = encryption.open(place(user, row.set_id), row.share)
    return { walletId: row.wallet_id, setId: row.set_id, epoch: row.epoch, share: secret, vault, wraps: rows }
  }

  async function draft(transaction: Transaction<unknown>, user: string, given: Draft): Promise<void> {
    const { setId, walletId, epoch, key, share, vault, wraps = [] } = given
    const now = clock.now()
    const sealed = encryption.seal(place(user, setId), share)
    await sql`
      insert into share_set (set_id, user_id, wallet_id, epoch, key_thumbprint, share, vault, created_at, used_at)
      values (${bytes(setId)}, ${user}, ${bytes(walletId)}, ${epoch}, ${key}, ${sealed},
        ${vault === undefined ? null : bytes(vault)}, ${now}, ${now})`.execute(transaction)
    for (const { id, method, wrapped, facts } of wraps) {
      await sql`
        insert into share_wrap (wallet_id, set_id, id, method, wrapped, facts, created_at)
        values (${bytes(walletId)}, ${bytes(setId)}, ${id}, ${method}, ${bytes(wrapped)}, ${facts}, ${now})`.execute(
        transaction,
      )
    }
  }

  return {
    async prepare(user, given) {
      const wallet = await walletOf(database, user)
      assertFits(wallet, given)
      const present = await rowOf(database, user, given.setId)
      if (present !== undefined) {
        const { secret } = encryption.open(place(user, present.set_id), present.share)
        if (!secret.equals(given.share)) throw new Problem(409, 'setId', 'This enrolment has other contents.')
        return
      }
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from share_set where user_id = ${user}`.execute(database)
      if ((rows[0]?.count ?? 0) >= mostSets) {
        throw new Problem(429, 'walletId', 'This wallet is on too many devices. Remove one first.')
      }
      await database.transaction().execute((transaction) => draft(transaction, user, given))
    },
    async read(user, setId) {
      const row = await rowOf(database, user, setId)
      return row === undefined ? undefined : keptOf(user, row)
    },
    async commit(user, setId) {
      await database.transaction().execute(async (transaction) => {
        const row = await rowOf(transaction, user, setId)
        if (row === undefined) throw new Problem(404, 'setId', 'There is no such enrolment.')
        if (row.live_at !== null) return
        const now = clock.now()
        if (row.vault !== null) {
          await sql`
            insert into share_wallet (user_id, wallet_id, epoch, vault, created_at)
            values (${user}, ${row.wallet_id}, ${row.epoch}, ${row.vault}, ${now})
            on conflict (user_id) do nothing`.execute(transaction)
        }
        assertFits(await walletOf(transaction, user), { walletId: row.wallet_id, epoch: row.epoch, vault: row.vault })
        await sql`update share_set set live_at = ${now}, vault = null where set_id = ${row.set_id}`.execute(transaction)
        await sql`update share_wrap set live_at = ${now} where set_id = ${row.set_id}`.execute(transaction)
      })
    },
    async find(user) {
      const { rows } = await sql<Row>`
        select set_id, share_set.wallet_id, share_set.epoch, share, share_set.vault, live_at
        from share_set join share_wallet using (user_id)
        where user_id = ${user} and live_at is not null and share_set.epoch = share_wallet.epoch
        order by share_set.used_at desc limit 1`.execute(database)
      const [row] = rows
      return row === undefined ? undefined : keptOf(user, row)
    },
    async knowsKey(user, key) {
      const { rows } = await sql`
        select from share_set
        where user_id = ${user} and key_thumbprint = ${key} and live_at is not null limit 1`.execute(database)
      return rows.length > 0
    },
    async remove(user, setId) {
      await sql`delete from share_set where set_id = ${bytes(setId)} and user_id = ${user}`.execute(database)
    },
    sweep: () => sweepSets(database, clock.now()),
  }
}

async function rowOf(from: Kysely<unknown>, user: string, setId: Uint8Array): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select set_id, wallet_id, epoch, share, vault, live_at from share_set
    where set_id = ${bytes(setId)} and user_id = ${user}`.execute(from)
  return rows[0]
}

type WalletRow = { wallet_id: Buffer; epoch: number; vault: Buffer }

async function walletOf(from: Kysely<unknown>, user: string): Promise<WalletRow | undefined> {
  const { rows } = await sql<WalletRow>`
    select wallet_id, epoch, vault from share_wallet where user_id = ${user}`.execute(from)
  return rows[0]
}

async function sweepSets(database: Kysely<unknown>, now: number): Promise<void> {
  await sql`
    delete from share_set
    where (live_at is null and created_at <= ${now - draftMs})
      or (live_at is not null and used_at <= ${now - unusedMs} and exists (
        select from share_set as newer
        where newer.user_id = share_set.user_id and newer.live_at is not null and newer.used_at > share_set.used_at
      ))`.execute(database)
  await sql`
    delete from share_wrap
    where live_at is null and not exists (select from share_set where share_set.set_id = share_wrap.set_id)`.execute(
    database,
  )
}

/** A user has one wallet, and one epoch of it; only its first enrolment brings the vault. */
function assertFits(
  wallet: { wallet_id: Buffer; epoch: number } | undefined,
  { walletId, epoch, vault }: { walletId: Uint8Array; epoch: number; vault?: Uint8Array | null },
): void {
  if (wallet === undefined) {
    if (vault !== undefined && vault !== null) return
    throw new Problem(409, 'walletId', 'There is no such wallet yet.')
  }
  if (wallet.wallet_id.equals(walletId) && wallet.epoch === epoch) return
  throw new Problem(409, 'walletId', 'This user has another wallet. Recover that one.')
}

const bytes = (value: Uint8Array): Buffer => Buffer.from(value)
const hex = (value: Uint8Array): string => Buffer.from(value).toString('hex')
