import { createHash } from 'node:crypto'
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify, type JWK } from 'jose'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import { Problem } from '../kit/problem.ts'

/** What a proof is of: the request that carries it. */
export type ProvenRequest = {
  readonly method: string
  /** Without query and fragment. */
  readonly url: string
  /** The access token that came with it, if one did. */
  readonly accessToken?: string
}

/** Proofs that a request was made by who holds a key (DPoP, RFC 9449). */
export type Proofs = {
  /**
   * Checks a proof, and notes that it was used.
   *
   * @returns the thumbprint of the key (RFC 7638)
   * @throws Problem 401 `proof`, the same for every fault
   */
  verify(proof: string | undefined, request: ProvenRequest): Promise<string>
  /** Forgets the proofs that are too old to be taken anyway. */
  sweep(): Promise<void>
}

const tolerance = 60_000
const remembered = 5 * 60_000
const longest = 4_096
const longestId = 128

export type ProofsParts = {
  database: Kysely<unknown>
  clock: Clock
  /** Where used proofs are remembered; each service has a table of its own. */
  table: 'auth_proof' | 'share_proof'
}

/** Used proofs are remembered in the database, so that none is taken twice by two processes. */
export function createProofs({ database, clock, table }: ProofsParts): Proofs {
  async function isNew(id: string, key: string): Promise<boolean> {
    const used = createHash('sha256').update(`${key}\0${id}`).digest()
    const { rows } = await sql`
      insert into ${sql.table(table)} (id, expires_at) values (${used}, ${clock.now() + remembered})
      on conflict do nothing returning id`.execute(database)
    return rows.length === 1
  }

  return {
    async verify(proof, request) {
      if (proof === undefined || proof.length > longest) throw refused()
      const { header, claims } = await read(proof)
      const { jti, htm, htu, iat, ath } = claims
      const isMeant = htm === request.method && htu === request.url && ath === hashOf(request.accessToken)
      const isFresh = typeof iat === 'number' && Math.abs(clock.now() - iat * 1_000) <= tolerance
      const isNamed = typeof jti === 'string' && jti.length > 0 && jti.length <= longestId
      if (!isMeant || !isFresh || !isNamed) throw refused()
      const key = await calculateJwkThumbprint(header, 'sha256')
      if (!(await isNew(jti, key))) throw refused()
      return key
    },
    async sweep() {
      await sql`delete from ${sql.table(table)} where expires_at <= ${clock.now()}`.execute(database)
    },
  }
}

/** Only the key, a public one, and its signature are the library's to judge: its clock is not ours. */
async function read(proof: string): Promise<{ header: JWK; claims: Record<string, unknown> }> {
  try {
    const { protectedHeader, payload } = await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: ['ES256'],
      currentDate: new Date(0),
    })
    if (protectedHeader.jwk === undefined) throw refused()
    return { header: protectedHeader.jwk, claims: payload }
  } catch (cause) {
    throw refused(cause)
  }
}

function hashOf(accessToken: string | undefined): string | undefined {
  return accessToken === undefined ? undefined : createHash('sha256').update(accessToken).digest('base64url')
}

function refused(cause?: unknown): Problem {
  return new Problem(401, 'proof', 'The request does not prove who makes it. Log in again.', { cause })
}
