import { sql, type Kysely, type Transaction } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import { Problem } from '../kit/problem.ts'
import type { Secrets } from '../kit/secrets.ts'

/** An account of a wallet, as everybody may know it. */
export type WalletAccount = { readonly namespace: string; readonly address: string }

/** The second part of a wallet key, for one device. */
export type AuthShare = {
  readonly walletId: Uint8Array
  readonly setId: Uint8Array
  readonly epoch: number
  readonly share: Uint8Array
}

/** A device that has a part, as its owner may see it. */
export type ShareDevice = {
  readonly setId: Uint8Array
  readonly key: string
  readonly browser: string
  readonly origin: string | undefined
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/** What is known of where a part is used, for showing it. */
export type ShareUse = { readonly browser: string; readonly origin?: string }

/**
 * The auth service's part of every wallet key. A device gets the part that was made for its own key; somebody who sets up
 * a new device gets the part of any device, which opens nothing without what the share store keeps.
 */
export type AuthShares = {
  /**
   * Notes a part that counts for nothing yet. The same again is the same.
   *
   * @throws Problem 409 `walletId` when the user has another wallet; 409 `setId` when that enrolment has other contents;
   *   429 `walletId` with too many devices.
   */
  prepare(owner: Owner, given: AuthShare & { accounts: readonly WalletAccount[] }, use?: ShareUse): Promise<void>
  /** Whether an enrolment begins the next epoch of the user's wallet: not everybody may. */
  beginsEpoch(user: string, epoch: number): Promise<boolean>
  /** Reads back what this key prepared. */
  read(owner: Owner, setId: Uint8Array): Promise<AuthShare | undefined>
  /**
   * Makes an enrolment count. Once more, after the share store counts it too, settles it: only then may it stand in for
   * enrolments that nobody uses any more.
   *
   * @throws Problem 404 `setId`, 409 `walletId` when another wallet won meanwhile.
   */
  commit(owner: Owner, setId: Uint8Array): Promise<void>
  /** The live part of this key; undefined when this device is not set up. */
  own(owner: Owner): Promise<AuthShare | undefined>
  /**
   * The part of an enrolment of any device, to set up another one: the named enrolment's, or the latest that counts.
   *
   * The named one may be a draft: it may count at the share store already, when whatever made it died between the two
   * commits. So may the latest be, before the user has a wallet here.
   */
  any(user: string, setId?: Uint8Array): Promise<AuthShare | undefined>
  /** The accounts of a user's wallet; undefined before there is one. */
  accounts(user: string): Promise<readonly WalletAccount[] | undefined>
  /** The devices that have a part that counts, the latest first. */
  devices(user: string): Promise<readonly ShareDevice[]>
  /** Notes when the wallet's keys were shown last. @returns that time. @throws Problem 404 `user` without a wallet */
  noteExport(user: string): Promise<number>
  /** Takes a device away: its key gets nothing any more. @returns its key */
  revoke(user: string, setId: Uint8Array): Promise<string | undefined>
  /** Forgets drafts of yesterday, but those that may count at the share store; and parts that were not used for ninety days, but the latest. */
  sweep(): Promise<void>
}

/** A user, and the frame's key that he is there with. */
export type Owner = { readonly user: string; readonly key: string }

const day = 86_400_000
const draftMs = day
const unusedMs = 90 * day
const mostSets = 25

type Row = {
  set_id: Buffer
  wallet_id: Buffer
  epoch: number
  key_thumbprint: string
  share: Buffer
  live_at: number | null
}
const columns = sql.raw('set_id, auth_share.wallet_id, auth_share.epoch, key_thumbprint, share, live_at')

export function createAuthShares(parts: { database: Kysely<unknown>; clock: Clock; secrets: Secrets }): AuthShares {
  const { database, clock, secrets } = parts
  // Sealed under a key of the epoch: with the epoch that key goes, and the parts of old backups with it.
  const place = (user: string, { walletId, setId, epoch }: Omit<AuthShare, 'share'>) => ({
    table: 'auth_share',
    row: hex(setId),
    owner: user,
    scope: scopeOf(walletId, epoch),
  })
  const open = async (user: string, row: Row | undefined): Promise<AuthShare | undefined> => {
    if (row === undefined) return undefined
    const facts = { walletId: row.wallet_id, setId: row.set_id, epoch: row.epoch }
    return { ...facts, share: await secrets.open(place(user, facts), row.share) }
  }

  return {
    async prepare(owner, given, use) {
      const { user, key } = owner
      const { walletId, setId, epoch, share, accounts } = given
      const wallet = await walletOf(database, user)
      if (wallet !== undefined && !fits(wallet, given)) throw otherWallet()
      if ((await rowOf(database, owner, setId)) === undefined) {
        await assertRoom(database, user)
        const sealed = await secrets.seal(place(user, given), share)
        const now = clock.now()
        await sql`
          insert into auth_share
            (set_id, user_id, wallet_id, epoch, key_thumbprint, share, accounts, created_at, used_at, browser, origin)
          values (${bytes(setId)}, ${user}, ${bytes(walletId)}, ${epoch}, ${key}, ${sealed}, ${JSON.stringify(accounts)},
            ${now}, ${now}, ${use?.browser ?? ''}, ${use?.origin ?? null})
          on conflict (set_id) do nothing`.execute(database)
      }
      const kept = await open(user, await rowOf(database, owner, setId))
      if (kept === undefined || hex(kept.share) !== hex(share)) {
        throw new Problem(409, 'setId', 'This enrolment has other contents.')
      }
    },
    async beginsEpoch(user, epoch) {
      const wallet = await walletOf(database, user)
      return wallet !== undefined && epoch > wallet.epoch
    },
    read: async (owner, setId) => open(owner.user, await rowOf(database, owner, setId)),
    async commit(owner, setId) {
      const began = await database
        .transaction()
        .execute((transaction) => commitSet(transaction, owner, setId, clock.now()))
      if (began !== undefined) await secrets.destroy(owner.user, scopeOf(began.wallet_id, began.epoch - 1))
    },
    async own({ user, key }) {
      const { rows } = await sql<Row>`
        select ${columns} from auth_share join auth_wallet using (user_id, wallet_id, epoch)
        where user_id = ${user} and key_thumbprint = ${key} and live_at is not null
        order by live_at desc limit 1`.execute(database)
      const [row] = rows
      if (row === undefined) return undefined
      await sql`update auth_share set used_at = ${clock.now()} where set_id = ${row.set_id}`.execute(database)
      return open(user, row)
    },
    async any(user, setId) {
      const which =
        setId === undefined
          ? sql`(auth_wallet.wallet_id is null or (live_at is not null and auth_share.epoch = auth_wallet.epoch))`
          : sql`set_id = ${bytes(setId)}`
      const { rows } = await sql<Row>`
        select ${columns} from auth_share left join auth_wallet using (user_id)
        where user_id = ${user} and ${which}
          and (auth_wallet.wallet_id is null or auth_share.wallet_id = auth_wallet.wallet_id)
        order by live_at desc nulls last, created_at desc limit 1`.execute(database)
      return open(user, rows[0])
    },
    async accounts(user) {
      const { rows } = await sql<{ accounts: string }>`
        select accounts from auth_wallet where user_id = ${user}`.execute(database)
      const [row] = rows
      // Only `prepare` writes them, of this very type.
      return row === undefined ? undefined : (JSON.parse(row.accounts) as readonly WalletAccount[])
    },
    devices: (user) => devicesOf(database, user),
    async noteExport(user) {
      const now = clock.now()
      const { rows } = await sql`
        update auth_wallet set exported_at = ${now} where user_id = ${user} returning user_id`.execute(database)
      if (rows.length === 0) throw new Problem(404, 'user', 'There is no wallet yet.')
      return now
    },
    async revoke(user, setId) {
      const { rows } = await sql<{ key: string }>`
        delete from auth_share
        where user_id = ${user} and key_thumbprint in (
          select key_thumbprint from auth_share where set_id = ${bytes(setId)} and user_id = ${user})
        returning key_thumbprint as key`.execute(database)
      return rows[0]?.key
    },
    sweep: () => sweepShares(database, clock.now()),
  }
}

/**
 * Drafts of a first wallet, and of the next epoch, may count at the share store: they stay until an enrolment that both
 * count takes their place.
 *
 * So does the latest enrolment that both count, however long nobody used it: the share store never learns what is used, and
 * keeps its latest. Otherwise each of the two would be left with another one, and no new device would find a pair.
 */
async function sweepShares(database: Kysely<unknown>, now: number): Promise<void> {
  await sql`
    delete from auth_share
    where (live_at is null and created_at <= ${now - draftMs} and exists (
        select from auth_wallet
        where auth_wallet.user_id = auth_share.user_id and auth_share.epoch <= auth_wallet.epoch
          and (auth_wallet.wallet_id <> auth_share.wallet_id or exists (
            select from auth_share as other
            where other.user_id = auth_share.user_id and other.settled_at is not null))))
      or (live_at is not null and used_at <= ${now - unusedMs} and exists (
        select from auth_share as newer
        where newer.user_id = auth_share.user_id and newer.settled_at is not null and newer.live_at > auth_share.live_at
      ))`.execute(database)
}

/** @returns the row when it began the next epoch of the wallet */
async function commitSet(
  transaction: Transaction<unknown>,
  owner: Owner,
  setId: Uint8Array,
  now: number,
): Promise<Row | undefined> {
  const row = await rowOf(transaction, owner, setId)
  if (row === undefined) throw new Problem(404, 'setId', 'There is no such enrolment.')
  if (row.live_at !== null) {
    await sql`
      update auth_share set settled_at = coalesce(settled_at, ${now}) where set_id = ${row.set_id}`.execute(transaction)
    return undefined
  }
  const { rows: made } = await sql`
    insert into auth_wallet (user_id, wallet_id, epoch, accounts, founder)
    select user_id, wallet_id, epoch, accounts, key_thumbprint from auth_share where set_id = ${row.set_id}
    on conflict (user_id) do nothing returning user_id`.execute(transaction)
  const { rows: moved } = await sql`
    update auth_wallet set epoch = ${row.epoch}
    where user_id = ${owner.user} and wallet_id = ${row.wallet_id} and epoch = ${row.epoch - 1}
    returning user_id`.execute(transaction)
  const wallet = await walletOf(transaction, owner.user)
  if (wallet === undefined || !wallet.wallet_id.equals(row.wallet_id) || wallet.epoch !== row.epoch) throw otherWallet()
  // Of the epoch before nothing stays. The device's own part of this one does: the share store may not count the new one yet.
  await sql`
    delete from auth_share where user_id = ${owner.user} and epoch < ${row.epoch}`.execute(transaction)
  // The first enrolment of a wallet and of an epoch counts at the share store before it does here. Where that one was left
  // a draft, this is another device's, made from it, and the share store has yet to count it.
  const isFirst = made.length + moved.length > 0 && !(await hasOther(transaction, owner.user, row))
  const settledAt = isFirst ? now : null
  await sql`
    update auth_share set live_at = ${now}, used_at = ${now}, settled_at = ${settledAt}
    where set_id = ${row.set_id}`.execute(transaction)
  return made.length === 0 && moved.length > 0 ? row : undefined
}

/** Whether there is another enrolment of the same wallet and epoch. */
async function hasOther(from: Kysely<unknown>, user: string, { wallet_id, epoch, set_id }: Row): Promise<boolean> {
  const { rows } = await sql`
    select from auth_share
    where user_id = ${user} and wallet_id = ${wallet_id} and epoch = ${epoch} and set_id <> ${set_id}`.execute(from)
  return rows.length > 0
}

async function devicesOf(database: Kysely<unknown>, user: string): Promise<readonly ShareDevice[]> {
  const { rows } = await sql<{ id: Buffer; key: string; browser: string; origin: string | null; at: number }>`
    select * from (
      select distinct on (key_thumbprint) set_id as id, key_thumbprint as key, browser, origin, live_at as at
      from auth_share join auth_wallet using (user_id, wallet_id, epoch)
      where user_id = ${user} and live_at is not null order by key_thumbprint, live_at desc
    ) as latest order by at desc`.execute(database)
  return rows.map(({ id, key, browser, origin, at }) => ({
    setId: id,
    key,
    browser,
    origin: origin ?? undefined,
    createdAt: at,
  }))
}

async function assertRoom(database: Kysely<unknown>, user: string): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct key_thumbprint) as count from auth_share
    where user_id = ${user} and live_at is not null`.execute(database)
  if ((rows[0]?.count ?? 0) < mostSets) return
  throw new Problem(429, 'walletId', 'This wallet is on too many devices. Remove one first.')
}

async function rowOf(from: Kysely<unknown>, { user, key }: Owner, setId: Uint8Array): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from auth_share
    where set_id = ${bytes(setId)} and user_id = ${user} and key_thumbprint = ${key}`.execute(from)
  return rows[0]
}

type WalletRow = { wallet_id: Buffer; epoch: number }

async function walletOf(from: Kysely<unknown>, user: string): Promise<WalletRow | undefined> {
  const { rows } = await sql<WalletRow>`
    select wallet_id, epoch from auth_wallet where user_id = ${user}`.execute(from)
  return rows[0]
}

/** Of the wallet's epoch, or of the next one. */
const fits = (wallet: WalletRow, { walletId, epoch }: { walletId: Uint8Array; epoch: number }): boolean =>
  wallet.wallet_id.equals(walletId) && (wallet.epoch === epoch || wallet.epoch + 1 === epoch)

function otherWallet(): Problem {
  return new Problem(409, 'walletId', 'This user has another wallet. Recover that one.')
}

const scopeOf = (walletId: Uint8Array, epoch: number): string => `${hex(walletId)}/${epoch}`
const bytes = (value: Uint8Array): Buffer => Buffer.from(value)
const hex = (value: Uint8Array): string => Buffer.from(value).toString('hex')
