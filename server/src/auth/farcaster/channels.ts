import { createHash, randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import { monotonic } from '../monotonic.ts'

/** What whoever opens a channel wants signed. */
export type ChannelAsked = {
  readonly siweUri: string
  readonly domain: string
  readonly nonce: string
  readonly notBefore?: string
  readonly expirationTime?: string
  readonly requestId?: string
  readonly redirectUrl?: string
  readonly acceptAuthAddress: boolean
}

/** What a Farcaster application brought. Nothing of it was checked: that is for whoever asked. */
export type ChannelAnswer = {
  readonly message: string
  readonly signature: string
  readonly fid: number
  readonly username?: string
  readonly displayName?: string
  readonly bio?: string
  readonly pfpUrl?: string
  readonly authMethod?: string
}

export type Channel = { readonly asked: ChannelAsked; readonly url: string; readonly answer: ChannelAnswer | undefined }

/** Channels between who wants somebody's signature and his Farcaster application: ten minutes, one answer. */
export type Channels = {
  /** @returns the token that the channel is known by, and the link that the application is opened by */
  open(asked: ChannelAsked): Promise<{ token: string; url: string }>
  look(token: string): Promise<Channel | undefined>
  /** Brings the answer. @returns false when the channel is over, or has one already */
  answer(token: string, answer: ChannelAnswer): Promise<boolean>
  sweep(): Promise<void>
}

const lifetime = 10 * 60_000
const longestToken = 64

export type ChannelsParts = { database: Kysely<unknown>; clock: Clock; appUrl: string }

export function createChannels({ database, appUrl, ...parts }: ChannelsParts): Channels {
  const clock = monotonic(parts.clock)
  return {
    async open(asked) {
      const token = randomBytes(24).toString('base64url')
      const now = clock.now()
      await sql`
        insert into auth_channel (token, asked, expires_at)
        values (${digest(token)}, ${JSON.stringify(asked)}, ${now + lifetime})`.execute(database)
      return { token, url: linkOf(appUrl, token, asked) }
    },
    async look(token) {
      if (token.length > longestToken) return undefined
      const { rows } = await sql<{ asked: string; answer: string | null }>`
        select asked, answer from auth_channel
        where token = ${digest(token)} and expires_at > ${clock.now()}`.execute(database)
      const [row] = rows
      if (row === undefined) return undefined
      // We wrote both, of these very types.
      const asked = JSON.parse(row.asked) as ChannelAsked
      const answer = row.answer === null ? undefined : (JSON.parse(row.answer) as ChannelAnswer)
      return { asked, url: linkOf(appUrl, token, asked), answer }
    },
    async answer(token, answer) {
      if (token.length > longestToken) return false
      const { rows } = await sql`
        update auth_channel set answer = ${JSON.stringify(answer)}
        where token = ${digest(token)} and answer is null and expires_at > ${clock.now()}
        returning expires_at`.execute(database)
      return rows.length === 1
    },
    async sweep() {
      await sql`delete from auth_channel where expires_at <= ${clock.now()}`.execute(database)
    },
  }
}

/** The link of a QR code: the token is in it, and what is to be signed, as Farcaster's own relay writes it. */
function linkOf(appUrl: string, channelToken: string, { nonce, siweUri, domain }: ChannelAsked): string {
  const url = new URL(appUrl)
  for (const [name, value] of Object.entries({ channelToken, nonce, siweUri, domain }))
    url.searchParams.set(name, value)
  return url.href
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
