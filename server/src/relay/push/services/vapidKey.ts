import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../../../kit/runtime/clock.ts'

/** The key that identifies this server to push services (RFC 8292). */
export type VapidKey = {
  /** The public key for `applicationServerKey` of browsers: 65 bytes as base64url. */
  publicKey: string
  /** Signs the `Authorization` header for the origin of an endpoint. */
  authorize(origin: string): Promise<string>
}

/** The standard allows a day. Push services with a wrong clock accept half of it. */
const lifetimeSeconds = 12 * 60 * 60

/**
 * Loads the key that all processes on this database share. The first process creates it.
 *
 * @param contact a `mailto:` or `https:` URL, by which a push service reaches the operator
 */
export async function loadVapidKey(database: Kysely<unknown>, contact: string, clock: Clock): Promise<VapidKey> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' })
  await sql`insert into relay_push_key (secret) values (${secret}) on conflict do nothing`.execute(database)
  const { rows } = await sql<{ secret: Buffer }>`select secret from relay_push_key`.execute(database)
  const [row] = rows
  if (row === undefined) throw new Error('The key of the push gateway could not be stored in the database.')
  return createVapidKey(createPrivateKey({ key: row.secret, format: 'der', type: 'pkcs8' }), contact, clock)
}

function createVapidKey(key: KeyObject, contact: string, clock: Clock): VapidKey {
  const { x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const publicKey = point.toString('base64url')
  return {
    publicKey,
    async authorize(origin) {
      const expiry = Math.floor(clock.now() / 1000) + lifetimeSeconds
      const token = new SignJWT({ aud: origin, exp: expiry, sub: contact })
      return `vapid t=${await token.setProtectedHeader({ typ: 'JWT', alg: 'ES256' }).sign(key)}, k=${publicKey}`
    },
  }
}
