import { createPublicKey, randomBytes, type KeyObject } from 'node:crypto'
import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { sql, type Kysely } from 'kysely'
import { formatBase64url } from '../requests/parseBase64url.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'

/** The response of a passkey to a challenge: a WebAuthn assertion, as raw bytes. */
export type PasskeyAssertion = {
  readonly id: Uint8Array
  readonly authenticatorData: Uint8Array
  readonly clientDataJSON: Uint8Array
  readonly signature: Uint8Array
}

/**
 * The passkeys of users, which each key service registers and verifies on its own. They open nothing here; the keys that they
 * unlock are sealed at the share store. A valid assertion shows that the same person is present as before, on any device.
 */
export type Passkeys = {
  /**
   * @param passkey the credential id, and the public key as SubjectPublicKeyInfo: ECDSA on P-256 (ES256)
   * @throws Problem 400 `publicKey`, 429 `id`
   */
  add(user: string, passkey: { id: Uint8Array; publicKey: Uint8Array }): Promise<void>
  /** Idempotent. */
  remove(user: string, id: Uint8Array): Promise<void>
  /** Lists the credential ids of a user. */
  list(user: string): Promise<readonly Buffer[]>
  /** Creates a challenge of 32 bytes. It is valid once, for five minutes, for this user on this device. */
  createChallenge(user: string, key: string): Promise<Uint8Array>
  /** Deletes a challenge, so that it is accepted once. @returns false if this device did not request it, or it expired */
  consumeChallenge(user: string, key: string, challenge: Uint8Array): Promise<boolean>
  /** @throws Problem 401 `passkey`, the same for every fault */
  verify(user: string, key: string, assertion: PasskeyAssertion): Promise<void>
  sweep(): Promise<void>
}

const lifetimeMs = 5 * 60_000
const challengeBytes = 32
const maxPasskeys = 16

export type PasskeysDependencies = {
  database: Kysely<unknown>
  clock: Clock
  /** The tables of the service. */
  tables:
    | { passkeys: 'auth_passkey'; challenges: 'auth_challenge' }
    | { passkeys: 'share_passkey'; challenges: 'share_challenge' }
  /**
   * Returns what passkeys sign before the challenge, for the thumbprint of a device key. Nothing by default. Without it, one
   * service could pass on a challenge of the other one, and get it signed for itself.
   */
  challengePrefix?(key: string): Uint8Array
  /** The URL of the frame, which is the only page that uses the passkeys. */
  frameUrl(): string
}

