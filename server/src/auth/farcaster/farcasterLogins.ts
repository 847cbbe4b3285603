import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import { Problem } from '../../kit/problem.ts'
import type { Secrets } from '../../kit/secrets.ts'
import { monotonic } from '../monotonic.ts'
import type { FarcasterCheck } from './check.ts'
import type { RemoteChannels } from './remoteChannels.ts'

/** Whose account it was, and what it signed, for the share store to check again. */
export type FarcasterPerson = {
  readonly fid: bigint
  /** As the application says; nobody checked it. */
  readonly userName: string
  readonly signed: { readonly message: string; readonly signature: string }
}

/** Logins by a Farcaster account: each for one frame, ten minutes, once. */
export type FarcasterLogins = {
  /** @param nonce made by the frame, of its key and random bytes: letters and digits */
  begin(asker: { key: string; nonce: string }): Promise<{ id: string; url: string }>
  /**
   * @returns undefined while nobody has allowed it
   * @throws Problem 404 `id` when it is over, used, or of another frame; 401 `identity` when what came proves nothing;
   *   503 `chain`, 502 `provider`, after which it may be asked again
   */
  redeem(id: string, key: string): Promise<FarcasterPerson | undefined>
  sweep(): Promise<void>
}

const lifetime = 10 * 60_000
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const ordinaryName = /^[a-z0-9][a-z0-9.-]{0,63}$/

export type FarcasterLoginsParts = {
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  /** Of our own relay, or of another. */
  channels: RemoteChannels
  check: FarcasterCheck
  /** Whom messages are for. */
  domain(): string
  /** Where the service is reached. */
  url(): string
}

const placeOf = (id: string) => ({ table: 'auth_farcaster', row: id, owner: 'service' })

export function createFarcasterLogins(parts: FarcasterLoginsParts): FarcasterLogins {
  const { database, secrets, channels, check, domain, url } = parts
  const clock = monotonic(parts.clock)

  async function find(id: string, key: string): Promise<{ nonce: string; token: string }> {
    if (!uuid.test(id)) throw isOver()
    const { rows } = await sql<{ nonce: string; channel: Buffer }>`
      select nonce, channel from auth_farcaster
      where id = ${id} and key_thumbprint = ${key} and redeemed_at is null and expires_at > ${clock.now()}`.execute(
      database,
    )
    const [row] = rows
    if (row === undefined) throw isOver()
    return { nonce: row.nonce, token: (await secrets.open(placeOf(id), row.channel)).toString() }
  }

  /** Two tabs may ask at once: one gets it. */
  async function spend(id: string): Promise<void> {
    const { rows } = await sql`
      update auth_farcaster set redeemed_at = ${clock.now()} where id = ${id} and redeemed_at is null
      returning id`.execute(database)
    if (rows.length === 0) throw isOver()
  }

  return {
    async begin({ key, nonce }) {
      const id = randomUUID()
      const host = domain()
      const siweUri = new URL(url()).host === host ? url() : `https://${host}`
      const channel = await channels.open({ siweUri, domain: host, nonce, requestId: id, acceptAuthAddress: true })
      const token = await secrets.seal(placeOf(id), Buffer.from(channel.token))
      await sql`
        insert into auth_farcaster (id, key_thumbprint, nonce, channel, expires_at)
        values (${id}, ${key}, ${nonce}, ${token}, ${clock.now() + lifetime})`.execute(database)
      return { id, url: channel.url }
    },
    async redeem(id, key) {
      const { nonce, token } = await find(id, key)
      const answer = (await channels.look(token))?.answer
      if (answer === undefined) return undefined
      const { message, signature, username = '' } = answer
      const { fid } = await check({ message, signature, nonce })
      await spend(id)
      const userName = ordinaryName.test(username) ? username : String(fid)
      return { fid, userName, signed: { message, signature } }
    },
    async sweep() {
      await sql`delete from auth_farcaster where expires_at <= ${clock.now()}`.execute(database)
    },
  }
}

function isOver(): Problem {
  return new Problem(404, 'id', 'This login is over. Begin again.')
}
