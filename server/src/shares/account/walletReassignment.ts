import { sql, type Kysely } from 'kysely'
import type { AuditLog } from '../../custody/auditLog.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { SecretLocation, Secrets } from '../../kit/secrets/secrets.ts'
import type { TableRow } from '../../schema/tableRow.ts'
import type { Contacts } from '../approval/contacts.ts'
import { automaticKeyLocation } from '../recovery/automaticKeys.ts'
import { shareSetLocation } from '../recovery/shareSetLocation.ts'
import { userTables } from './userTables.ts'

/** Moves wallets to new user ids: the auth service assigns a new id after it lost its data. [K-04] */
export type WalletReassignment = {
  /**
   * Moves a wallet to the user's new id. This requires a device that enrolled a share of the wallet, and an approval by the
   * contact of the wallet's owner. The auth service alone has neither.
   *
   * @returns the previous id
   * @throws Problem 403 `device`, 409 `walletId` if the user has a wallet already
   */
  reassign(user: string, key: string, contact: Uint8Array | undefined): Promise<string>
}

type SetRow = Pick<TableRow<'share_set'>, 'set_id' | 'wallet_id' | 'epoch' | 'share'>

export type WalletReassignmentDependencies = {
  database: Kysely<unknown>
  secrets: Secrets
  contacts: Contacts
  auditLog: AuditLog
}

/** Creates the reassignment of the share store. */
export function createWalletReassignment(dependencies: WalletReassignmentDependencies): WalletReassignment {
  const { database, secrets, auditLog } = dependencies
  return {
    async reassign(user, key, contact) {
      const { rows: own } = await sql`select from share_wallet where user_id = ${user}`.execute(database)
      if (own.length > 0) throw new Problem(409, 'walletId', 'This user has a wallet already.')
      const previous = await findPreviousUser(dependencies, key, contact)
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
      return previous
    },
  }
}

/** @throws Problem 403 `device` */
async function findPreviousUser(
  { database, contacts }: WalletReassignmentDependencies,
  key: string,
  contact: Uint8Array | undefined,
): Promise<string> {
  const { rows } = await sql<{ user: string }>`
    select share_set.user_id as user from share_set join share_wallet using (user_id, wallet_id, epoch)
    where key_thumbprint = ${key} and live_at is not null order by live_at desc limit 1`.execute(database)
  const previous = rows[0]?.user
  if (previous !== undefined && contact !== undefined && (await contacts.acceptOrPin(previous, contact))) {
    return previous
  }
  throw new Problem(403, 'device', 'This device has no share of a wallet that it may take over.')
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
