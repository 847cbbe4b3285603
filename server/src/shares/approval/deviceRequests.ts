import { randomUUID } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { drawDigits } from '../../custody/drawDigits.ts'
import { isUuid } from '../../custody/isUuid.ts'
import { lockHash } from '../../custody/lockHash.ts'
import { sweepRows } from '../../custody/sweepRows.ts'
import { tryAgainLater } from '../../custody/requests/tryAgainLater.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import type { TableRow } from '../../schema/tableRow.ts'
import type { LoggedInDevice } from './identityApprovals.ts'

/** A new device that waits, as the user's known devices see it. */
export type WaitingDevice = {
  readonly id: string
  readonly browser: string
  readonly place: string
  /** Time of the request, and time of the admission without an approval, in milliseconds since the epoch. */
  readonly at: number
  readonly opensAt: number
}

/** The wait of a new device. */
export type DeviceWait = {
  /** The two digits that a known device has to enter. No other request of the user that still waits has the same ones. */
  readonly match: string
  readonly opensAt: number
}

/**
 * The second proof for new devices whose first proof is an approval that an untrusted page can obtain from the user, for
 * example in a Farcaster application. A known device approves them by two digits, or the user by a passkey, or they wait
 * a day. Known devices can stop them.
 */
export type DeviceRequests = {
  /** True if the user has a wallet. The first device of a user needs no second proof. */
  isNeeded(user: string): Promise<boolean>
  /**
   * Requests the admission of a device. A repeated request keeps the time of the first one.
   *
   * @returns `undefined` if the device no longer has to wait
   * @throws Problem 403 `stopped` if a known device stopped the request within three days, 429 `device` if too many devices wait
   */
  request(device: LoggedInDevice, source: { browser: string; place: string }): Promise<DeviceWait | undefined>
  /** Returns whether a known device approved this one within the last fifteen minutes, or the day is over. */
  getState(device: LoggedInDevice): Promise<'waiting' | 'approved' | 'stopped'>
  /** Lists the waiting devices, the latest first, at most ten. */
  list(user: string): Promise<readonly WaitingDevice[]>
  /** Approves a device. Three tries. @throws Problem 404 `id`, 401 `match` */
  approve(user: string, response: { id: string; match: string }): Promise<void>
  /** Approves a device whose user has proven a passkey. @throws Problem 404 `id` without a waiting request */
  approveByPasskey(device: LoggedInDevice): Promise<void>
  /** Stops a request, and refuses others of the same device for three days. Idempotent. */
  stop(user: string, id: string): Promise<void>
  sweep(): Promise<void>
}

const approvalMs = 15 * 60_000
const waitMs = 24 * 60 * 60_000
const lifetimeMs = 72 * 60 * 60_000
const maxTries = 3
const maxListed = 10

type RequestRow = Pick<TableRow<'share_device_request'>, 'match' | 'created_at' | 'approved_at' | 'stopped_at'>

type DeviceRequestsDependencies = { database: Kysely<unknown>; clock: Clock }

/** Creates the requests of new devices. */
export function createDeviceRequests({ database, clock }: DeviceRequestsDependencies): DeviceRequests {
  async function find({ user, key }: LoggedInDevice): Promise<RequestRow | undefined> {
    const { rows } = await sql<RequestRow>`
      select match, created_at, approved_at, stopped_at from share_device_request
      where user_id = ${user} and key_thumbprint = ${key} and created_at > ${clock.now() - lifetimeMs}`.execute(
      database,
    )
    return rows[0]
  }
  return {
    async isNeeded(user) {
      const { rows } = await sql`select from share_wallet where user_id = ${user}`.execute(database)
      return rows.length > 0
    },
    async request(device, { browser, place }) {
      await database
        .transaction()
        .execute((transaction) => storeRequest(transaction, { device, browser, place, now: clock.now() }))
      const row = await find(device)
      const state = row === undefined ? 'stopped' : stateOf(row, clock.now())
      if (row === undefined || state === 'stopped') {
        throw new Problem(403, 'stopped', 'One of your devices refused this one. Use a device that has the wallet.')
      }
      return state === 'approved' ? undefined : { match: row.match, opensAt: row.created_at + waitMs }
    },
    async getState(device) {
      const row = await find(device)
      return row === undefined ? 'waiting' : stateOf(row, clock.now())
    },
    async list(user) {
      const { rows } = await sql<WaitingDevice>`
        select id, browser, place, created_at as at, created_at + ${waitMs}::bigint as "opensAt"
        from share_device_request
        where user_id = ${user} and approved_at is null and stopped_at is null and created_at > ${clock.now() - lifetimeMs}
        order by created_at desc limit ${maxListed}`.execute(database)
      return rows
    },
    approveByPasskey: (device) => approveRequestByPasskey({ database, clock }, device),
    approve: (user, result) => approveRequest({ database, clock }, user, result),
    async stop(user, id) {
      if (!isUuid(id)) return
      await sql`
        update share_device_request set stopped_at = ${clock.now()}
        where id = ${id} and user_id = ${user} and stopped_at is null`.execute(database)
    },
    sweep: () =>
      sweepRows(database, { table: 'share_device_request', column: 'created_at', upTo: clock.now() - lifetimeMs }),
  }
}

