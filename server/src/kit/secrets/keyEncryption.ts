import { randomBytes } from 'node:crypto'
import { aesGcmOverheadBytes, decryptAesGcm, encryptAesGcm } from './aesGcm.ts'

/** A key that encrypts keys, with its id. It is kept outside the database and its backups. */
export type MasterKey = { readonly id: string; readonly key: Uint8Array }

/** The row that a secret belongs to. All of it is authenticated: a secret that is moved to another row does not open. */
export type RowLocation = {
  readonly table: string
  readonly row: string
  readonly owner: string
}

/** Seals secrets that must not be readable from the database alone. */
export type KeyEncryption = {
  /** The id of the master key that seals new secrets. */
  readonly primary: string
  /** Seals a secret under a key of its own, which is sealed under the master key. */
  seal(place: RowLocation, secret: Uint8Array): Buffer
  /**
   * Opens a sealed secret.
   *
   * @returns the secret, and `isOutdated` if a master key that is being replaced sealed it
   * @throws Error if it was changed or moved, or its master key is missing; the message never contains the secret
   */
  open(place: RowLocation, sealed: Uint8Array): { secret: Buffer; isOutdated: boolean }
}

const version = 1
const keyBytes = 32
const wrappedKeyBytes = keyBytes + aesGcmOverheadBytes

/**
 * Creates key encryption with master keys in memory: from a file, the environment, or an operator's own store.
 *
 * @param keys the first one seals, all of them open; 32 bytes each
 * @throws RangeError for a key of another length, or a duplicate id
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
      const context = rowContext(place)
      try {
        return Buffer.concat([
          sealedHeader(primary.id),
          encryptAesGcm(primary.key, context, dataKey),
          encryptAesGcm(dataKey, context, secret),
        ])
      } finally {
        dataKey.fill(0)
      }
    },
    open(place, sealed) {
      const bytes = Buffer.from(sealed)
      const id = bytes.subarray(2, 2 + (bytes[1] ?? 0)).toString()
      const master = byId.get(id)
      if (bytes[0] !== version || master === undefined) throw new Error('The master key of this secret is missing.')
      const start = 2 + Buffer.byteLength(id)
      const context = rowContext(place)
      const dataKey = decryptAesGcm(master, context, bytes.subarray(start, start + wrappedKeyBytes))
      try {
        const secret = decryptAesGcm(dataKey, context, bytes.subarray(start + wrappedKeyBytes))
        return { secret, isOutdated: id !== primary.id }
      } finally {
        dataKey.fill(0)
      }
    },
  }
}

function sealedHeader(id: string): Buffer {
  return Buffer.concat([Buffer.of(version, Buffer.byteLength(id)), Buffer.from(id)])
}

/** Unambiguous: no two rows have the same bytes. */
function rowContext({ table, row, owner }: RowLocation): Buffer {
  return Buffer.from(JSON.stringify([table, row, owner]))
}
