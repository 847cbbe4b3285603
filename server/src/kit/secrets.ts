import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { createKeyEncryption, type KeyEncryption, type MasterKey, type RowPlace } from './keyEncryption.ts'

/**
 * Encrypts keys by keys that are not in the database: those of a file or of the environment, see `createKeyEncryption`,
 * or an operator's own key management, which answers later.
 */
export type KeyKeeper = {
  /** Names the key that seals now; other names are of keys that are to go. */
  readonly primary: string
  seal(place: RowPlace, secret: Uint8Array): Buffer | Promise<Buffer>
  /** @throws Error when it was changed or moved, or its key is not here; it never says what was sealed */
  open(
    place: RowPlace,
    sealed: Uint8Array,
  ): ReturnType<KeyEncryption['open']> | Promise<ReturnType<KeyEncryption['open']>>
}

/** Keys that are in memory, of which the first seals; or whoever keeps them elsewhere. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]] | KeyKeeper

/** Whoever encrypts keys, by what the deployment was told. */
export function keeperOf(masterKeys: MasterKeys): KeyKeeper {
  return 'primary' in masterKeys ? masterKeys : createKeyEncryption(masterKeys)
}

/** A row's place, and what its secret lives and dies with: an epoch of a wallet, say. */
export type SecretPlace = RowPlace & { readonly scope?: string }

/**
 * Secrets of rows. Each owner has data keys of his own, one for each scope, sealed by the key keeper in a table apart:
 * whoever destroys a data key has destroyed all that was sealed under it, in every backup that is without that table.
 */
export type Secrets = {
  seal(place: SecretPlace, secret: Uint8Array): Promise<Buffer>
  /** @throws Error when it was changed or moved, or its data key was destroyed */
  open(place: SecretPlace, sealed: Uint8Array): Promise<Buffer>
  /** Whether an owner has data keys: one whose keys were destroyed is gone, whatever a backup brings back of him. */
  has(owner: string): Promise<boolean>
  /** Destroys the data keys of an owner: all of them, or that of one scope. */
  destroy(owner: string, scope?: string): Promise<void>
  /** Seals data keys anew whose key is to go. @returns how many are left under other keys than the primary one */
  renew(): Promise<number>
}

export type SecretsParts = {
  database: Kysely<unknown>
  /** Where data keys are; each service has a table of its own, to be left out of long backups. */
  table: 'auth_data_key' | 'share_data_key'
  keeper: KeyKeeper
  /** Told of whatever does not open, for the log. */
  onUnreadable?(place: SecretPlace): void
}

const version = 2
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const renewedAtOnce = 100

type Row = { owner: string; scope: string; secret: Buffer }

/**
 * @example
 * const secrets = createSecrets({ database, table: 'auth_data_key', keeper: createKeyEncryption(masterKeys) })
 * const sealed = await secrets.seal({ table: 'auth_user', row: id, owner: id }, Buffer.from(email))
 */
export function createSecrets({ database, table, keeper, onUnreadable }: SecretsParts): Secrets {
  const name = sql.table(table)
  const placeOf = (owner: string, scope: string): RowPlace => ({ table, row: scope, owner })

  async function keyRow(owner: string, scope: string): Promise<Row | undefined> {
    const { rows } = await sql<Row>`
      select owner, scope, secret from ${name} where owner = ${owner} and scope = ${scope}`.execute(database)
    return rows[0]
  }

  async function openKey({ owner, scope, secret }: Row): Promise<Buffer> {
    return (await keeper.open(placeOf(owner, scope), secret)).secret
  }

  async function makeKey(owner: string, scope: string): Promise<Row> {
    const sealed = await keeper.seal(placeOf(owner, scope), randomBytes(keyBytes))
    // Two may be the first at once: one key, and both use it.
    await sql`
      insert into ${name} (owner, scope, key_id, secret) values (${owner}, ${scope}, ${keeper.primary}, ${sealed})
      on conflict do nothing`.execute(database)
    const row = await keyRow(owner, scope)
    if (row === undefined) throw new Error('The data key that was just written is not there.')
    return row
  }

  async function openSecret(place: SecretPlace, sealed: Uint8Array): Promise<Buffer> {
    // Sealed by the key keeper itself, without a data key.
    if (sealed[0] !== version) return (await keeper.open(place, sealed)).secret
    const row = await keyRow(place.owner, place.scope ?? '')
    if (row === undefined) throw new Error('The data key of this secret was destroyed.')
    const key = await openKey(row)
    try {
      return decrypt(key, boundTo(place), Buffer.from(sealed))
    } finally {
      key.fill(0)
    }
  }

  return {
    async seal(place, secret) {
      const { owner, scope = '' } = place
      const key = await openKey((await keyRow(owner, scope)) ?? (await makeKey(owner, scope)))
      try {
        return encrypt(key, boundTo(place), secret)
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
    async has(owner) {
      const { rows } = await sql`select from ${name} where owner = ${owner} limit 1`.execute(database)
      return rows.length > 0
    },
    async destroy(owner, scope) {
      const which = scope === undefined ? sql`` : sql` and scope = ${scope}`
      await sql`delete from ${name} where owner = ${owner}${which}`.execute(database)
    },
    async renew() {
      const { rows } = await sql<Row>`
        select owner, scope, secret from ${name} where key_id <> ${keeper.primary} limit ${renewedAtOnce}`.execute(
        database,
      )
      for (const row of rows) {
        const key = await openKey(row)
        const sealed = await keeper.seal(placeOf(row.owner, row.scope), key)
        key.fill(0)
        await sql`
          update ${name} set secret = ${sealed}, key_id = ${keeper.primary}
          where owner = ${row.owner} and scope = ${row.scope} and secret = ${row.secret}`.execute(database)
      }
      const { rows: left } = await sql<{ count: number }>`
        select count(*) as count from ${name} where key_id <> ${keeper.primary}`.execute(database)
      return Number(left[0]?.count ?? 0)
    },
  }
}

/** Unambiguous: no two places are written alike. */
function boundTo({ table, row, owner, scope = '' }: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([table, row, owner, scope]))
}

function encrypt(key: Uint8Array, bound: Buffer, content: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound)
  return Buffer.concat([Buffer.of(version), nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Uint8Array, bound: Buffer, sealed: Buffer): Buffer {
  if (sealed[0] !== version || sealed.length < 1 + nonceBytes + tagBytes) throw new Error('What was sealed is cut off.')
  const nonce = sealed.subarray(1, 1 + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(bound)
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes, -tagBytes)), decipher.final()])
  } catch {
    throw new Error('What was sealed does not open here: it was changed, or belongs to another row.')
  }
}
