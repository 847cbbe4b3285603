import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { PolicyDevice } from '../../custody/policies/policyEndpoints.ts'
import type { Clock } from '../../kit/runtime/clock.ts'

/** The devices that enrolled a share of a user's key. */
export type Devices = {
  /** Records a device. The founder is the device that created the wallet. */
  record(user: string, key: string, device: { isFounder: boolean }, transaction?: Kysely<unknown>): Promise<void>
  /** Updates the time of the last use, at most once an hour. @returns true if the device is enrolled */
  recordUse(user: string, key: string): Promise<boolean>
  /**
   * True if the device created the wallet or has been known for a day. An attacker who has just taken over a mailbox has no
   * such device.
   */
  isEstablishedDevice(user: string, key: string): Promise<boolean>
  /** Lists the keys of the user's devices. */
  list(user: string): Promise<readonly PolicyDevice[]>
  /**
   * Lists the user's devices with the time since which they are known, the latest first, for showing them to the owner. Also those that
   * have stored a draft only: the owner must be able to remove them.
   */
  describe(user: string): Promise<readonly { key: string; since: number }[]>
  /** Returns the key of the device that created an enrolment. */
  findByEnrolment(user: string, setId: Uint8Array): Promise<string | undefined>
  /** Forgets the device and the link that approved it, and refuses its requests for three days. Idempotent. */
  revoke(user: string, key: string): Promise<void>
  /**
   * Forgets a device that its owner removed at the auth service, with its approvals from before the removal. A later approval
   * by the contact makes it a new device. Its enrolment stays: the auth service alone must not delete it. Idempotent.
   *
   * @param removedAt milliseconds since the epoch
   */
  forgetRemoved(device: { user: string; key: string }, removedAt: number): Promise<void>
  /** Deletes devices that were not used for ninety days. */
  sweep(): Promise<void>
}

const dayMs = 24 * 60 * 60_000
const unseenMs = 90 * dayMs
const useRecordedMs = 60 * 60_000
const maxListed = 100

/** Creates the devices of the share store. */
export function createDevices({ database, clock }: { database: Kysely<unknown>; clock: Clock }): Devices {
  return {
    async record(user, key, { isFounder }, transaction = database) {
      const now = clock.now()
      await sql`
        insert into share_device (user_id, key_thumbprint, since, seen_at, founder)
        values (${user}, ${key}, ${now}, ${now}, ${isFounder})
        on conflict (user_id, key_thumbprint) do update set seen_at = excluded.seen_at`.execute(transaction)
    },
    async recordUse(user, key) {
      const now = clock.now()
      // Without the limit, each request would wait for a write.
      const { rows } = await sql`
        with used as (
          update share_device set seen_at = ${now}
          where user_id = ${user} and key_thumbprint = ${key} and seen_at <= ${now - useRecordedMs})
        select from share_device where user_id = ${user} and key_thumbprint = ${key}`.execute(database)
      return rows.length > 0
    },
    async isEstablishedDevice(user, key) {
      const { rows } = await sql`
        select from share_device
        where user_id = ${user} and key_thumbprint = ${key} and ${isEstablished(clock.now())}`.execute(database)
      return rows.length > 0
    },
    async list(user) {
      const { rows } = await sql<PolicyDevice>`
        select key_thumbprint as key, ${isEstablished(clock.now())} as "isEstablished" from share_device
        where user_id = ${user} order by seen_at desc limit ${maxListed}`.execute(database)
      return rows
    },
    describe: (user) => describeDevices(database, user),
    async findByEnrolment(user, setId) {
      const { rows } = await sql<{ key: string }>`
        select key_thumbprint as key from share_set
        where user_id = ${user} and set_id = ${Buffer.from(setId)}`.execute(database)
      return rows[0]?.key
    },
    async revoke(user, key) {
      await sql`delete from share_device where user_id = ${user} and key_thumbprint = ${key}`.execute(database)
      await sql`
        update share_link set approved_at = 0
        where key_thumbprint = ${key} and approved_at is not null`.execute(database)
      // Otherwise a wait that is over already would admit the device again at once.
      await sql`
        update share_device_request set created_at = ${clock.now()}, approved_at = null, stopped_at = ${clock.now()}
        where user_id = ${user} and key_thumbprint = ${key}`.execute(database)
    },
    forgetRemoved: (device, removedAt) => forgetRemovedDevice(database, device, removedAt),
    async sweep() {
      // The last use can be later than the recorded one.
      const forgottenBefore = clock.now() - unseenMs - useRecordedMs
      await sql`delete from share_device where seen_at <= ${forgottenBefore}`.execute(database)
    },
  }
}

/** The condition on `share_device` that a device created the wallet or has been known for a day. */
export function isEstablished(now: number): RawBuilder<unknown> {
  return sql`(share_device.founder or share_device.since <= ${now - dayMs})`
}

async function describeDevices(
  database: Kysely<unknown>,
  user: string,
): Promise<readonly { key: string; since: number }[]> {
  const { rows } = await sql<{ key: string; since: number }>`
    select key, min(since) as since from (
      select key_thumbprint as key, since from share_device where user_id = ${user}
      union all select key_thumbprint, created_at from share_set where user_id = ${user} and live_at is null
    ) as devices group by key order by since desc, key limit ${maxListed}`.execute(database)
  return rows
}

async function forgetRemovedDevice(
  database: Kysely<unknown>,
  { user, key }: { user: string; key: string },
  removedAt: number,
): Promise<void> {
  const isOfDevice = sql`user_id = ${user} and key_thumbprint = ${key}`
  await sql`delete from share_device where ${isOfDevice} and since <= ${removedAt}`.execute(database)
  await sql`delete from share_identity where ${isOfDevice} and approved_at <= ${removedAt}`.execute(database)
  await sql`
    update share_link set approved_at = 0
    where key_thumbprint = ${key} and approved_at between 1 and ${removedAt}`.execute(database)
  await sql`
    update share_device_request set created_at = ${removedAt}, approved_at = null, stopped_at = ${removedAt}
    where ${isOfDevice} and created_at < ${removedAt}`.execute(database)
}
