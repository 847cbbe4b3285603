import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Secrets } from '../../kit/secrets/secrets.ts'
import { createMonotonicClock } from '../../custody/createMonotonicClock.ts'
import { isUuid } from '../../custody/isUuid.ts'
import type { FarcasterCheck } from '../../custody/identity/farcasterCheck.ts'
import { loginOver } from '../social/loginOver.ts'
import type { RemoteChannels } from './remoteChannels.ts'

/** The account of a completed login, and its signed message, which the share store verifies again. */
export type FarcasterAccount = {
  readonly fid: bigint
  /** As the application reports it. It is not verified. */
  readonly userName: string
  readonly signed: { readonly message: string; readonly signature: string }
}

/** Logins with a Farcaster account. Each is for one frame, lasts ten minutes, and can be redeemed once. */
export type FarcasterLogins = {
  /** @param requester the frame's key, and the nonce that the frame computed from its key and random bytes */
  begin(requester: { key: string; nonce: string }): Promise<{ id: string; url: string }>
  /**
   * @returns undefined until the login is approved
   * @throws Problem 404 `id` if the login is over, used, or belongs to another frame; 401 `identity` if the proof is invalid;
   *   503 `chain`, 502 `provider`, after which the request can be repeated
   */
  redeem(id: string, key: string): Promise<FarcasterAccount | undefined>
  sweep(): Promise<void>
}

const lifetimeMs = 10 * 60_000
const displayableName = /^[a-z0-9][a-z0-9.-]{0,63}$/

export type FarcasterLoginsDependencies = {
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  /** The channels of our own relay or of another one. */
  channels: RemoteChannels
  check: FarcasterCheck
  /** The domain that messages name. */
  domain(): string
  /** The base URL of the service. */
  url(): string
}

const channelLocation = (id: string) => ({ table: 'auth_farcaster', row: id, owner: 'service' })

export function createFarcasterLogins(dependencies: FarcasterLoginsDependencies): FarcasterLogins {
  const { database, secrets, channels, check, domain, url } = dependencies
  const clock = createMonotonicClock(dependencies.clock)

  async function findPending(id: string, key: string): Promise<{ nonce: string; token: string }> {
    if (!isUuid(id)) throw loginOver()
    const { rows } = await sql<{ nonce: string; channel: Buffer }>`
      select nonce, channel from auth_farcaster
      where id = ${id} and key_thumbprint = ${key} and redeemed_at is null and expires_at > ${clock.now()}`.execute(
      database,
    )
    const [row] = rows
    if (row === undefined) throw loginOver()
    return { nonce: row.nonce, token: (await secrets.open(channelLocation(id), row.channel)).toString() }
  }

  /** Of two concurrent requests, one succeeds. */
  async function markRedeemed(id: string): Promise<void> {
    const { rows } = await sql`
      update auth_farcaster set redeemed_at = ${clock.now()} where id = ${id} and redeemed_at is null
      returning id`.execute(database)
    if (rows.length === 0) throw loginOver()
  }

  return {
    async begin({ key, nonce }) {
      const id = randomUUID()
      const host = domain()
      const siweUri = new URL(url()).host === host ? url() : `https://${host}`
      const channel = await channels.open({ siweUri, domain: host, nonce, requestId: id, acceptAuthAddress: true })
      const token = await secrets.seal(channelLocation(id), Buffer.from(channel.token))
      await sql`
        insert into auth_farcaster (id, key_thumbprint, nonce, channel, expires_at)
        values (${id}, ${key}, ${nonce}, ${token}, ${clock.now() + lifetimeMs})`.execute(database)
      return { id, url: channel.url }
    },
    async redeem(id, key) {
      const { nonce, token } = await findPending(id, key)
      const response = (await channels.find(token))?.response
      if (response === undefined) return undefined
      const { message, signature, username = '' } = response
      const { fid } = await check({ message, signature, nonce })
      await markRedeemed(id)
      const userName = displayableName.test(username) ? username : String(fid)
      return { fid, userName, signed: { message, signature } }
    },
    async sweep() {
      await sql`delete from auth_farcaster where expires_at <= ${clock.now()}`.execute(database)
    },
  }
}
