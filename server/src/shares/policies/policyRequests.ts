import { sql, type Kysely } from 'kysely'
import { sweepRows } from '../../custody/sweepRows.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'

/** A request that waits for another device. The share store can't read it, and doesn't verify its decision: the wallet does. */
export type PolicyRequest = {
  readonly id: string
  /** Thumbprint of the device that asks. */
  readonly key: string
  readonly sealed: Buffer
  readonly expiresAt: number
}

/** Requests for the approval of a second device. All of them belong to one user, and ids of other users count as missing. */
export type PolicyRequests = {
  /** @throws Problem 409 `id`; 429 `requests` */
  add(owner: RequestOwner, request: { id: string; sealed: Uint8Array }): Promise<{ expiresAt: number }>
  /** Lists the pending requests of the user, the newest first. */
  list(user: string): Promise<readonly PolicyRequest[]>
  /** @throws Problem 404 `id` unless another device of the user waits for this decision */
  decide(owner: RequestOwner, id: string, decision: string): Promise<void>
  /**
   * Returns the state of a request of this device.
   *
   * @throws Problem 404 `id` if it is missing or has expired
   */
  read(owner: RequestOwner, id: string): Promise<{ decision?: string }>
  sweep(): Promise<void>
}

export type RequestOwner = { readonly user: string; readonly key: string }

/** Minutes are enough to fetch another device. An older approval is no longer wanted. */
const lifetimeMs = 10 * 60_000
const maxOpen = 5

/** Creates the requests for second devices. */
export function createPolicyRequests({ database, clock }: { database: Kysely<unknown>; clock: Clock }): PolicyRequests {
  return {
    async add({ user, key }, { id, sealed }) {
      const expiresAt = clock.now() + lifetimeMs
      return database.transaction().execute(async (transaction) => {
        // One at a time for each user, so that concurrent requests can't exceed the limit.
        await sql`select pg_advisory_xact_lock(hashtextextended(${user}, 0))`.execute(transaction)
        const { rows } = await sql<{ open: number }>`
          select count(*) as open from share_policy_request
          where user_id = ${user} and expires_at > ${clock.now()}`.execute(transaction)
        if ((rows[0]?.open ?? 0) >= maxOpen) {
          throw new Problem(429, 'requests', 'Too many requests wait for another device. Decide on them first.')
        }
        const added = await sql`
          insert into share_policy_request (id, user_id, key_thumbprint, sealed, expires_at)
          values (${id}, ${user}, ${key}, ${Buffer.from(sealed)}, ${expiresAt})
          on conflict (id) do nothing returning id`.execute(transaction)
        if (added.rows.length === 0) throw new Problem(409, 'id', 'This id is in use. Choose another one.')
        return { expiresAt }
      })
    },
    async list(user) {
      const { rows } = await sql<PolicyRequest>`
        select id, key_thumbprint as key, sealed, expires_at as "expiresAt" from share_policy_request
        where user_id = ${user} and decision is null and expires_at > ${clock.now()}
        order by expires_at desc limit ${maxOpen}`.execute(database)
      return rows
    },
    async decide({ user, key }, id, decision) {
      const { rows } = await sql`
        update share_policy_request set decision = ${decision}
        where id = ${id} and user_id = ${user} and key_thumbprint <> ${key} and decision is null
          and expires_at > ${clock.now()} returning id`.execute(database)
      if (rows.length === 0) throw createMissingProblem()
    },
    async read({ user, key }, id) {
      const { rows } = await sql<{ decision: string | null }>`
        select decision from share_policy_request
        where id = ${id} and user_id = ${user} and key_thumbprint = ${key}
          and expires_at > ${clock.now()}`.execute(database)
      const [row] = rows
      if (row === undefined) throw createMissingProblem()
      return row.decision === null ? {} : { decision: row.decision }
    },
    sweep: () => sweepRows(database, { table: 'share_policy_request', column: 'expires_at', upTo: clock.now() }),
  }
}

function createMissingProblem(): Problem {
  return new Problem(404, 'id', 'This request has already been decided, or has expired.')
}
