import { createHash, randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, base64urlnopad } from '@scure/base'
import { sql, type Kysely } from 'kysely'

/** Who we are to the other relay. */
export type Identity = {
  /** The `did:key` of our Ed25519 key. */
  clientId: string
  /**
   * Signs the token of one connection: an EdDSA JWT (RFC 8037).
   *
   * @param audience the other relay's address, exactly as it was configured
   * @param now milliseconds since 1970
   */
  token(audience: string, now: number): string
}

const daySeconds = 24 * 60 * 60

/** The identity that all processes on this database share; the first one draws it. */
export async function readIdentity(database: Kysely<unknown>): Promise<Identity> {
  await sql`insert into relay_bridge (secret) values (${randomBytes(32)}) on conflict do nothing`.execute(database)
  const { rows } = await sql<{ secret: Buffer }>`select secret from relay_bridge`.execute(database)
  const [row] = rows
  if (row === undefined) throw new Error('The key of the bridge could not be kept in the database.')
  return createIdentity(new Uint8Array(row.secret))
}

/** The identity that follows from a secret key of 32 bytes. */
export function createIdentity(secret: Uint8Array): Identity {
  const publicKey = ed25519.getPublicKey(secret)
  const clientId = `did:key:z${base58.encode(Uint8Array.of(0xed, 0x01, ...publicKey))}`
  const subject = createHash('sha256').update(clientId).digest('hex')

  return {
    clientId,
    token(audience, now) {
      const iat = Math.floor(now / 1000)
      const claims = { iss: clientId, sub: subject, aud: audience, iat, exp: iat + daySeconds, act: 'client_auth' }
      const signed = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode(claims)}`
      return `${signed}.${base64urlnopad.encode(ed25519.sign(new TextEncoder().encode(signed), secret))}`
    },
  }
}

function encode(value: object): string {
  return base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(value)))
}
