import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FarcasterSignInRequest } from './farcasterSignIn.ts'

/** The response of an application: the signed message, and what it says about the account. */
export type ChannelResponse = { readonly message: string; readonly signature: string } & Readonly<
  Record<string, unknown>
>

/** The relay of Sign In With Farcaster: channels that carry a request from a site to an application. */
export type ChannelRelay = {
  /** Handles the requests of sites, which may have any origin. @returns false for other paths */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /** Returns the message that a channel asks for. */
  find(token: string): FarcasterSignInRequest | undefined
  /** Stores the response of the application. @returns false if the channel is over or already has one */
  respond(token: string, response: ChannelResponse): boolean
}

type Channel = { readonly request: FarcasterSignInRequest; response?: ChannelResponse }

const maxChannels = 10_000
const maxBytes = 16 * 1_024
const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-allow-methods': 'GET, POST',
}

/**
 * Creates a relay in memory, with the HTTP interface of the public one. A completed channel is returned once, as there.
 *
 * @param appUrl returns the address of the application, which gets the token in its query
 */
export function createChannelRelay(appUrl: () => string): ChannelRelay {
  const channels = new Map<string, Channel>()

  function open(request: FarcasterSignInRequest): { channelToken: string; url: string; nonce: string } {
    const [oldest] = channels.keys()
    if (channels.size >= maxChannels && oldest !== undefined) channels.delete(oldest)
    const channelToken = randomBytes(24).toString('base64url')
    channels.set(channelToken, { request })
    return { channelToken, url: `${appUrl()}?${new URLSearchParams({ channelToken })}`, nonce: request.nonce }
  }

  function takeStatus(token: string): { status: number; body: object } {
    const channel = channels.get(token)
    if (channel === undefined) return { status: 401, body: { error: 'Unauthorized' } }
    const { request, response } = channel
    const details = { nonce: request.nonce, signatureParams: request }
    if (response === undefined) return { status: 202, body: { state: 'pending', ...details } }
    channels.delete(token)
    return { status: 200, body: { state: 'completed', ...details, ...response } }
  }

  return {
    async handle(request, response) {
      const { pathname } = new URL(request.url ?? '', 'http://localhost')
      const call = `${request.method} ${pathname}`
      if (!pathname.startsWith('/v1/channel')) return false
      if (request.method === 'OPTIONS') {
        response.writeHead(204, cors).end()
      } else if (call === 'POST /v1/channel') {
        const requested = parseRequest(await readJson(request))
        if (requested === undefined) send(response, 400, { error: 'Validation error' })
        else send(response, 201, open(requested))
      } else if (call === 'GET /v1/channel/status') {
        const { status, body } = takeStatus((request.headers.authorization ?? '').split(' ')[1] ?? '')
        send(response, status, body)
      } else {
        send(response, 404, { error: 'Not Found' })
      }
      return true
    },
    find: (token) => channels.get(token)?.request,
    respond(token, signed) {
      const channel = channels.get(token)
      if (channel === undefined || channel.response !== undefined) return false
      channel.response = signed
      return true
    },
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    ...cors,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(JSON.stringify(body))
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > maxBytes) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parseRequest(body: unknown): FarcasterSignInRequest | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { domain, siweUri, nonce } = body as Record<string, unknown>
  if (typeof domain !== 'string' || typeof siweUri !== 'string' || typeof nonce !== 'string') return undefined
  return URL.canParse(siweUri) && /^[a-zA-Z0-9]{8,}$/.test(nonce) ? { domain, siweUri, nonce } : undefined
}