type NewRequest = { device: LoggedInDevice; browser: string; place: string; now: number }

/** Old rows are replaced. A stopped one stays, so that the same device can't ask again at once. */
async function storeRequest(
  transaction: Transaction<unknown>,
  { device: { user, key }, browser, place, now }: NewRequest,
): Promise<void> {
  await lockHash(transaction, sha256(`share_device_request ${user}`))
  const { rows } = await sql<{ match: string; is_own: boolean }>`
    select match, key_thumbprint = ${key} as is_own from share_device_request
    where user_id = ${user} and created_at > ${now - lifetimeMs}
      and (key_thumbprint = ${key} or (approved_at is null and stopped_at is null and created_at > ${now - waitMs}))`.execute(
    transaction,
  )
  if (rows.some((row) => row.is_own)) return
  // A user could confirm another request with the digits of their device, if both had the same ones.
  const match = drawDigits(rows.map((row) => row.match))
  if (match === undefined) throw tryAgainLater('device', waitMs / 1_000)
  await sql`
    insert into share_device_request (id, user_id, key_thumbprint, match, browser, place, created_at)
    values (${randomUUID()}, ${user}, ${key}, ${match}, ${browser}, ${place}, ${now})
    on conflict (user_id, key_thumbprint) do update set
      id = excluded.id, match = excluded.match, tries = 0, browser = excluded.browser, place = excluded.place,
      created_at = excluded.created_at, approved_at = null, stopped_at = null`.execute(transaction)
}

function stateOf({ created_at: at, approved_at: approvedAt, stopped_at: stoppedAt }: RequestRow, now: number) {
  if (stoppedAt !== null) return 'stopped'
  const isApproved = approvedAt !== null && approvedAt > now - approvalMs
  return isApproved || at <= now - waitMs ? 'approved' : 'waiting'
}

/** A try is counted before the comparison, so concurrent guesses cannot exceed the limit. */
async function approveRequest(
  { database, clock }: DeviceRequestsDependencies,
  user: string,
  { id, match }: { id: string; match: string },
): Promise<void> {
  if (!isUuid(id)) throw requestOver()
  const { rows } = await sql<{ approved_at: number | null }>`
    update share_device_request set tries = tries + 1,
      approved_at = case when match = ${match} then ${clock.now()}::bigint end
    where id = ${id} and user_id = ${user} and approved_at is null and stopped_at is null and tries < ${maxTries}
    returning approved_at`.execute(database)
  const [row] = rows
  if (row === undefined) throw requestOver()
  if (row.approved_at === null) throw new Problem(401, 'match', 'These are not the digits of the new device.')
}

async function approveRequestByPasskey(
  { database, clock }: DeviceRequestsDependencies,
  { user, key }: LoggedInDevice,
): Promise<void> {
  const now = clock.now()
  const { rows } = await sql`
    update share_device_request set approved_at = ${now}
    where user_id = ${user} and key_thumbprint = ${key} and stopped_at is null and created_at > ${now - lifetimeMs}
    returning id`.execute(database)
  if (rows.length === 0) throw requestOver()
}

function requestOver(): Problem {
  return new Problem(404, 'id', 'This request has ended. Start the login on the new device again.')
}
