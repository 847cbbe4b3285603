import { createHmac, createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto'
import { base58 } from '@scure/base'
import { sql, type Kysely } from 'kysely'

/** The identity of the relay towards wallets and watching services. */
export type RelayIdentity = {
  /** The `did:key` of its Ed25519 key. */
  id: string
  /** The public key: 32 bytes as hex. */
  publicKey: string
  /** Computes a keyed hash of 16 bytes, the same in all processes of this relay. */
  hash(text: string): Buffer
  /** Signs an EdDSA JWT (RFC 8037) with the relay as issuer. */
  sign(claims: object): string
}

/** Loads the identity that all processes on this database share. The first process creates it. */
export async function loadRelayIdentity(database: Kysely<unknown>): Promise<RelayIdentity> {
  await sql`insert into relay_identity (secret) values (${randomBytes(32)}) on conflict do nothing`.execute(database)
  const { rows } = await sql<{ secret: Buffer }>`select secret from relay_identity`.execute(database)
  const [row] = rows
  if (row === undefined) throw new Error('The key of the relay could not be stored in the database.')
  return createRelayIdentity(row.secret)
}

/** The PKCS #8 prefix of an Ed25519 secret key (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Creates the identity of a secret key of 32 bytes. */
export function createRelayIdentity(secret: Uint8Array): RelayIdentity {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, secret]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  const id = `did:key:z${base58.encode(Uint8Array.of(0xed, 0x01, ...publicKey))}`

  return {
    id,
    publicKey: publicKey.toString('hex'),
    hash: (text) => createHmac('sha256', secret).update(`hash ${text}`).digest().subarray(0, 16),
    sign(claims) {
      const text = `${encodeJwtPart({ alg: 'EdDSA', typ: 'JWT' })}.${encodeJwtPart({ iss: id, ...claims })}`
      return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
    },
  }
}

function encodeJwtPart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
