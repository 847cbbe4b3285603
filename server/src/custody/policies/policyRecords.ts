import { sql, type Kysely } from 'kysely'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { verifyPolicyRecord, type PolicyKind, type SignedPolicyRecord } from './verifyPolicyRecord.ts'

/** A stored record with the time of its arrival at this service. */
export type StoredPolicyRecord = SignedPolicyRecord & { readonly storedAt: number }

/** A record that replaces the one with the counter `previous`. Zero if there is none yet. */
export type PolicyChange = SignedPolicyRecord & { readonly previous: number }

/**
 * The signing policy of each wallet, what was spent under it, and a pending change. The service can read none of them: they are
 * sealed and signed by a key of the wallet. It makes sure that the counter only grows, and that of two concurrent changes one
 * fails.
 */
export type PolicyRecords = {
  list(user: string): Promise<readonly StoredPolicyRecord[]>
  /** Returns the key that signs the user's records. */
  findVerifier(user: string): Promise<Buffer | undefined>
  /**
   * @throws Problem 401 `signature`; 409 `policy` for another key, or if the stored counter is not `previous`
   */
  write(user: string, change: PolicyChange): Promise<void>
  /** Idempotent. */
  remove(user: string, kind: PolicyKind): Promise<void>
}

export type PolicyRecordsDependencies = {
  database: Kysely<unknown>
  clock: Clock
  table: 'auth_policy' | 'share_policy'
}

/** Creates the policy records of a key service. */
export function createPolicyRecords({ database, clock, table }: PolicyRecordsDependencies): PolicyRecords {
  const name = sql.table(table)
  async function findVerifier(user: string): Promise<Buffer | undefined> {
    const { rows } = await sql<{ verifier: Buffer }>`
      select verifier from ${name} where user_id = ${user} and kind = 'policy'`.execute(database)
    return rows[0]?.verifier
  }
  async function store(user: string, change: PolicyChange): Promise<boolean> {
    const { kind, counter, verifier, sealed, signature, previous } = change
    const [bytes, key, proof] = [sealed, verifier, signature].map((each) => Buffer.from(each))
    const { rows } =
      previous === 0
        ? await sql`
            insert into ${name} (user_id, kind, counter, verifier, sealed, signature, stored_at)
            values (${user}, ${kind}, ${counter}, ${key}, ${bytes}, ${proof}, ${clock.now()})
            on conflict (user_id, kind) do nothing returning kind`.execute(database)
        : await sql`
            update ${name} set counter = ${counter}, sealed = ${bytes}, signature = ${proof}, stored_at = ${clock.now()}
            where user_id = ${user} and kind = ${kind} and counter = ${previous} and verifier = ${key}
            returning kind`.execute(database)
    return rows.length > 0
  }

  return {
    findVerifier,
    async list(user) {
      const { rows } = await sql<StoredPolicyRecord>`
        select kind, counter, verifier, sealed, signature, stored_at as "storedAt" from ${name}
        where user_id = ${user}`.execute(database)
      return rows
    },
    async write(user, change) {
      if (!verifyPolicyRecord(change)) throw new Problem(401, 'signature', 'The wallet did not sign this policy.')
      const pinned = await findVerifier(user)
      const isKnownKey = pinned === undefined ? change.kind === 'policy' : pinned.equals(change.verifier)
      if (isKnownKey && change.counter > change.previous && (await store(user, change))) return
      throw new Problem(409, 'policy', 'The policy has been changed elsewhere. Load it again.')
    },
    async remove(user, kind) {
      await sql`delete from ${name} where user_id = ${user} and kind = ${kind}`.execute(database)
    },
  }
}
