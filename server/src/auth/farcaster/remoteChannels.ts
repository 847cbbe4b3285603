import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Problem } from '../../kit/http/problem.ts'
import type { ChannelResponse, Channels } from './channels.ts'

/** The channels of a relay, as far as a login needs them. */
export type RemoteChannels = {
  open: Channels['open']
  find(token: string): Promise<{ response: ChannelResponse | undefined } | undefined>
}

const timeoutMs = 5_000
const maxBytes = 64 * 1_024

const text = Type.String({ maxLength: 4_096 })
const openResponse = Type.Object({
  channelToken: Type.String({ minLength: 1, maxLength: 4_096 }),
  url: Type.String({ maxLength: 4_096, pattern: '^https?://' }),
  nonce: text,
})
const statusResponse = Type.Union([
  Type.Object({ state: Type.Literal('pending') }),
  Type.Object({
    state: Type.Literal('completed'),
    message: text,
    signature: text,
    fid: Type.Number(),
    username: Type.Optional(text),
  }),
])

/**
 * Creates a client of another relay of Sign In With Farcaster, because the applications of the public network use that relay
 * only. Its responses are verified on the chain like all others.
 *
 * @param relayUrl without a trailing slash
 */
export function createRemoteChannels(relayUrl: string): RemoteChannels {
  async function request(path: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
    try {
      const response = await fetch(`${relayUrl}/v1/channel${path}`, {
        ...init,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const body = await response.text()
      if (body.length > maxBytes) throw new Error('The response of the relay is too long.')
      return { status: response.status, body: JSON.parse(body) }
    } catch (cause) {
      throw relayUnavailable(cause)
    }
  }

  return {
    async open(channelRequest) {
      const headers = { 'content-type': 'application/json' }
      const { body } = await request('', { method: 'POST', headers, body: JSON.stringify(channelRequest) })
      const data = parseResponse(openResponse, body)
      // A different nonce would belong to another login.
      if (data === undefined || !URL.canParse(data.url) || data.nonce !== channelRequest.nonce) throw relayUnavailable()
      return { token: data.channelToken, url: data.url }
    },
    async find(token) {
      const { status: code, body } = await request('/status', { headers: { authorization: `Bearer ${token}` } })
      if (code === 401 || code === 404) return undefined
      const data = parseResponse(statusResponse, body)
      if (data === undefined) throw relayUnavailable()
      return { response: data.state === 'completed' ? data : undefined }
    },
  }
}

/** Unknown fields of the relay are dropped. */
function parseResponse<schema extends TSchema>(schema: schema, body: unknown): Static<schema> | undefined {
  const cleaned = Value.Clean(schema, body)
  return Value.Check(schema, cleaned) ? cleaned : undefined
}

function relayUnavailable(cause?: unknown): Problem {
  return new Problem(502, 'provider', 'Farcaster can’t be reached. Try again in a moment, or log in another way.', {
    cause,
  })
}
