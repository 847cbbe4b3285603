import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { createRelayIdentity } from '../relayIdentity.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'

/** The identity of the bridge at the upstream relay. */
export type BridgeIdentity = {
  /** The `did:key` of its Ed25519 key. */
  clientId: string
  /**
   * Signs the token of one connection: an EdDSA JWT (RFC 8037).
   *
   * @param audience the upstream relay's URL, exactly as configured
   * @param now milliseconds since 1970
   */
  token(audience: string, now: number): string
}

const lifetimeSeconds = 24 * 60 * 60

/** Loads the identity that all processes on this database share. The first process creates it. */
export async function loadBridgeIdentity(database: Kysely<unknown>): Promise<BridgeIdentity> {
  await sql`insert into relay_bridge (secret) values (${randomBytes(32)}) on conflict do nothing`.execute(database)
  const { rows } = await sql<{ secret: Buffer }>`select secret from relay_bridge`.execute(database)
  const [row] = rows
  if (row === undefined) throw new Error('The key of the bridge could not be stored in the database.')
  return createBridgeIdentity(new Uint8Array(row.secret))
}

/** Creates the identity of a secret key of 32 bytes. */
export function createBridgeIdentity(secret: Uint8Array): BridgeIdentity {
  const { id: clientId, sign } = createRelayIdentity(secret)
  const subject = sha256(clientId).toString('hex')

  return {
    clientId,
    token(audience, now) {
      const iat = Math.floor(now / 1000)
      return sign({ sub: subject, aud: audience, iat, exp: iat + lifetimeSeconds, act: 'client_auth' })
    },
  }
}
