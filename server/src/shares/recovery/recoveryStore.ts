import { sql, type Kysely, type Transaction } from 'kysely'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Secrets } from '../../kit/secrets/secrets.ts'
import type { TableRow } from '../../schema/tableRow.ts'
import type { Devices } from '../approval/devices.ts'
import type { AutomaticKeys } from './automaticKeys.ts'
import { createOtherWalletProblem, commitWallet, findWalletRow } from './commitWallet.ts'
import { assertNoOtherWallet } from './assertNoOtherWallet.ts'
import { assertRoomForDevice, makeRoomForDraft } from './assertRoomForDevice.ts'
import { epochScope, shareSetLocation, type EnrolmentRef } from './shareSetLocation.ts'
import { sweepEnrolments } from './sweepEnrolments.ts'

/** The recovery key, wrapped by one recovery method. Only the frame can unwrap it. */
export type WrappedKey = {
  /** Identifies the method within its wallet: `auto`, `password`, or the credential id of a passkey. */
  readonly id: string
  readonly method: 'auto' | 'password' | 'passkey'
  readonly wrapped: Uint8Array
  /** Public parameters of the method, such as a salt, as JSON. */
  readonly facts: string
}

/** An enrolment as a frame submits it. */
export type EnrolmentDraft = EnrolmentRef & {
  /** The thumbprint of the frame's key. Its device needs no further approval to read this enrolment. */
  readonly key: string
  /** Sealed by the frame under the recovery key. */
  readonly share: Uint8Array
  /** Present in the first enrolment of a wallet and of an epoch. */
  readonly vault?: Uint8Array
  readonly wraps?: readonly WrappedKey[]
  /** The public key with which the wallet proves that it is open, see `StoreProofs`. The first enrolment of a wallet records it. */
  readonly proofKey?: Uint8Array
}

/** A user, and the thumbprint of the key of the device that acts for the user. */
export type EnrolmentOwner = { readonly user: string; readonly key: string }

/** The stored data of a wallet, by one of its enrolments. */
export type StoredWallet = EnrolmentRef & {
  readonly share: Uint8Array
  readonly vault: Uint8Array
  readonly wraps: readonly WrappedKey[]
}

/**
 * The recovery shares of wallet keys, sealed by the frame and sealed again here, and the vaults.
 *
 * An enrolment is a draft until the frame has read everything back and commits it. The first enrolment of the next epoch
 * brings another vault and deletes everything of the previous epoch.
 */
export type RecoveryStore = {
  /**
   * Stores a draft. Idempotent. Recovery methods come only with the enrolment that begins a wallet or an epoch: the same
   * checks as for their removal apply then, and a new device can add none.
   *
   * @throws Problem 400 `wraps` with recovery methods of another enrolment; Problem 409 `walletId` if the user has another wallet or another epoch of it; 409 `setId` if that enrolment has
   *   other contents; 429 `walletId` with too many devices; 409 `contact` if the contact of the user has a wallet under another user id
   */
  prepare(user: string, draft: EnrolmentDraft): Promise<void>
  /** True if an enrolment starts the next epoch of the user's wallet. Not every device may do that. */
  startsNextEpoch(user: string, enrolment: Omit<EnrolmentRef, 'setId'>): Promise<boolean>
  /** The same for an enrolment that is stored: a live one of this user, or a draft of this device. */
  isNextEpochPrepared(owner: EnrolmentOwner, setId: Uint8Array): Promise<boolean>
  /**
   * True if an enrolment is not live yet and belongs to a wallet whose key is recorded. Its device has to prove that it opened
   * that wallet: a thief who held the mailbox for a moment could otherwise stay a device of the user. [C-08]
   */
  joinsProvableWallet(owner: EnrolmentOwner, setId: Uint8Array): Promise<boolean>
  /** Returns a live enrolment of this user, or a draft of this device. */
  findEnrolment(owner: EnrolmentOwner, setId: Uint8Array): Promise<StoredWallet | undefined>
  /**
   * Makes an enrolment of this device live. If two first wallets were drafted, the first commit wins.
   *
   * @param opening if the device proved that the wallet is open there. Only such an enrolment replaces unused ones, see
   *   `sweepEnrolments`
   * @throws Problem 404 `setId`, 409 `walletId` if another wallet was committed in the meantime and has to be recovered instead
   */
  commit(owner: EnrolmentOwner, setId: Uint8Array, opening?: { isProven: boolean }): Promise<void>
  /** Returns the id of the user's wallet. */
  findWalletId(user: string): Promise<Buffer | undefined>
  /** Returns the wallet of a user by its latest live enrolment that is not excluded, one of a proven device before all others. */
  findWallet(user: string, except?: readonly Uint8Array[]): Promise<StoredWallet | undefined>
  /** Deletes the enrolment of a device, and the device. @returns the key of the device, if it was enrolled */
  remove(user: string, setId: Uint8Array): Promise<string | undefined>
  /** The same by the key of the device, which needs no enrolment. Idempotent. */
  removeDevice(owner: EnrolmentOwner): Promise<void>
  /** Deletes expired drafts and enrolments of unknown devices, see `sweepEnrolments`. */
  sweep(): Promise<void>
}

