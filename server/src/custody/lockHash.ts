import { sql, type Transaction } from 'kysely'

/** Serialises transactions that concern the same hash, in all processes, until the transaction ends. */
export async function lockHash(transaction: Transaction<unknown>, hash: Buffer): Promise<void> {
  await sql`select pg_advisory_xact_lock(${hash.readInt32BE()}, ${hash.readInt32BE(4)})`.execute(transaction)
}
