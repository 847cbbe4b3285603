import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../../kit/runtime/clock.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import { createMonotonicClock } from '../../custody/createMonotonicClock.ts'
import type { TableRow } from '../../schema/tableRow.ts'

/** The message that the creator of a channel wants signed. */
export type ChannelRequest = {
  readonly siweUri: string
  readonly domain: string
  readonly nonce: string
  readonly notBefore?: string
  readonly expirationTime?: string
  readonly requestId?: string
  readonly redirectUrl?: string
  readonly acceptAuthAddress: boolean
}

/** The response of a Farcaster application. It is not verified here; the creator of the channel verifies it. */
export type ChannelResponse = {
  readonly message: string
  readonly signature: string
  readonly fid: number
  readonly username?: string
  readonly displayName?: string
  readonly bio?: string
  readonly pfpUrl?: string
  readonly authMethod?: string
}

/** A channel, the link that opens the application, and the response once there is one. */
export type Channel = {
  readonly request: ChannelRequest
  readonly url: string
  readonly response: ChannelResponse | undefined
}

/** Channels that carry a request to a Farcaster application. Each lasts ten minutes and accepts one response. */
export type Channels = {
  /** @returns the token of the channel, and the link that opens the application */
  open(request: ChannelRequest): Promise<{ token: string; url: string }>
  find(token: string): Promise<Channel | undefined>
  /** Stores the response. @returns false if the channel is over or already has a response */
  respond(token: string, response: ChannelResponse): Promise<boolean>
  sweep(): Promise<void>
}

const lifetimeMs = 10 * 60_000
const maxTokenLength = 64

export type ChannelsOptions = { database: Kysely<unknown>; clock: Clock; appUrl: string }

export function createChannels({ database, appUrl, ...options }: ChannelsOptions): Channels {
  const clock = createMonotonicClock(options.clock)
  return {
    async open(request) {
      const token = randomBytes(24).toString('base64url')
      const now = clock.now()
      await sql`
        insert into auth_channel (token, request, expires_at)
        values (${sha256(token)}, ${JSON.stringify(request)}, ${now + lifetimeMs})`.execute(database)
      return { token, url: applicationUrl(appUrl, token, request) }
    },
    async find(token) {
      if (token.length > maxTokenLength) return undefined
      const { rows } = await sql<Pick<TableRow<'auth_channel'>, 'request' | 'response'>>`
        select request, response from auth_channel
        where token = ${sha256(token)} and expires_at > ${clock.now()}`.execute(database)
      const [row] = rows
      if (row === undefined) return undefined
      // Only this module writes the row, with values of these types.
      const request = JSON.parse(row.request) as ChannelRequest
      const response = row.response === null ? undefined : (JSON.parse(row.response) as ChannelResponse)
      return { request, url: applicationUrl(appUrl, token, request), response }
    },
    async respond(token, response) {
      if (token.length > maxTokenLength) return false
      const { rows } = await sql`
        update auth_channel set response = ${JSON.stringify(response)}
        where token = ${sha256(token)} and response is null and expires_at > ${clock.now()}
        returning expires_at`.execute(database)
      return rows.length === 1
    },
    async sweep() {
      await sql`delete from auth_channel where expires_at <= ${clock.now()}`.execute(database)
    },
  }
}

/** Formats the link of a channel as Farcaster's own relay does: with the token and the message to sign. */
function applicationUrl(appUrl: string, channelToken: string, { nonce, siweUri, domain }: ChannelRequest): string {
  const url = new URL(appUrl)
  for (const [name, value] of Object.entries({ channelToken, nonce, siweUri, domain }))
    url.searchParams.set(name, value)
  return url.href
}
