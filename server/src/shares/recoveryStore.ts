import { sql, type Kysely, type Transaction } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import { Problem } from '../kit/problem.ts'
import type { Secrets } from '../kit/secrets.ts'
import type { AutoKeys } from './autoKeys.ts'
import type { Devices } from './devices.ts'

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
 * The first enrolment of the next epoch brings another vault, and takes away whatever belonged to the epoch before.
 */
export type RecoveryStore = {
  /**
   * Notes an enrolment that counts for nothing yet. The same again is the same.
   *
   * @throws Problem 409 `walletId` when the user has another wallet, or another epoch of it; 409 `setId` when that
   *   enrolment has other contents; 429 `walletId` with too many devices.
   */
  prepare(user: string, draft: Draft): Promise<void>
  /** Whether an enrolment begins the next epoch of the user's wallet: not everybody may. */
  beginsEpoch(user: string, place: Omit<SetPlace, 'setId'>): Promise<boolean>
  /** Reads a draft back, or a live enrolment; undefined when there is none of this user. */
  read(user: string, setId: Uint8Array): Promise<Kept | undefined>
  /**
   * Makes an enrolment count. Of two first wallets that were drafted at once, the first commit wins.
   *
   * @throws Problem 404 `setId`, 409 `walletId` when another wallet won meanwhile: its key is to be recovered instead.
   */
  commit(user: string, setId: Uint8Array): Promise<void>
  /** The wallet of a user, by the latest of its live enrolments that is not left out; undefined when there is none. */
  find(user: string, except?: readonly Uint8Array[]): Promise<Kept | undefined>
  /** Forgets the enrolment of one device, and the device. @returns its key, if it was there */
  remove(user: string, setId: Uint8Array): Promise<string | undefined>
  /** Forgets drafts of yesterday, and after ninety days the enrolments of devices that are no longer known, but the latest. */
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
  key_thumbprint: string
  share: Buffer
  vault: Buffer | null
  live_at: number | null
}
const columns = sql.raw(
  ['set_id', 'wallet_id', 'epoch', 'key_thumbprint', 'share', 'vault', 'live_at']
    .map((each) => `share_set.${each}`)
    .join(', '),
)

export type RecoveryStoreParts = {
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  devices: Devices
  autoKeys: AutoKeys
}