/** A row of an enrolment. */
export type EnrolmentRow = Pick<
  TableRow<'share_set'>,
  'set_id' | 'wallet_id' | 'epoch' | 'key_thumbprint' | 'share' | 'vault' | 'proof_key' | 'live_at'
>
const columns = sql.raw(
  ['set_id', 'wallet_id', 'epoch', 'key_thumbprint', 'share', 'vault', 'proof_key', 'live_at']
    .map((each) => `share_set.${each}`)
    .join(', '),
)

export type RecoveryStoreDependencies = {
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  devices: Devices
  automaticKeys: AutomaticKeys
}

/** Creates the recovery store. */
export function createRecoveryStore(dependencies: RecoveryStoreDependencies): RecoveryStore {
  const { database, clock, devices } = dependencies

  async function removeDevice({ user, key }: EnrolmentOwner): Promise<void> {
    await sql`delete from share_set where user_id = ${user} and key_thumbprint = ${key}`.execute(database)
    await devices.revoke(user, key)
  }

  return {
    prepare: (user, draft) => prepareEnrolment(dependencies, user, draft),
    async startsNextEpoch(user, { walletId, epoch }) {
      const wallet = await findWalletRow(database, user)
      return wallet !== undefined && wallet.wallet_id.equals(walletId) && epoch > wallet.epoch
    },
    async isNextEpochPrepared(owner, setId) {
      const [wallet, row] = await Promise.all([
        findWalletRow(database, owner.user),
        findRow(database, owner.user, setId),
      ])
      if (wallet === undefined || row === undefined || !isReadable(row, owner)) return false
      return wallet.wallet_id.equals(row.wallet_id) && row.epoch > wallet.epoch
    },
    async joinsProvableWallet({ user }, setId) {
      const { rows } = await sql`
        select from share_set join share_wallet using (user_id, wallet_id)
        where user_id = ${user} and set_id = ${Buffer.from(setId)} and live_at is null
          and share_wallet.proof_key is not null`.execute(database)
      return rows.length > 0
    },
    async findEnrolment(owner, setId) {
      const row = await findRow(database, owner.user, setId)
      return row === undefined || !isReadable(row, owner) ? undefined : openStoredWallet(dependencies, owner.user, row)
    },
    commit: (owner, setId, opening) => commitEnrolment(dependencies, owner, setId, opening),
    findWalletId: async (user) => (await findWalletRow(database, user))?.wallet_id,
    async findWallet(user, except = []) {
      const { rows } = await sql<EnrolmentRow>`
        select ${columns} from share_set join share_wallet using (user_id)
        where user_id = ${user} and live_at is not null and share_set.epoch = share_wallet.epoch
          and set_id <> all(${except.map((each) => Buffer.from(each))}::bytea[])
        order by share_set.proven_at is null, share_set.used_at desc, live_at desc limit 1`.execute(database)
      const [row] = rows
      return row === undefined ? undefined : openStoredWallet(dependencies, user, row)
    },
    async remove(user, setId) {
      const row = await findRow(database, user, setId)
      if (row === undefined) return undefined
      await removeDevice({ user, key: row.key_thumbprint })
      return row.key_thumbprint
    },
    removeDevice,
    sweep: () => sweepEnrolments(database, clock.now()),
  }
}

