import { z } from 'zod'
import { Problem } from '../../kit/problem.ts'
import type { ChannelAnswer, Channels } from './channels.ts'

/** Channels of a relay elsewhere, as far as a login needs them. */
export type RemoteChannels = {
  open: Channels['open']
  look(token: string): Promise<{ answer: ChannelAnswer | undefined } | undefined>
}

const patienceMs = 5_000
const mostBytes = 64 * 1_024

const text = z.string().max(4_096)
const opened = z.object({ channelToken: text.min(1), url: z.url({ protocol: /^https?$/ }).max(4_096), nonce: text })
const status = z.discriminatedUnion('state', [
  z.object({ state: z.literal('pending') }),
  z.object({
    state: z.literal('completed'),
    message: text,
    signature: text,
    fid: z.number(),
    username: text.optional(),
  }),
])

/**
 * Speaks with another relay of Sign In With Farcaster: the applications of the public network know that one only. What comes
 * from it is checked like everything else, on the chain.
 *
 * @param relayUrl without a slash at its end
 */
export function createRemoteChannels(relayUrl: string): RemoteChannels {
  async function ask(path: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
    try {
      const response = await fetch(`${relayUrl}/v1/channel${path}`, {
        ...init,
        redirect: 'error',
        signal: AbortSignal.timeout(patienceMs),
      })
      const body = await response.text()
      if (body.length > mostBytes) throw new Error('The relay said too much.')
      return { status: response.status, body: JSON.parse(body) }
    } catch (cause) {
      throw away(cause)
    }
  }

  return {
    async open(asked) {
      const headers = { 'content-type': 'application/json' }
      const { body } = await ask('', { method: 'POST', headers, body: JSON.stringify(asked) })
      const { data } = opened.safeParse(body)
      // Another nonce would be another login's.
      if (data === undefined || data.nonce !== asked.nonce) throw away()
      return { token: data.channelToken, url: data.url }
    },
    async look(token) {
      const { status: code, body } = await ask('/status', { headers: { authorization: `Bearer ${token}` } })
      if (code === 401 || code === 404) return undefined
      const { data } = status.safeParse(body)
      if (data === undefined) throw away()
      return { answer: data.state === 'completed' ? data : undefined }
    },
  }
}

function away(cause?: unknown): Problem {
  return new Problem(502, 'provider', 'Farcaster does not answer. Try again in a moment, or log in another way.', {
    cause,
  })
}
