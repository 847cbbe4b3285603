import { sql, type Kysely } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import type { KeyEncryption } from '../kit/keyEncryption.ts'
import { Problem } from '../kit/problem.ts'

/** An account of a wallet, as everybody may know it. */
export type WalletAccount = { readonly namespace: string; readonly address: string }

/** The second part of a wallet key, for one device. */
export type AuthShare = {
  readonly walletId: Uint8Array
  readonly setId: Uint8Array
  readonly epoch: number
  readonly share: Uint8Array
}

/**
 * The auth service's part of every wallet key. A device gets the part that was made for its own key; somebody who sets up
 * a new device gets the part of any device, which opens nothing without what the share store keeps.
 */
export type AuthShares = {
  /**
   * Notes a part that counts for nothing yet. The same again is the same.
   *
   * @throws Problem 409 `walletId` when the user has another wallet; 409 `setId` when that enrolment has other contents.
   */
  prepare(owner: Owner, given: AuthShare & { accounts: readonly WalletAccount[] }): Promise<void>
  /** Reads back what this key prepared. */
  read(owner: Owner, setId: Uint8Array): Promise<AuthShare | undefined>
  /** @throws Problem 404 `setId`, 409 `walletId` when another wallet won meanwhile. */
  commit(owner: Owner, setId: Uint8Array): Promise<void>
  /** The live part of this key; undefined when this device is not set up. */
  own(owner: Owner): Promise<AuthShare | undefined>
  /**
   * The part of an enrolment of any device, to set up another one: the named enrolment's, or the latest.
   *
   * Before the user has a wallet here, a draft is given as well: its wallet may count at the share store already, when
   * whatever made it died between the two commits.
   */
  any(user: string, setId?: Uint8Array): Promise<AuthShare | undefined>
  /** The accounts of a user's wallet; undefined before there is one. */
  accounts(user: string): Promise<readonly WalletAccount[] | undefined>
  /** Takes a device away: its key gets nothing any more. */
  revoke(user: string, setId: Uint8Array): Promise<void>
  /** Forgets drafts of yesterday; of a user without a wallet none, see `any`. */
  sweep(): Promise<void>
}

/** A user, and the frame's key that he is there with. */
export type Owner = { readonly user: string; readonly key: string }

const draftMs = 86_400_000

type Row = { set_id: Buffer; wallet_id: Buffer; epoch: number; share: Buffer; live_at: number | null }
const columns = sql`set_id, auth_share.wallet_id, auth_share.epoch, share, live_at`

export function createAuthShares(parts: {
  database: Kysely<unknown>
  clock: Clock
  encryption: KeyEncryption
}): AuthShares {
  const { database, clock, encryption } = parts
  const place = (user: string, setId: Uint8Array) => ({ table: 'auth_share', row: hex(setId), owner: user })
  const open = (user: string, row: Row | undefined): AuthShare | undefined =>
    row && {
      walletId: row.wallet_id,
      setId: row.set_id,
      epoch: row.epoch,
      share: encryption.open(place(user, row.set_id), row.share).secret,
    }

  return {
    async prepare({ user, key }, { walletId, setId, epoch, share, accounts }) {
      const wallet = await walletOf(database, user)
      if (wallet !== undefined && !isSame(wallet, { walletId, epoch })) throw otherWallet()
      const now = clock.now()
      await sql`
        insert into auth_share (set_id, user_id, wallet_id, epoch, key_thumbprint, share, accounts, created_at)
        values (${bytes(setId)}, ${user}, ${bytes(walletId)}, ${epoch}, ${key},
          ${encryption.seal(place(user, setId), share)}, ${JSON.stringify(accounts)}, ${now})
        on conflict (set_id) do nothing`.execute(database)
      const kept = open(user, await rowOf(database, { user, key }, setId))
      if (kept === undefined || hex(kept.share) !== hex(share)) {
        throw new Problem(409, 'setId', 'This enrolment has other contents.')
      }
    },
    read: async (owner, setId) => open(owner.user, await rowOf(database, owner, setId)),
    async commit(owner, setId) {
      await database.transaction().execute(async (transaction) => {
        const row = await rowOf(transaction, owner, setId)
        if (row === undefined) throw new Problem(404, 'setId', 'There is no such enrolment.')
        await sql`
          insert into auth_wallet (user_id, wallet_id, epoch, accounts)
          select user_id, wallet_id, epoch, accounts from auth_share where set_id = ${row.set_id}
          on conflict (user_id) do nothing`.execute(transaction)
        const wallet = await walletOf(transaction, owner.user)
        if (wallet === undefined || !isSame(wallet, { walletId: row.wallet_id, epoch: row.epoch })) throw otherWallet()
        await sql`
          update auth_share set live_at = coalesce(live_at, ${clock.now()}) where set_id = ${row.set_id}`.execute(
          transaction,
        )
      })
    },
    async own({ user, key }) {
      const { rows } = await sql<Row>`
        select ${columns} from auth_share join auth_wallet using (user_id, wallet_id, epoch)
        where user_id = ${user} and key_thumbprint = ${key} and live_at is not null
        order by live_at desc limit 1`.execute(database)
      return open(user, rows[0])
    },
    async any(user, setId) {
      const { rows } = await sql<Row>`
        select ${columns} from auth_share left join auth_wallet using (user_id)
        where user_id = ${user}
          and (${setId === undefined ? null : bytes(setId)}::bytea is null or set_id = ${setId === undefined ? null : bytes(setId)})
          and (auth_wallet.wallet_id is null
            or (live_at is not null and auth_share.wallet_id = auth_wallet.wallet_id and auth_share.epoch = auth_wallet.epoch))
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
    async revoke(user, setId) {
      await sql`delete from auth_share where set_id = ${bytes(setId)} and user_id = ${user}`.execute(database)
    },
    async sweep() {
      await sql`
        delete from auth_share
        where live_at is null and created_at <= ${clock.now() - draftMs}
          and exists (select from auth_wallet where auth_wallet.user_id = auth_share.user_id)`.execute(database)
    },
  }
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

const isSame = (wallet: WalletRow, { walletId, epoch }: { walletId: Uint8Array; epoch: number }): boolean =>
  wallet.wallet_id.equals(walletId) && wallet.epoch === epoch

function otherWallet(): Problem {
  return new Problem(409, 'walletId', 'This user has another wallet. Recover that one.')
}

const bytes = (value: Uint8Array): Buffer => Buffer.from(value)
const hex = (value: Uint8Array): string => Buffer.from(value).toString('hex')
