import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { decryptAesGcm, encryptAesGcm } from './aesGcm.ts'
import { createDataKeyTable, type DataKeyRow, type DataKeyTable } from './dataKeyTable.ts'
import { createKeyEncryption, type KeyEncryption, type MasterKey, type RowLocation } from './keyEncryption.ts'

/**
 * Encrypts keys with master keys that are not in the database: those of a file or the environment (`createKeyEncryption`),
 * or an operator's key management service, which may respond later.
 */
export type KeyEncryptionProvider = {
  /** The id of the key that seals now. Keys with other ids are being replaced. */
  readonly primary: string
  seal(place: RowLocation, secret: Uint8Array): Buffer | Promise<Buffer>
  /** @throws Error if it was changed or moved, or its key is missing; the message never contains the secret */
  open(
    place: RowLocation,
    sealed: Uint8Array,
  ): ReturnType<KeyEncryption['open']> | Promise<ReturnType<KeyEncryption['open']>>
}

/** Master keys in memory, of which the first seals, or a provider that keeps them elsewhere. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]] | KeyEncryptionProvider

/** Returns the provider, or creates one for master keys in memory. */
export function toKeyEncryptionProvider(masterKeys: MasterKeys): KeyEncryptionProvider {
  return 'primary' in masterKeys ? masterKeys : createKeyEncryption(masterKeys)
}

/** The row of a secret, and the scope that its data key is shared with, such as an epoch of a wallet. */
export type SecretLocation = RowLocation & { readonly scope?: string }

/**
 * The secrets of rows. Each owner has data keys, one per scope, in a separate table, sealed by the key encryption
 * provider. Destroying a data key destroys everything that was sealed under it, in every backup without that table.
 */
export type Secrets = {
  seal(place: SecretLocation, secret: Uint8Array): Promise<Buffer>
  /** @throws Error if it was changed or moved, or its data key was destroyed */
  open(place: SecretLocation, sealed: Uint8Array): Promise<Buffer>
  /** True if an owner has data keys. An owner without keys is deleted, whatever a backup restores. */
  hasKeys(owner: string): Promise<boolean>
  /** Destroys the data keys of an owner: all of them, or that of one scope. */
  destroy(owner: string, scope?: string): Promise<void>
  /**
   * Seals data keys again whose master key is being replaced.
   *
   * @returns the number of data keys that are still under other master keys than the primary one
   */
  rewrapKeys(): Promise<number>
}

export type SecretsOptions = {
  database: Kysely<unknown>
  /** The table of the data keys. Each service has its own, to be left out of long-term backups. */
  table: 'auth_data_key' | 'share_data_key'
  keyEncryption: KeyEncryptionProvider
  /** Called with each secret that does not open, for the log. */
  onUnreadable?(place: SecretLocation): void
}

const version = 2
const keyBytes = 32
const rewrapBatchSize = 100

/**
 * @example
 * const secrets = createSecrets({ database, table: 'auth_data_key', keyEncryption: createKeyEncryption(masterKeys) })
 * const sealed = await secrets.seal({ table: 'auth_user', row: id, owner: id }, Buffer.from(email))
 */
export function createSecrets({ database, table, keyEncryption, onUnreadable }: SecretsOptions): Secrets {
  const rows = createDataKeyTable(database, table)
  const locate = (owner: string, scope: string): RowLocation => ({ table, row: scope, owner })

  async function openDataKey({ owner, scope, secret }: DataKeyRow): Promise<Buffer> {
    return (await keyEncryption.open(locate(owner, scope), secret)).secret
  }

  async function createDataKey(owner: string, scope: string): Promise<DataKeyRow> {
    const secret = await keyEncryption.seal(locate(owner, scope), randomBytes(keyBytes))
    return rows.insertOrFind({ owner, scope, secret }, keyEncryption.primary)
  }

  async function openSecret(place: SecretLocation, sealed: Uint8Array): Promise<Buffer> {
    // The provider sealed it itself, without a data key.
    if (sealed[0] !== version) return (await keyEncryption.open(place, sealed)).secret
    const row = await rows.find(place.owner, place.scope ?? '')
    if (row === undefined) throw new Error('The data key of this secret was destroyed.')
    const key = await openDataKey(row)
    try {
      return decryptAesGcm(key, secretContext(place), sealed.subarray(1))
    } finally {
      key.fill(0)
    }
  }

  return {
    async seal(place, secret) {
      const { owner, scope = '' } = place
      const key = await openDataKey((await rows.find(owner, scope)) ?? (await createDataKey(owner, scope)))
      try {
        return Buffer.concat([Buffer.of(version), encryptAesGcm(key, secretContext(place), secret)])
      } finally {
        key.fill(0)
      }
    },
    async open(place, sealed) {
      try {
        return await openSecret(place, sealed)
      } catch (error) {
        onUnreadable?.(place)
        throw error
      }
    },
    hasKeys: rows.hasOwner,
    destroy: rows.remove,
    rewrapKeys: () => rewrapDataKeys(rows, keyEncryption, { openDataKey, locate }),
  }
}

async function rewrapDataKeys(
  rows: DataKeyTable,
  keyEncryption: KeyEncryptionProvider,
  {
    openDataKey,
    locate,
  }: { openDataKey(row: DataKeyRow): Promise<Buffer>; locate(owner: string, scope: string): RowLocation },
): Promise<number> {
  for (const row of await rows.listOutdated(keyEncryption.primary, rewrapBatchSize)) {
    const key = await openDataKey(row)
    const sealed = await keyEncryption.seal(locate(row.owner, row.scope), key)
    key.fill(0)
    await rows.replaceSecret(row, sealed, keyEncryption.primary)
  }
  return rows.countOutdated(keyEncryption.primary)
}

/** Unambiguous: no two locations have the same bytes. */
function secretContext({ table, row, owner, scope = '' }: SecretLocation): Buffer {
  return Buffer.from(JSON.stringify([table, row, owner, scope]))
}