/** Creates the passkeys of a key service. */
export function createPasskeys(dependencies: PasskeysDependencies): Passkeys {
  const { database, clock, frameUrl, challengePrefix = () => new Uint8Array() } = dependencies
  const passkeyTable = sql.table(dependencies.tables.passkeys)
  const challengeTable = sql.table(dependencies.tables.challenges)

  async function consumeChallenge(user: string, key: string, challenge: Uint8Array): Promise<boolean> {
    const { rows } = await sql`
      delete from ${challengeTable}
      where challenge = ${sha256(challenge)} and user_id = ${user} and key_thumbprint = ${key}
        and expires_at > ${clock.now()} returning user_id`.execute(database)
    return rows.length > 0
  }

  return {
    consumeChallenge,
    async add(user, { id, publicKey }) {
      if (parseP256Key(publicKey) === undefined) {
        throw new Problem(400, 'publicKey', 'This passkey uses an unsupported algorithm. Only ES256 is accepted.')
      }
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from ${passkeyTable} where user_id = ${user}`.execute(database)
      if ((rows[0]?.count ?? 0) >= maxPasskeys)
        throw new Problem(429, 'id', 'This account has too many passkeys. Remove one first.')
      await sql`
        insert into ${passkeyTable} (user_id, id, public_key, created_at)
        values (${user}, ${Buffer.from(id)}, ${Buffer.from(publicKey)}, ${clock.now()})
        on conflict (user_id, id) do update set public_key = excluded.public_key`.execute(database)
    },
    async remove(user, id) {
      await sql`delete from ${passkeyTable} where user_id = ${user} and id = ${Buffer.from(id)}`.execute(database)
    },
    async list(user) {
      const { rows } = await sql<{ id: Buffer }>`
        select id from ${passkeyTable} where user_id = ${user} order by created_at, id`.execute(database)
      return rows.map(({ id }) => id)
    },
    async createChallenge(user, key) {
      const challenge = randomBytes(challengeBytes)
      await sql`
        insert into ${challengeTable} (challenge, user_id, key_thumbprint, expires_at)
        values (${sha256(challenge)}, ${user}, ${key}, ${clock.now() + lifetimeMs})`.execute(database)
      return challenge
    },
    async verify(user, key, assertion) {
      const clientData = parseClientData(assertion.clientDataJSON)
      const challenge = withoutPrefix(Buffer.from(clientData.challenge, 'base64url'), challengePrefix(key))
      const isPending = await consumeChallenge(user, key, challenge)
      const { rows } = await sql<{ public_key: Buffer }>`
        select public_key from ${passkeyTable} where user_id = ${user} and id = ${Buffer.from(assertion.id)}`.execute(
        database,
      )
      const [row] = rows
      if (!isPending || row === undefined) throw invalidPasskey()
      await verifyAssertion(assertion, { ...clientData, publicKey: row.public_key, frame: new URL(frameUrl()) })
    },
    async sweep() {
      await sql`delete from ${challengeTable} where expires_at <= ${clock.now()}`.execute(database)
    },
  }
}

/** @throws Problem 401 `passkey` if the signed challenge begins with something else */
function withoutPrefix(signed: Buffer, prefix: Uint8Array): Buffer {
  if (signed.subarray(0, prefix.length).equals(prefix)) return signed.subarray(prefix.length)
  throw invalidPasskey()
}

type ClientData = { challenge: string; topOrigin: string | undefined }
type ExpectedAssertion = ClientData & { publicKey: Buffer; frame: URL }

/**
 * Verifies an assertion (WebAuthn Level 3 §7.2): type, challenge, RP ID, user presence, user verification, and signature.
 *
 * Origin and RP ID must be those of the frame. The frame is embedded in pages of any site, so any top origin is accepted.
 * Synced passkeys have no signature counter.
 *
 * @throws Problem 401 `passkey`
 */
async function verifyAssertion(
  { id, authenticatorData, clientDataJSON, signature }: PasskeyAssertion,
  { challenge, topOrigin, publicKey, frame }: ExpectedAssertion,
): Promise<void> {
  const credentialId = formatBase64url(id)
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        response: {
          authenticatorData: formatBase64url(authenticatorData),
          clientDataJSON: formatBase64url(clientDataJSON),
          signature: formatBase64url(signature),
        },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: frame.origin,
      expectedRPID: frame.hostname,
      ...(topOrigin !== undefined && { expectedTopOrigin: topOrigin }),
      requireUserVerification: true,
      credential: { id: credentialId, publicKey: toCoseKey(publicKey), counter: 0 },
    })
    if (verified) return
  } catch (cause) {
    throw invalidPasskey(cause)
  }
  throw invalidPasskey()
}

/** The library checks the client data. They are parsed here only to find the challenge and the top origin. */
function parseClientData(bytes: Uint8Array): ClientData {
  try {
    const { challenge, topOrigin } = JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>
    if (typeof challenge === 'string') {
      return { challenge, topOrigin: typeof topOrigin === 'string' ? topOrigin : undefined }
    }
  } catch (cause) {
    throw invalidPasskey(cause)
  }
  throw invalidPasskey()
}

function parseP256Key(publicKey: Uint8Array): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' })
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined
  } catch {
    return undefined
  }
}

/** Converts a public key to COSE (RFC 9053): key type EC2, algorithm ES256, curve P-256, and the coordinates. */
function toCoseKey(publicKey: Buffer): Uint8Array<ArrayBuffer> {
  const { x, y } = parseP256Key(publicKey)?.export({ format: 'jwk' }) ?? {}
  if (x === undefined || y === undefined) throw new Error('The stored public key is not a P-256 key.')
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
    ]),
  )
}

function invalidPasskey(cause?: unknown): Problem {
  return new Problem(401, 'passkey', 'This passkey was not recognised. Try again, or use another one.', { cause })
}