export function createRecoveryStore(parts: RecoveryStoreParts): RecoveryStore {
  const { database, clock, secrets, devices, autoKeys } = parts
  // Sealed under a key of the epoch: with the epoch that key goes, and the enrolments of old backups with it.
  const place = (user: string, { walletId, setId, epoch }: SetPlace) => ({
    table: 'share_set',
    row: hex(setId),
    owner: user,
    scope: scopeOf({ walletId, epoch }),
  })
  const openShare = (user: string, row: Row): Promise<Buffer> => secrets.open(place(user, placeOf(row)), row.share)

  async function keptOf(user: string, row: Row): Promise<Kept> {
    const wallet = await walletOf(database, user)
    const vault = row.vault ?? wallet?.vault
    if (vault === undefined) throw new Problem(404, 'setId', 'There is no such enrolment.')
    const { rows: wraps } = await sql<{ id: string; method: Wrap['method']; wrapped: Buffer; facts: string }>`
      select id, method, wrapped, facts from share_wrap
      where wallet_id = ${row.wallet_id}
        and (case when ${row.vault === null} then live_at is not null else set_id = ${row.set_id} end)
      order by created_at, id`.execute(database)
    return { ...placeOf(row), share: await openShare(user, row), vault, wraps }
  }

  return {
    async prepare(user, given) {
      assertFits(await walletOf(database, user), given)
      const present = await rowOf(database, user, given.setId)
      if (present !== undefined) {
        if (hex(await openShare(user, present)) !== hex(given.share)) {
          throw new Problem(409, 'setId', 'This enrolment has other contents.')
        }
        return
      }
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from share_set where user_id = ${user}`.execute(database)
      if ((rows[0]?.count ?? 0) >= mostSets) {
        throw new Problem(429, 'walletId', 'This wallet is on too many devices. Remove one first.')
      }
      const sealed = await secrets.seal(place(user, given), given.share)
      await database.transaction().execute((transaction) => draft(transaction, user, given, sealed, clock.now()))
    },
    async beginsEpoch(user, { walletId, epoch }) {
      const wallet = await walletOf(database, user)
      return wallet !== undefined && wallet.wallet_id.equals(walletId) && epoch > wallet.epoch
    },
    async read(user, setId) {
      const row = await rowOf(database, user, setId)
      return row === undefined ? undefined : keptOf(user, row)
    },
    async commit(user, setId) {
      const row: Row | undefined = await database.transaction().execute(async (transaction) => {
        const found = await rowOf(transaction, user, setId)
        if (found === undefined) throw new Problem(404, 'setId', 'There is no such enrolment.')
        if (found.live_at !== null) return undefined
        const began = await settleWallet(transaction, user, found, clock.now())
        await makeLive(transaction, user, found, clock.now())
        await devices.remember(user, found.key_thumbprint, { isFounder: began === 'wallet' }, transaction)
        if (!(await hasAuto(transaction, found.wallet_id))) await autoKeys.forget(user, transaction)
        return began === 'epoch' ? found : undefined
      })
      if (row !== undefined) await secrets.destroy(user, scopeOf({ walletId: row.wallet_id, epoch: row.epoch - 1 }))
    },
    async find(user, except = []) {
      const { rows } = await sql<Row>`
        select ${columns} from share_set join share_wallet using (user_id)
        where user_id = ${user} and live_at is not null and share_set.epoch = share_wallet.epoch
          and set_id <> all(${except.map((each) => bytes(each))}::bytea[])
        order by share_set.used_at desc, live_at desc limit 1`.execute(database)
      const [row] = rows
      return row === undefined ? undefined : keptOf(user, row)
    },
    async remove(user, setId) {
      const row = await rowOf(database, user, setId)
      if (row === undefined) return undefined
      await sql`delete from share_set where user_id = ${user} and key_thumbprint = ${row.key_thumbprint}`.execute(
        database,
      )
      await devices.forget(user, row.key_thumbprint)
      return row.key_thumbprint
    },
    sweep: () => sweepSets(database, clock.now()),
  }
}

async function draft(
  transaction: Transaction<unknown>,
  user: string,
  { setId, walletId, epoch, key, vault, wraps = [] }: Draft,
  sealed: Buffer,
  now: number,
): Promise<void> {
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

/** Makes the wallet, or its next epoch, when this enrolment brings one. @returns which of them was made now, if any */
async function settleWallet(
  transaction: Transaction<unknown>,
  user: string,
  row: Row,
  now: number,
): Promise<'wallet' | 'epoch' | undefined> {
  if (row.vault === null) {
    assertFits(await walletOf(transaction, user), { ...placeOf(row), vault: null })
    return undefined
  }
  const { rows: made } = await sql`
    insert into share_wallet (user_id, wallet_id, epoch, vault, created_at)
    values (${user}, ${row.wallet_id}, ${row.epoch}, ${row.vault}, ${now})
    on conflict (user_id) do nothing returning user_id`.execute(transaction)
  if (made.length > 0) return 'wallet'
  // Of two devices that begin the next epoch at once, one does.
  const { rows: moved } = await sql`
    update share_wallet set epoch = ${row.epoch}, vault = ${row.vault}
    where user_id = ${user} and wallet_id = ${row.wallet_id} and epoch = ${row.epoch - 1} returning user_id`.execute(
    transaction,
  )
  if (moved.length === 0) throw otherWallet()
  await sql`delete from share_set where user_id = ${user} and epoch < ${row.epoch}`.execute(transaction)
  await sql`delete from share_wrap where wallet_id = ${row.wallet_id} and set_id <> ${row.set_id}`.execute(transaction)
  return 'epoch'
}

/** A device has one part: the one that it brought last. */
async function makeLive(transaction: Transaction<unknown>, user: string, row: Row, now: number): Promise<void> {
  await sql`
    delete from share_set
    where user_id = ${user} and key_thumbprint = ${row.key_thumbprint} and live_at is not null`.execute(transaction)
  await sql`
    update share_set set live_at = ${now}, used_at = ${now}, vault = null where set_id = ${row.set_id}`.execute(
    transaction,
  )
  await sql`update share_wrap set live_at = ${now} where set_id = ${row.set_id}`.execute(transaction)
}

async function hasAuto(from: Kysely<unknown>, walletId: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select from share_wrap where wallet_id = ${walletId} and method = 'auto' and live_at is not null`.execute(from)
  return rows.length > 0
}

async function rowOf(from: Kysely<unknown>, user: string, setId: Uint8Array): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from share_set where set_id = ${bytes(setId)} and user_id = ${user}`.execute(from)
  return rows[0]
}

type WalletRow = { wallet_id: Buffer; epoch: number; vault: Buffer }

async function walletOf(from: Kysely<unknown>, user: string): Promise<WalletRow | undefined> {
  const { rows } = await sql<WalletRow>`
    select wallet_id, epoch, vault from share_wallet where user_id = ${user}`.execute(from)
  return rows[0]
}

/** The enrolment of a device that is known stays, however old it is: by it the device is taken away. */
async function sweepSets(database: Kysely<unknown>, now: number): Promise<void> {
  await sql`
    delete from share_set
    where (live_at is null and created_at <= ${now - draftMs})
      or (live_at is not null and used_at <= ${now - unusedMs} and exists (
        select from share_set as newer
        where newer.user_id = share_set.user_id and newer.live_at is not null and newer.used_at > share_set.used_at
      ) and not exists (
        select from share_device
        where share_device.user_id = share_set.user_id and share_device.key_thumbprint = share_set.key_thumbprint
      ))`.execute(database)
  await sql`
    delete from share_wrap
    where live_at is null and not exists (select from share_set where share_set.set_id = share_wrap.set_id)`.execute(
    database,
  )
}

/** A user has one wallet, and one epoch of it; only the first enrolment of either brings the vault. */
function assertFits(
  wallet: { wallet_id: Buffer; epoch: number } | undefined,
  { walletId, epoch, vault }: { walletId: Uint8Array; epoch: number; vault?: Uint8Array | null },
): void {
  const hasVault = vault !== undefined && vault !== null
  if (wallet === undefined) {
    if (hasVault) return
    throw new Problem(409, 'walletId', 'There is no such wallet yet.')
  }
  const isSame = wallet.wallet_id.equals(walletId)
  if (isSame && (wallet.epoch === epoch || (wallet.epoch + 1 === epoch && hasVault))) return
  throw otherWallet()
}

function otherWallet(): Problem {
  return new Problem(409, 'walletId', 'This user has another wallet. Recover that one.')
}

const placeOf = ({ wallet_id: walletId, set_id: setId, epoch }: Row): SetPlace => ({ walletId, setId, epoch })
const scopeOf = ({ walletId, epoch }: Omit<SetPlace, 'setId'>): string => `${hex(walletId)}/${epoch}`
const bytes = (value: Uint8Array): Buffer => Buffer.from(value)
const hex = (value: Uint8Array): string => Buffer.from(value).toString('hex')
