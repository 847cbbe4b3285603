import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import { Problem } from '../../kit/problem.ts'

/** What a passkey answered to a challenge (WebAuthn's assertion, its bytes as they are). */
export type PasskeyAnswer = {
  readonly id: Uint8Array
  readonly authenticatorData: Uint8Array
  readonly clientDataJSON: Uint8Array
  readonly signature: Uint8Array
}

/**
 * Passkeys of users, known again by their signature. They open nothing here: what they open is at the share store, sealed.
 * They show that the same person is there as before, on whichever device.
 */
export type Passkeys = {
  /**
   * @param publicKey as SubjectPublicKeyInfo, of ECDSA on P-256 (ES256)
   * @throws Problem 400 `publicKey`, 429 `id`
   */
  add(user: string, passkey: { id: Uint8Array; publicKey: Uint8Array }): Promise<void>
  remove(user: string, id: Uint8Array): Promise<void>
  /** Makes what a passkey has to sign: once, within five minutes, for this user on this device. */
  challenge(user: string, key: string): Promise<Uint8Array>
  /** @throws Problem 401 `passkey`, the same for every fault */
  prove(user: string, key: string, answer: PasskeyAnswer): Promise<void>
  sweep(): Promise<void>
}

const lifetime = 5 * 60_000
const challengeBytes = 32
const mostPasskeys = 16
const hashBytes = 32
/** That somebody was there, and that the authenticator made sure who. */
const presentAndVerified = 0b101

export function createPasskeys({ database, clock }: { database: Kysely<unknown>; clock: Clock }): Passkeys {
  return {
    async add(user, { id, publicKey }) {
      if (!isP256(publicKey))
        throw new Problem(400, 'publicKey', 'This passkey is of another kind: only ES256 is taken.')
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from auth_passkey where user_id = ${user}`.execute(database)
      if ((rows[0]?.count ?? 0) >= mostPasskeys) throw new Problem(429, 'id', 'There are too many passkeys already.')
      await sql`
        insert into auth_passkey (user_id, id, public_key, created_at)
        values (${user}, ${Buffer.from(id)}, ${Buffer.from(publicKey)}, ${clock.now()})
        on conflict (user_id, id) do update set public_key = excluded.public_key`.execute(database)
    },
    async remove(user, id) {
      await sql`delete from auth_passkey where user_id = ${user} and id = ${Buffer.from(id)}`.execute(database)
    },
    async challenge(user, key) {
      const challenge = randomBytes(challengeBytes)
      await sql`
        insert into auth_challenge (challenge, user_id, key_thumbprint, expires_at)
        values (${digest(challenge)}, ${user}, ${key}, ${clock.now() + lifetime})`.execute(database)
      return challenge
    },
    async prove(user, key, answer) {
      const { challenge, origin } = readClientData(answer.clientDataJSON)
      const { rows: asked } = await sql`
        delete from auth_challenge
        where challenge = ${digest(challenge)} and user_id = ${user} and key_thumbprint = ${key}
          and expires_at > ${clock.now()} returning user_id`.execute(database)
      const { rows } = await sql<{ public_key: Buffer }>`
        select public_key from auth_passkey where user_id = ${user} and id = ${Buffer.from(answer.id)}`.execute(
        database,
      )
      const [row] = rows
      if (asked.length === 0 || row === undefined || !isSigned(answer, row.public_key, origin)) throw refused()
    },
    async sweep() {
      await sql`delete from auth_challenge where expires_at <= ${clock.now()}`.execute(database)
    },
  }
}

function isSigned(
  { authenticatorData, clientDataJSON, signature }: PasskeyAnswer,
  publicKey: Buffer,
  origin: URL,
): boolean {
  const data = Buffer.from(authenticatorData)
  const isOfSite = data.subarray(0, hashBytes).equals(digest(Buffer.from(origin.hostname)))
  const flags = data[hashBytes] ?? 0
  if (!isOfSite || (flags & presentAndVerified) !== presentAndVerified) return false
  const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' })
  return verify('sha256', Buffer.concat([data, digest(clientDataJSON)]), key, signature)
}

/** What the browser says that was asked, and by whom. */
function readClientData(bytes: Uint8Array): { challenge: Buffer; origin: URL } {
  try {
    const { type, challenge, origin } = JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>
    if (type === 'webauthn.get' && typeof challenge === 'string' && typeof origin === 'string') {
      return { challenge: Buffer.from(challenge, 'base64url'), origin: new URL(origin) }
    }
  } catch (cause) {
    throw refused(cause)
  }
  throw refused()
}

function isP256(publicKey: Uint8Array): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' })
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

function refused(cause?: unknown): Problem {
  return new Problem(401, 'passkey', 'This passkey was not recognised. Try again, or use another one.', { cause })
}
