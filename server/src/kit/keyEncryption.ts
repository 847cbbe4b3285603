import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** A key that encrypts keys, by its id. It is kept outside of the database and of its backups. */
export type MasterKey = { readonly id: string; readonly key: Uint8Array }

/** What a row's secret is sealed for. All of it is authenticated: a secret that is moved to another row does not open. */
export type RowPlace = {
  readonly table: string
  readonly row: string
  readonly owner: string
}

/** Seals what must not be read from the database alone. */
export type KeyEncryption = {
  /** Which master key new secrets are sealed under. */
  readonly primary: string
  /** Seals a secret under a key of its own, which is sealed under the master key. */
  seal(place: RowPlace, secret: Uint8Array): Buffer
  /**
   * Opens what was sealed.
   *
   * @returns the secret, and whether it was sealed under a master key that is to go
   * @throws Error when it was changed or moved, or when its master key is not here; it never says what was sealed
   */
  open(place: RowPlace, sealed: Uint8Array): { secret: Buffer; isOld: boolean }
}

const version = 1
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const wrappedBytes = nonceBytes + keyBytes + tagBytes

/**
 * Key encryption with master keys that are in memory: from a file, the environment, or an operator's own store.
 *
 * @param keys the first seals, all open; each has 32 bytes
 * @throws RangeError for a key of another length, or ids that are there twice
 */
export function createKeyEncryption(keys: readonly [MasterKey, ...MasterKey[]]): KeyEncryption {
  const byId = new Map(keys.map(({ id, key }) => [id, key]))
  if (byId.size !== keys.length) throw new RangeError('Two master keys have the same id.')
  for (const { id, key } of keys) {
    if (key.length !== keyBytes || id.length === 0 || id.length > 255) {
      throw new RangeError(`The master key ${id} must have ${keyBytes} bytes.`)
    }
  }
  const [primary] = keys
  return {
    primary: primary.id,
    seal(place, secret) {
      const dataKey = randomBytes(keyBytes)
      const bound = bindTo(place)
      const head = headOf(primary.id)
      try {
        return Buffer.concat([head, encrypt(primary.key, bound, dataKey), encrypt(dataKey, bound, secret)])
      } finally {
        dataKey.fill(0)
      }
    },
    open(place, sealed) {
      const bytes = Buffer.from(sealed)
      const id = bytes.subarray(2, 2 + (bytes[1] ?? 0)).toString()
      const master = byId.get(id)
      if (bytes[0] !== version || master === undefined) throw new Error('The master key of this secret is not here.')
      const at = 2 + Buffer.byteLength(id)
      const bound = bindTo(place)
      const dataKey = decrypt(master, bound, bytes.subarray(at, at + wrappedBytes))
      try {
        return { secret: decrypt(dataKey, bound, bytes.subarray(at + wrappedBytes)), isOld: id !== primary.id }
      } finally {
        dataKey.fill(0)
      }
    },
  }
}

function headOf(id: string): Buffer {
  return Buffer.concat([Buffer.of(version, Buffer.byteLength(id)), Buffer.from(id)])
}

/** Unambiguous: no two places are written alike. */
function bindTo({ table, row, owner }: RowPlace): Buffer {
  return Buffer.from(JSON.stringify([table, row, owner]))
}

function encrypt(key: Uint8Array, bound: Buffer, content: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound)
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Uint8Array, bound: Buffer, sealed: Buffer): Buffer {
  if (sealed.length < nonceBytes + tagBytes) throw new Error('What was sealed is cut off.')
  const nonce = sealed.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(bound)
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()])
  } catch {
    throw new Error('What was sealed does not open here: it was changed, or belongs to another row.')
  }
}
