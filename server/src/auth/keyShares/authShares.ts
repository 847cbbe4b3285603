import { sql, type Kysely, type Transaction } from 'kysely'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { SecretLocation, Secrets } from '../../kit/secrets/secrets.ts'
import type { TableRow } from '../../schema/tableRow.ts'
import { deleteUnusedShares } from './deleteUnusedShares.ts'

/** The public account of a wallet. */
export type WalletAccount = { readonly namespace: string; readonly address: string }

/** The auth share of a wallet key for one device. */
export type AuthShare = {
  readonly walletId: Uint8Array
  /** Identifies the enrolment: the three shares that were created together. */
  readonly setId: Uint8Array
  readonly epoch: number
  readonly share: Uint8Array
}

/** A device that has a share, as its owner may see it. */
export type ShareDevice = {
  readonly setId: Uint8Array
  readonly key: string
  readonly browser: string
  readonly origin: string | undefined
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/** The browser and page that use a share, for showing them to the owner. */
export type ShareUse = { readonly browser: string; readonly origin?: string }

/** A user, and the key of the frame that acts for the user. */
export type ShareOwner = { readonly user: string; readonly key: string }

/**
 * The auth shares of wallet keys. A device gets the share that was created for its own key. A user who enrols a new device
 * gets the share of any device, which is useless without the share store's data.
 */
export type AuthShares = {
  /**
   * Stores the share of a draft enrolment. Idempotent.
   *
   * @throws Problem 409 `walletId` if the user has another wallet; 409 `setId` if that enrolment has other contents;
   *   429 `walletId` with too many devices
   */
  prepare(owner: ShareOwner, share: AuthShare & { accounts: readonly WalletAccount[] }, use?: ShareUse): Promise<void>
  /** True if an enrolment starts the next epoch of the user's wallet. Not every device may do that. */
  startsNextEpoch(user: string, epoch: number): Promise<boolean>
  /** The same for a share that this key prepared. */
  isNextEpochPrepared(owner: ShareOwner, setId: Uint8Array): Promise<boolean>
  /** Returns a share that this key prepared. */
  findPrepared(owner: ShareOwner, setId: Uint8Array): Promise<AuthShare | undefined>
  /**
   * Makes an enrolment live. The second call, after the share store has committed it too, settles the enrolment. Only a
   * settled enrolment of a device that proved to have the wallet open may replace enrolments that are no longer used.
   *
   * @param opening if the device gave this proof, which the first enrolment of a wallet or an epoch needs or implies
   * @throws Problem 404 `setId`, 409 `walletId` if another wallet was committed in the meantime
   */
  commit(owner: ShareOwner, setId: Uint8Array, opening?: { isProven: boolean }): Promise<void>
  /** Returns the live share of this key, or `undefined` if this device is not enrolled. */
  findOwn(owner: ShareOwner): Promise<AuthShare | undefined>
  /**
   * Returns the share of any device, for the enrolment of another one: the share of the given enrolment, or of the latest live
   * one.
   *
   * The given enrolment may be a draft, because it may be live at the share store already if its device stopped between the
   * two commits. So may the latest one, before the user has a wallet here.
   */
  findForNewDevice(user: string, setId?: Uint8Array): Promise<AuthShare | undefined>
  /** Returns the accounts of a user's wallet, or `undefined` before there is one. */
  listAccounts(user: string): Promise<readonly WalletAccount[] | undefined>
  /** Lists the devices with a live share, the latest first. */
  listDevices(user: string): Promise<readonly ShareDevice[]>
  /** Records that the wallet's keys are shown. @returns the time. @throws Problem 404 `user` without a wallet */
  recordExport(user: string): Promise<number>
  /** Deletes the shares of a device, so that its key no longer gets anything. @returns the key of the device */
  revoke(user: string, setId: Uint8Array): Promise<string | undefined>
  /** Deletes the shares of a device by its key. Idempotent. */
  revokeKey(owner: ShareOwner): Promise<void>
  /** Deletes expired drafts and shares that were not used for ninety days, see `deleteUnusedShares`. */
  sweep(): Promise<void>
}

const maxDevices = 25

type ShareRow = Pick<TableRow<'auth_share'>, 'set_id' | 'wallet_id' | 'epoch' | 'key_thumbprint' | 'share' | 'live_at'>
const columns = sql.raw('set_id, auth_share.wallet_id, auth_share.epoch, key_thumbprint, share, live_at')

export type AuthSharesDependencies = { database: Kysely<unknown>; clock: Clock; secrets: Secrets }

/** Creates the auth shares of the auth service. */
export function createAuthShares(dependencies: AuthSharesDependencies): AuthShares {
  const { database, clock, secrets } = dependencies
  return {
    ...createShareQueries(dependencies),
    prepare: (owner, share, use) => prepareShare(dependencies, owner, share, use),
    async startsNextEpoch(user, epoch) {
      const wallet = await findWallet(database, user)
      return wallet !== undefined && epoch > wallet.epoch
    },
    async isNextEpochPrepared(owner, setId) {
      const [wallet, row] = await Promise.all([findWallet(database, owner.user), findRow(database, owner, setId)])
      return wallet !== undefined && row !== undefined && row.epoch > wallet.epoch
    },
    async commit(owner, setId, { isProven } = { isProven: false }) {
      const opening = { isProven, now: clock.now() }
      const previous = await database
        .transaction()
        .execute((transaction) => commitShare(transaction, owner, setId, opening))
      if (previous !== undefined) await secrets.destroy(owner.user, previous)
    },
    async recordExport(user) {
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
          select key_thumbprint from auth_share where set_id = ${Buffer.from(setId)} and user_id = ${user})
        returning key_thumbprint as key`.execute(database)
      return rows[0]?.key
    },
    async revokeKey({ user, key }) {
      await sql`delete from auth_share where user_id = ${user} and key_thumbprint = ${key}`.execute(database)
    },
    sweep: () => deleteUnusedShares(database, clock.now()),
  }
}

type ShareQueries = Pick<AuthShares, 'findPrepared' | 'findOwn' | 'findForNewDevice' | 'listAccounts' | 'listDevices'>

function createShareQueries({ database, clock, secrets }: AuthSharesDependencies): ShareQueries {
  return {
    findPrepared: async (owner, setId) => openShare(secrets, owner.user, await findRow(database, owner, setId)),
    async findOwn({ user, key }) {
      const { rows } = await sql<ShareRow>`
        select ${columns} from auth_share join auth_wallet using (user_id, wallet_id, epoch)
        where user_id = ${user} and key_thumbprint = ${key} and live_at is not null
        order by live_at desc limit 1`.execute(database)
      const [row] = rows
      if (row === undefined) return undefined
      const [share] = await Promise.all([
        openShare(secrets, user, row),
        sql`
          update auth_share set used_at = ${clock.now()}
          where user_id = ${user} and set_id = ${row.set_id}`.execute(database),
      ])
      return share
    },
    async findForNewDevice(user, setId) {
      const condition =
        setId === undefined
          ? sql`(auth_wallet.wallet_id is null or (live_at is not null and auth_share.epoch = auth_wallet.epoch))`
          : sql`set_id = ${Buffer.from(setId)}`
      const { rows } = await sql<ShareRow>`
        select ${columns} from auth_share left join auth_wallet using (user_id)
        where user_id = ${user} and ${condition}
          and (auth_wallet.wallet_id is null or auth_share.wallet_id = auth_wallet.wallet_id)
        order by live_at desc nulls last, created_at desc limit 1`.execute(database)
      return openShare(secrets, user, rows[0])
    },
    async listAccounts(user) {
      const { rows } = await sql<{ accounts: string }>`
        select accounts from auth_wallet where user_id = ${user}`.execute(database)
      const [row] = rows
      // Only `prepare` writes this column, and it writes this type.
      return row === undefined ? undefined : (JSON.parse(row.accounts) as readonly WalletAccount[])
    },
    listDevices: (user) => listDevices(database, user),
  }
}

async function prepareShare(
  { database, clock, secrets }: AuthSharesDependencies,
  owner: ShareOwner,
  given: AuthShare & { accounts: readonly WalletAccount[] },
  use: ShareUse | undefined,
): Promise<void> {
  const { user, key } = owner
  const { walletId, setId, epoch, share, accounts } = given
  const [wallet, present] = await Promise.all([findWallet(database, user), findRow(database, owner, setId)])
  if (wallet !== undefined && !belongsToWallet(wallet, given)) throw createOtherWalletProblem()
  if (present === undefined) {
    // The start of an epoch deletes all earlier shares, and it is how a stolen device is revoked.
    if (wallet?.epoch === given.epoch) await assertDeviceLimit(database, owner)
    const sealed = await secrets.seal(shareLocation(user, given), share)
    const now = clock.now()
    await sql`
      insert into auth_share
        (set_id, user_id, wallet_id, epoch, key_thumbprint, share, accounts, created_at, used_at, browser, origin)
      values (${Buffer.from(setId)}, ${user}, ${Buffer.from(walletId)}, ${epoch}, ${key}, ${sealed},
        ${JSON.stringify(accounts)}, ${now}, ${now}, ${use?.browser ?? ''}, ${use?.origin ?? null})
      on conflict (user_id, set_id) do nothing`.execute(database)
  }
  const stored = await openShare(secrets, user, await findRow(database, owner, setId))
  if (stored === undefined || !Buffer.from(stored.share).equals(share)) {
    throw new Problem(409, 'setId', 'This enrolment has other contents.')
  }
}

/** @returns the secret scope of the previous epoch if the enrolment started the next epoch of the wallet */
async function commitShare(
  transaction: Transaction<unknown>,
  owner: ShareOwner,
  setId: Uint8Array,
  { isProven, now }: { isProven: boolean; now: number },
): Promise<string | undefined> {
  const row = await findRow(transaction, owner, setId)
  if (row === undefined) throw new Problem(404, 'setId', 'There is no such enrolment.')
  if (row.live_at !== null) {
    await sql`
      update auth_share set settled_at = coalesce(settled_at, ${now}), proven_at = coalesce(proven_at, ${isProven ? now : null}::bigint)
      where user_id = ${owner.user} and set_id = ${row.set_id}`.execute(transaction)
    return undefined
  }
  const change = await updateWallet(transaction, owner.user, row)
  // No share of an earlier epoch remains. The device's own share of this epoch does, because the share store may not have
  // committed the new one yet.
  await sql`
    delete from auth_share where user_id = ${owner.user} and epoch < ${row.epoch}`.execute(transaction)
  // The first enrolment of a wallet or an epoch is live at the share store before it is live here. If that one is still a
  // draft, this is the enrolment of another device, and the share store has yet to commit it.
  const isSettled = change !== 'none' && !(await hasOtherEnrolment(transaction, owner.user, row))
  await sql`
    update auth_share set live_at = ${now}, used_at = ${now}, settled_at = ${isSettled ? now : null},
      proven_at = ${isProven || change !== 'none' ? now : null}
    where user_id = ${owner.user} and set_id = ${row.set_id}`.execute(transaction)
  return change === 'epoch' ? secretScope(row.wallet_id, row.epoch - 1) : undefined
}

/** Creates the wallet, or moves it to the next epoch, if the enrolment does so. */
async function updateWallet(
  transaction: Transaction<unknown>,
  user: string,
  row: ShareRow,
): Promise<'wallet' | 'epoch' | 'none'> {
  const { rows: created } = await sql`
    insert into auth_wallet (user_id, wallet_id, epoch, accounts, founder)
    select user_id, wallet_id, epoch, accounts, key_thumbprint from auth_share
    where user_id = ${user} and set_id = ${row.set_id}
    on conflict (user_id) do nothing returning user_id`.execute(transaction)
  const { rows: moved } = await sql`
    update auth_wallet set epoch = ${row.epoch}
    where user_id = ${user} and wallet_id = ${row.wallet_id} and epoch = ${row.epoch - 1}
    returning user_id`.execute(transaction)
  const wallet = await findWallet(transaction, user)
  if (wallet === undefined || !wallet.wallet_id.equals(row.wallet_id) || wallet.epoch !== row.epoch)
    throw createOtherWalletProblem()
  if (created.length > 0) return 'wallet'
  return moved.length > 0 ? 'epoch' : 'none'
}

/** True if there is another enrolment of the same wallet and epoch. */
async function hasOtherEnrolment(
  database: Kysely<unknown>,
  user: string,
  { wallet_id, epoch, set_id }: ShareRow,
): Promise<boolean> {
  const { rows } = await sql`
    select from auth_share
    where user_id = ${user} and wallet_id = ${wallet_id} and epoch = ${epoch} and set_id <> ${set_id}`.execute(database)
  return rows.length > 0
}

async function listDevices(database: Kysely<unknown>, user: string): Promise<readonly ShareDevice[]> {
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

/** Only devices that proved to have the wallet open count. The junk of a thief of the login would lock the owner's devices out. [C-08] */
async function assertDeviceLimit(database: Kysely<unknown>, { user, key }: ShareOwner): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct key_thumbprint) as count from auth_share
    where user_id = ${user} and live_at is not null and proven_at is not null and key_thumbprint <> ${key}`.execute(
    database,
  )
  if ((rows[0]?.count ?? 0) < maxDevices) return
  throw new Problem(429, 'walletId', 'This wallet is on too many devices. Remove one first.')
}

async function findRow(
  database: Kysely<unknown>,
  { user, key }: ShareOwner,
  setId: Uint8Array,
): Promise<ShareRow | undefined> {
  const { rows } = await sql<ShareRow>`
    select ${columns} from auth_share
    where set_id = ${Buffer.from(setId)} and user_id = ${user} and key_thumbprint = ${key}`.execute(database)
  return rows[0]
}

type WalletRow = Pick<TableRow<'auth_wallet'>, 'wallet_id' | 'epoch'>

async function findWallet(database: Kysely<unknown>, user: string): Promise<WalletRow | undefined> {
  const { rows } = await sql<WalletRow>`
    select wallet_id, epoch from auth_wallet where user_id = ${user}`.execute(database)
  return rows[0]
}

/** True for an enrolment of the wallet's present epoch or of the next one. */
const belongsToWallet = (wallet: WalletRow, { walletId, epoch }: { walletId: Uint8Array; epoch: number }): boolean =>
  wallet.wallet_id.equals(walletId) && (wallet.epoch === epoch || wallet.epoch + 1 === epoch)

async function openShare(secrets: Secrets, user: string, row: ShareRow | undefined): Promise<AuthShare | undefined> {
  if (row === undefined) return undefined
  const ref = { walletId: row.wallet_id, setId: row.set_id, epoch: row.epoch }
  return { ...ref, share: await secrets.open(shareLocation(user, ref), row.share) }
}

/** Shares are sealed under a data key of their epoch. The next epoch destroys that key, and with it the shares in backups. */
function shareLocation(user: string, { walletId, setId, epoch }: Omit<AuthShare, 'share'>): SecretLocation {
  const row = Buffer.from(setId).toString('hex')
  return { table: 'auth_share', row, owner: user, scope: secretScope(walletId, epoch) }
}

function secretScope(walletId: Uint8Array, epoch: number): string {
  return `${Buffer.from(walletId).toString('hex')}/${epoch}`
}

function createOtherWalletProblem(): Problem {
  return new Problem(409, 'walletId', 'This user has another wallet. Recover that one.')
}
