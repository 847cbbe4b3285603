import { sql, type Kysely } from 'kysely'
import type { AuditLog } from '../../custody/auditLog.ts'
import type { HasUser } from '../../custody/requests/remoteUsers.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { SecretLocation, Secrets } from '../../kit/secrets/secrets.ts'
import type { TableRow } from '../../schema/tableRow.ts'
import { isAcceptedContact } from '../approval/contacts.ts'
import { isEstablished } from '../approval/devices.ts'
import { automaticKeyLocation } from '../recovery/automaticKeys.ts'
import { shareSetLocation } from '../recovery/shareSetLocation.ts'
import { userTables } from './userTables.ts'

/** A wallet whose user the auth service lost, by the enrolment of a device of that user. */
export type LostWallet = { readonly previous: string; readonly setId: Buffer }

/** The device of a new user, with the contact that approved it within the last fifteen minutes. */
export type AdoptingDevice = { readonly user: string; readonly key: string; readonly contact: Uint8Array | undefined }

/** Moves wallets to new user ids: the auth service assigns a new id after it lost its data. [K-04] */
export type WalletReassignment = {
  /**
   * Returns the wallet that a device may move to its new user. The device must be an established one of the wallet, the contact of the
   * wallet's owner must have approved it, and the auth service must have lost the owner. The auth service alone can only refuse.
   *
   * @throws Problem 403 `device`, 409 `walletId` if the user has a wallet already, 503 `user`
   */
  find(device: AdoptingDevice): Promise<LostWallet>
  /** Moves a wallet that `find` returned, once the device has proven that the wallet is open. */
  reassign(device: AdoptingDevice, wallet: LostWallet): Promise<void>
}

type SetRow = Pick<TableRow<'share_set'>, 'set_id' | 'wallet_id' | 'epoch' | 'share'>

export type WalletReassignmentDependencies = {
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  auditLog: AuditLog
  /** Asks the auth service. @throws Problem 503 `user` */
  hasUser: HasUser
}

/** Several people may use one browser, each with a wallet. */
const maxCandidates = 10

/** Creates the reassignment of the share store. */
export function createWalletReassignment(dependencies: WalletReassignmentDependencies): WalletReassignment {
  const { database, clock, secrets, auditLog, hasUser } = dependencies
  return {
    async find(device) {
      const { rows: own } = await sql`select from share_wallet where user_id = ${device.user}`.execute(database)
      if (own.length > 0) throw new Problem(409, 'walletId', 'This user has a wallet already.')
      for (const wallet of await findCandidates(database, device, clock.now())) {
        // A thief and the previous owner of an address also log in as another user than that of the wallet.
        if (!(await hasUser(wallet.previous))) return wallet
      }
      throw new Problem(403, 'device', 'This device has no share of a wallet that it may take over.')
    },
    async reassign({ user, key }, { previous }) {
      const shares = await resealShares(dependencies, { from: previous, to: user })
      const automaticKey = await resealAutomaticKey(dependencies, { from: previous, to: user })
      await database.transaction().execute(async (transaction) => {
        for (const table of userTables) {
          const name = sql.table(table)
          // Rows that the new id got during the login are replaced by those of the wallet.
          await sql`delete from ${name} where user_id = ${user}`.execute(transaction)
          await sql`update ${name} set user_id = ${user} where user_id = ${previous}`.execute(transaction)
        }
        for (const { id, share } of shares) {
          await sql`update share_set set share = ${share} where user_id = ${user} and set_id = ${id}`.execute(
            transaction,
          )
        }
        if (automaticKey !== undefined) {
          await sql`update share_auto set secret = ${automaticKey} where user_id = ${user}`.execute(transaction)
        }
      })
      await secrets.destroy(previous)
      await auditLog.record('contact changed', { user, key, about: 'reassigned' })
    },
  }
}

/**
 * Selects the wallets that the device has known for a day, or created, and whose contact approved it. The contact's approval of a key that
 * is minutes old is not enough: a thief who holds the mailbox for that long could detach the wallet from its owner. [C-08]
 */
async function findCandidates(
  database: Kysely<unknown>,
  { key, contact }: AdoptingDevice,
  now: number,
): Promise<readonly LostWallet[]> {
  if (contact === undefined) return []
  const { rows } = await sql<LostWallet>`
    select share_set.user_id as previous, share_set.set_id as "setId" from share_set
      join share_wallet using (user_id, wallet_id, epoch)
      join share_device using (user_id, key_thumbprint)
      join share_contact using (user_id)
    where share_set.key_thumbprint = ${key} and live_at is not null and ${isEstablished(now)}
      and ${isAcceptedContact(sql`${Buffer.from(contact)}`, now)}
    order by live_at desc limit ${maxCandidates}`.execute(database)
  return rows
}

type UserIds = { from: string; to: string }

async function resealShares({ database, secrets }: WalletReassignmentDependencies, { from, to }: UserIds) {
  const { rows } = await sql<SetRow>`
    select set_id, wallet_id, epoch, share from share_set where user_id = ${from}`.execute(database)
  return Promise.all(
    rows.map(async ({ set_id: setId, wallet_id: walletId, epoch, share }) => {
      const locationOf = (user: string): SecretLocation => shareSetLocation(user, { walletId, setId, epoch })
      return { id: setId, share: await reseal(secrets, share, { from: locationOf(from), to: locationOf(to) }) }
    }),
  )
}

async function resealAutomaticKey(
  { database, secrets }: WalletReassignmentDependencies,
  { from, to }: UserIds,
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ secret: Buffer }>`
    select secret from share_auto where user_id = ${from}`.execute(database)
  const [row] = rows
  if (row === undefined) return undefined
  return reseal(secrets, row.secret, { from: automaticKeyLocation(from), to: automaticKeyLocation(to) })
}

async function reseal(
  secrets: Secrets,
  sealed: Buffer,
  { from, to }: { from: SecretLocation; to: SecretLocation },
): Promise<Buffer> {
  return secrets.seal(to, await secrets.open(from, sealed))
}
