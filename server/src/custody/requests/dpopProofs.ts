import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify, type JWK } from 'jose'
import { sql, type Kysely } from 'kysely'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'

/** The request that carries a proof. */
export type ProvenRequest = {
  readonly method: string
  /** Without query and fragment. */
  readonly url: string
  /** The access token of the request, if it has one. */
  readonly accessToken?: string
}

/** Proofs that the sender of a request holds a key (DPoP, RFC 9449). */
export type DpopProofs = {
  /**
   * Verifies a proof and records its use: each proof is accepted once.
   *
   * @returns the JWK thumbprint of the key (RFC 7638)
   * @throws Problem 401 `proof`, the same for every fault
   */
  verify(proof: string | undefined, request: ProvenRequest): Promise<string>
  /**
   * The same, with a check of the proven key that runs while the use is recorded. Its result counts only if the proof does.
   *
   * @throws Problem 401 `proof`; otherwise the error of the check
   */
  verifyWith<result>(
    proof: string | undefined,
    request: ProvenRequest,
    check: (key: string) => Promise<result>,
  ): Promise<result>
  /** Deletes the records of proofs that are too old to be accepted again. */
  sweep(): Promise<void>
}

const toleranceMs = 60_000
const rememberedMs = 5 * 60_000
const maxProofLength = 4_096
const maxIdLength = 128

export type DpopProofsOptions = {
  database: Kysely<unknown>
  clock: Clock
  /** The table of used proofs. Each service has its own. */
  table: 'auth_proof' | 'share_proof'
}

/** Creates the proof check of a service. Used proofs are stored in the database, so two processes do not accept the same one. */
export function createDpopProofs({ database, clock, table }: DpopProofsOptions): DpopProofs {
  async function recordUse(id: string, key: string): Promise<{ isFirst: boolean }> {
    const { rows } = await sql`
      insert into ${sql.table(table)} (id, expires_at) values (${sha256(`${key}\0${id}`)}, ${clock.now() + rememberedMs})
      on conflict do nothing returning id`.execute(database)
    return { isFirst: rows.length === 1 }
  }

  async function verifyWith<result>(
    proof: string | undefined,
    request: ProvenRequest,
    check: (key: string) => Promise<result>,
  ): Promise<result> {
    if (proof === undefined || proof.length > maxProofLength) throw invalidProof()
    const { header, claims } = await parseProof(proof)
    const { jti, htm, htu, iat, ath } = claims
    const isForRequest = htm === request.method && htu === request.url && ath === hashAccessToken(request.accessToken)
    const isFresh = typeof iat === 'number' && Math.abs(clock.now() - iat * 1_000) <= toleranceMs
    const hasId = typeof jti === 'string' && jti.length > 0 && jti.length <= maxIdLength
    if (!isForRequest || !isFresh || !hasId) throw invalidProof()
    const key = await calculateJwkThumbprint(header, 'sha256')
    const [use, checked] = await Promise.allSettled([recordUse(jti, key), check(key)])
    if (use.status === 'rejected') throw use.reason
    if (!use.value.isFirst) throw invalidProof()
    if (checked.status === 'rejected') throw checked.reason
    return checked.value
  }

  return {
    verifyWith,
    verify: (proof, request) => verifyWith(proof, request, async (key) => key),
    async sweep() {
      await sql`delete from ${sql.table(table)} where expires_at <= ${clock.now()}`.execute(database)
    },
  }
}

/** The library checks the key and the signature only. The times are checked by our clock. */
async function parseProof(proof: string): Promise<{ header: JWK; claims: Record<string, unknown> }> {
  try {
    const { protectedHeader, payload } = await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: ['ES256'],
      currentDate: new Date(0),
    })
    if (protectedHeader.jwk === undefined) throw invalidProof()
    return { header: protectedHeader.jwk, claims: payload }
  } catch (cause) {
    throw invalidProof(cause)
  }
}

function hashAccessToken(accessToken: string | undefined): string | undefined {
  return accessToken === undefined ? undefined : sha256(accessToken).toString('base64url')
}

function invalidProof(cause?: unknown): Problem {
  return new Problem(401, 'proof', 'The request has no valid proof of its key. Log in again.', { cause })
}
