import { sql, type Kysely } from 'kysely'
import { sha256 } from '../../kit/secrets/sha256.ts'

/**
 * Proofs that a new device got the share store's data of an enrolment, which the share store returns to approved devices
 * only. Without one, a login alone yields no auth share [C-06]. The services need not trust each other for that: the frame
 * derives the proof from the sealed recovery share, and stores its hash here when it enrols.
 */
export type ShareProofs = {
  /** Stores the verifier of an enrolment: the SHA-256 of its proof. */
  store(owner: { user: string; key: string }, setId: Uint8Array, verifier: Uint8Array): Promise<void>
  /** True if the proof belongs to this enrolment of the user. */
  isValid(user: string, setId: Uint8Array, proof: Uint8Array): Promise<boolean>
  /**
   * True if another device created this enrolment, which created the wallet or proved more than a login itself. A thief of the
   * login knows the proofs of own enrolments.
   */
  isOfProvenDevice(owner: { user: string; key: string }, setId: Uint8Array): Promise<boolean>
}

/** Creates the proofs of the auth service. */
export function createShareProofs({ database }: { database: Kysely<unknown> }): ShareProofs {
  return {
    async store({ user, key }, setId, verifier) {
      await sql`
        update auth_share set verifier = ${Buffer.from(verifier)}
        where user_id = ${user} and set_id = ${Buffer.from(setId)} and key_thumbprint = ${key} and verifier is null`.execute(
        database,
      )
    },
    async isValid(user, setId, proof) {
      const { rows } = await sql`
        select from auth_share
        where user_id = ${user} and set_id = ${Buffer.from(setId)} and verifier = ${sha256(proof)}`.execute(database)
      return rows.length > 0
    },
    async isOfProvenDevice({ user, key }, setId) {
      const { rows } = await sql`
        select from auth_share join auth_key using (user_id, key_thumbprint) left join auth_wallet using (user_id)
        where user_id = ${user} and set_id = ${Buffer.from(setId)} and key_thumbprint <> ${key}
          and (auth_key.proven_at is not null or founder = key_thumbprint)`.execute(database)
      return rows.length > 0
    },
  }
}
