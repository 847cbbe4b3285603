import Fastify from 'fastify'
import { sql } from 'kysely'
import { createPasswordOprf } from '../auth/account/passwordOprf.ts'
import { openDatabase } from '../kit/database/database.ts'
import { systemClock } from '../kit/runtime/clock.ts'
import { createSecrets, toKeyEncryptionProvider, type MasterKeys } from '../kit/secrets/secrets.ts'
import { automaticKeyLocation } from '../shares/recovery/automaticKeys.ts'
import { shareSetLocation } from '../shares/recovery/shareSetLocation.ts'
import type { TableRow } from '../schema/tableRow.ts'

/** The operator of the auth service, or an intruder: its database, its key file and its code, without its limits. */
export type AuthOperator = {
  /** Returns the auth shares of a user, opened with the key file. */
  shares(user: string): Promise<readonly Uint8Array[]>
  /** Evaluates a blinded password, without a rate limit. */
  evaluate(user: string, blinded: Uint8Array): Promise<{ evaluated: Uint8Array; version: number }>
  leave(): Promise<void>
}

/** Everything that the share store holds about a user, opened with its key file. */
export type ShareStoreLoot = {
  readonly sets: ReadonlyArray<{ walletId: Uint8Array; setId: Uint8Array; epoch: number; share: Uint8Array }>
  readonly vault: Uint8Array
  readonly wraps: ReadonlyArray<Pick<TableRow<'share_wrap'>, 'id' | 'method' | 'wrapped' | 'facts'>>
  /** The key of the automatic method, if there is one. */
  readonly automaticKey: Uint8Array | undefined
}

/** The operator of the share store, or an intruder: its database, its key file and its code. */
export type ShareStoreOperator = { loot(user: string): Promise<ShareStoreLoot>; leave(): Promise<void> }

const open = (databaseUrl: string) => openDatabase({ databaseUrl, dataDir: '' }, Fastify({ logger: false }).log)

/** Opens the database of the auth service as its operator does. */
export async function openAuthOperator(databaseUrl: string, masterKeys: MasterKeys): Promise<AuthOperator> {
  const { kysely: database, close } = await open(databaseUrl)
  const keyEncryption = toKeyEncryptionProvider(masterKeys)
  const secrets = createSecrets({ database, table: 'auth_data_key', keyEncryption })
  const oprf = createPasswordOprf({ database, secrets, clock: systemClock })
  return {
    async shares(user) {
      const { rows } = await sql<TableRow<'auth_share'>>`
        select * from auth_share where user_id = ${user} and live_at is not null`.execute(database)
      return Promise.all(
        rows.map(({ wallet_id: walletId, set_id: setId, epoch, share }) =>
          secrets.open({ ...shareSetLocation(user, { walletId, setId, epoch }), table: 'auth_share' }, share),
        ),
      )
    },
    async evaluate(user, blinded) {
      await sql`delete from auth_oprf_try where user_id = ${user}`.execute(database)
      await sql`delete from auth_oprf where user_id = ${user}`.execute(database)
      return oprf.evaluate({ user, isProven: true }, blinded)
    },
    leave: close,
  }
}

/** Opens the database of the share store as its operator does. */
export async function openShareStoreOperator(databaseUrl: string, masterKeys: MasterKeys): Promise<ShareStoreOperator> {
  const { kysely: database, close } = await open(databaseUrl)
  const keyEncryption = toKeyEncryptionProvider(masterKeys)
  const secrets = createSecrets({ database, table: 'share_data_key', keyEncryption })
  return {
    async loot(user) {
      const { rows: wallets } = await sql<TableRow<'share_wallet'>>`
        select * from share_wallet where user_id = ${user}`.execute(database)
      const { rows: sets } = await sql<TableRow<'share_set'>>`
        select * from share_set where user_id = ${user} and live_at is not null`.execute(database)
      const { rows: wraps } = await sql<TableRow<'share_wrap'>>`
        select * from share_wrap where user_id = ${user}`.execute(database)
      const { rows: keys } = await sql<TableRow<'share_auto'>>`
        select * from share_auto where user_id = ${user}`.execute(database)
      const [wallet] = wallets
      if (wallet === undefined) throw new Error('The user has no wallet.')
      const opened = sets.map(async ({ wallet_id: walletId, set_id: setId, epoch, share }) => {
        const ref = { walletId, setId, epoch }
        return { ...ref, share: await secrets.open(shareSetLocation(user, ref), share) }
      })
      const [key] = keys
      return {
        sets: await Promise.all(opened),
        vault: wallet.vault,
        wraps,
        automaticKey: key && (await secrets.open(automaticKeyLocation(user), key.secret)),
      }
    },
    leave: close,
  }
}