async function prepareEnrolment(
  { database, clock, secrets }: RecoveryStoreDependencies,
  user: string,
  draft: EnrolmentDraft,
): Promise<void> {
  const [wallet, present] = await Promise.all([findWalletRow(database, user), findRow(database, user, draft.setId)])
  assertBelongsToWallet(wallet, draft)
  if (present !== undefined) {
    const isSame = present.key_thumbprint === draft.key && (await openShare(secrets, user, present)).equals(draft.share)
    if (isSame) return
    throw new Problem(409, 'setId', 'This enrolment has other contents.')
  }
  assertMayBringMethods(wallet, draft)
  if (wallet === undefined) await assertNoOtherWallet({ database, clock, secrets }, user)
  const owner = { user, key: draft.key }
  // The start of an epoch deletes all earlier enrolments, and it is how a stolen device is revoked.
  if (wallet?.epoch === draft.epoch) await assertRoomForDevice(database, owner, clock.now())
  const sealed = await secrets.seal(shareSetLocation(user, draft), draft.share)
  await database.transaction().execute(async (transaction) => {
    await makeRoomForDraft(transaction, owner)
    await insertDraft(transaction, user, { draft, sealed }, clock.now())
  })
}

async function insertDraft(
  transaction: Transaction<unknown>,
  user: string,
  {
    draft: { setId, walletId, epoch, key, vault, wraps = [], proofKey },
    sealed,
  }: { draft: EnrolmentDraft; sealed: Buffer },
  now: number,
): Promise<void> {
  await sql`
    insert into share_set (set_id, user_id, wallet_id, epoch, key_thumbprint, share, vault, proof_key, created_at, used_at)
    values (${Buffer.from(setId)}, ${user}, ${Buffer.from(walletId)}, ${epoch}, ${key}, ${sealed},
      ${vault === undefined ? null : Buffer.from(vault)},
      ${proofKey === undefined ? null : Buffer.from(proofKey)}, ${now}, ${now})`.execute(transaction)
  for (const { id, method, wrapped, facts } of wraps) {
    await sql`
      insert into share_wrap (user_id, wallet_id, set_id, id, method, wrapped, facts, created_at)
      values (${user}, ${Buffer.from(walletId)}, ${Buffer.from(setId)}, ${id}, ${method}, ${Buffer.from(wrapped)},
        ${facts}, ${now})`.execute(transaction)
  }
}

async function commitEnrolment(
  { database, clock, secrets, devices, automaticKeys }: RecoveryStoreDependencies,
  owner: EnrolmentOwner,
  setId: Uint8Array,
  { isProven }: { isProven: boolean } = { isProven: false },
): Promise<void> {
  const { user } = owner
  const newEpoch: EnrolmentRow | undefined = await database.transaction().execute(async (transaction) => {
    const row = await findRow(transaction, user, setId)
    if (row === undefined || !isReadable(row, owner)) throw new Problem(404, 'setId', 'There is no such enrolment.')
    const now = clock.now()
    if (row.live_at !== null) {
      if (isProven) await recordProof(transaction, user, row, now)
      return undefined
    }
    if (row.vault === null) {
      assertBelongsToWallet(await findWalletRow(transaction, user), { ...toRef(row), vault: null })
    }
    const change =
      row.vault === null ? 'none' : await commitWallet(transaction, user, { ...row, vault: row.vault }, now)
    await makeLive(transaction, user, row, now)
    if (isProven || change !== 'none') await recordProof(transaction, user, row, now)
    if (change !== 'none') await makeMethodsLive(transaction, user, row, now)
    await devices.record(user, row.key_thumbprint, { isFounder: change === 'wallet' }, transaction)
    if (!(await hasAutomaticMethod(transaction, user))) await automaticKeys.delete(user, transaction)
    return change === 'epoch' ? row : undefined
  })
  if (newEpoch === undefined) return
  await secrets.destroy(user, epochScope({ walletId: newEpoch.wallet_id, epoch: newEpoch.epoch - 1 }))
}

