import { sql, type Kysely, type Transaction } from 'kysely'
import { Problem } from '../../kit/http/problem.ts'
import type { TableRow } from '../../schema/tableRow.ts'

type WalletRow = Pick<TableRow<'share_wallet'>, 'wallet_id' | 'epoch' | 'vault'>
type FirstEnrolment = Pick<TableRow<'share_set'>, 'set_id' | 'wallet_id' | 'epoch' | 'proof_key'> & {
  readonly vault: Buffer
}

/**
 * Creates the wallet, or moves it to the next epoch, by an enrolment that brings a vault.
 *
 * @param now milliseconds since the epoch
 * @throws Problem 409 `walletId` if the user has another wallet, or another device started the next epoch
 */
export async function commitWallet(
  transaction: Transaction<unknown>,
  user: string,
  { set_id: setId, wallet_id: walletId, epoch, vault, proof_key: proofKey }: FirstEnrolment,
  now: number,
): Promise<'wallet' | 'epoch'> {
  const { rows: created } = await sql`
    insert into share_wallet (user_id, wallet_id, epoch, vault, proof_key, created_at)
    values (${user}, ${walletId}, ${epoch}, ${vault}, ${proofKey}, ${now})
    on conflict (user_id) do nothing returning user_id`.execute(transaction)
  if (created.length > 0) return 'wallet'
  // The key of the wallet stays: a new epoch doesn't change its entropy. If two devices start the next epoch concurrently, one succeeds.
  const { rows: moved } = await sql`
    update share_wallet set epoch = ${epoch}, vault = ${vault}
    where user_id = ${user} and wallet_id = ${walletId} and epoch = ${epoch - 1} returning user_id`.execute(transaction)
  if (moved.length === 0) throw createOtherWalletProblem()
  await sql`delete from share_set where user_id = ${user} and epoch < ${epoch}`.execute(transaction)
  await sql`delete from share_wrap where user_id = ${user} and set_id <> ${setId}`.execute(transaction)
  return 'epoch'
}

/** Returns the wallet of a user. */
export async function findWalletRow(database: Kysely<unknown>, user: string): Promise<WalletRow | undefined> {
  const { rows } = await sql<WalletRow>`
    select wallet_id, epoch, vault from share_wallet where user_id = ${user}`.execute(database)
  return rows[0]
}

export function createOtherWalletProblem(): Problem {
  return new Problem(409, 'walletId', 'This user has another wallet. Recover that one.')
}