/** A device has one live enrolment: its latest. */
async function makeLive(
  transaction: Transaction<unknown>,
  user: string,
  row: EnrolmentRow,
  now: number,
): Promise<void> {
  await sql`
    delete from share_set
    where user_id = ${user} and key_thumbprint = ${row.key_thumbprint} and live_at is not null`.execute(transaction)
  await sql`
    update share_set set live_at = ${now}, used_at = ${now}, vault = null
    where user_id = ${user} and set_id = ${row.set_id}`.execute(transaction)
}

async function recordProof(
  transaction: Transaction<unknown>,
  user: string,
  { set_id: setId }: EnrolmentRow,
  now: number,
): Promise<void> {
  await sql`
    update share_set set proven_at = coalesce(proven_at, ${now})
    where user_id = ${user} and set_id = ${setId}`.execute(transaction)
}

async function makeMethodsLive(
  transaction: Transaction<unknown>,
  user: string,
  row: EnrolmentRow,
  now: number,
): Promise<void> {
  await sql`
    update share_wrap set live_at = ${now} where user_id = ${user} and set_id = ${row.set_id}`.execute(transaction)
  // A passkey that is no longer a recovery method can't approve a device. Wraps name passkeys in base64url.
  await sql`
    delete from share_passkey where user_id = ${user} and not exists (
      select from share_wrap
      where share_wrap.user_id = share_passkey.user_id and method = 'passkey' and live_at is not null
        and share_wrap.id = translate(encode(share_passkey.id, 'base64'), ${'+/=\n'}, '-_'))`.execute(transaction)
}

async function hasAutomaticMethod(database: Kysely<unknown>, user: string): Promise<boolean> {
  const { rows } = await sql`
    select from share_wrap where user_id = ${user} and method = 'auto' and live_at is not null`.execute(database)
  return rows.length > 0
}

async function openStoredWallet(
  { database, secrets }: RecoveryStoreDependencies,
  user: string,
  row: EnrolmentRow,
): Promise<StoredWallet> {
  const [wallet, { rows: wraps }, share] = await Promise.all([
    findWalletRow(database, user),
    sql<{ id: string; method: WrappedKey['method']; wrapped: Buffer; facts: string }>`
      select id, method, wrapped, facts from share_wrap
      where user_id = ${user} and wallet_id = ${row.wallet_id}
        and (case when ${row.vault === null} then live_at is not null else set_id = ${row.set_id} end)
      order by created_at, id`.execute(database),
    openShare(secrets, user, row),
  ])
  const vault = row.vault ?? wallet?.vault
  if (vault === undefined) throw new Problem(404, 'setId', 'There is no such enrolment.')
  return { ...toRef(row), share, vault, wraps }
}

async function findRow(database: Kysely<unknown>, user: string, setId: Uint8Array): Promise<EnrolmentRow | undefined> {
  const { rows } = await sql<EnrolmentRow>`
    select ${columns} from share_set where user_id = ${user} and set_id = ${Buffer.from(setId)}`.execute(database)
  return rows[0]
}

/** A user has one wallet and one epoch of it. Only the first enrolment of a wallet or an epoch brings the vault. */
function assertBelongsToWallet(
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
  throw createOtherWalletProblem()
}

/**
 * Only an enrolment that begins a wallet or an epoch brings recovery methods. Its enrolment id differs from the wallet id,
 * which takes that place for methods that are added later.
 */
function assertMayBringMethods(
  wallet: { epoch: number } | undefined,
  { walletId, setId, epoch, wraps = [] }: EnrolmentDraft,
): void {
  if (Buffer.from(walletId).equals(setId)) throw new Problem(400, 'setId', 'The enrolment id is already used.')
  if (wraps.length === 0 || wallet === undefined || epoch > wallet.epoch) return
  throw new Problem(400, 'wraps', 'Only the first enrolment of an epoch brings recovery methods.')
}

/** The drafts of a device are its own: no other device of the user completes them. */
function isReadable(row: EnrolmentRow, { key }: EnrolmentOwner): boolean {
  return row.live_at !== null || row.key_thumbprint === key
}

function openShare(secrets: Secrets, user: string, row: EnrolmentRow): Promise<Buffer> {
  return secrets.open(shareSetLocation(user, toRef(row)), row.share)
}

const toRef = ({ wallet_id: walletId, set_id: setId, epoch }: EnrolmentRow): EnrolmentRef => ({
  walletId,
  setId,
  epoch,
})
