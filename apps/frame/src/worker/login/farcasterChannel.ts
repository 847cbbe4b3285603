import { isRecord } from '@latchkey/protocol'
import { ServiceRefusal } from '../../services/serviceRequest.ts'

/** The message that a Farcaster application signs (FIP-11). */
export type FarcasterMessageRequest = {
  /** URL of this site, which the message names. */
  readonly frameUrl: string
  readonly nonce: string
}

/** A signed message, and the user's name as the application reports it. */
export type SignedFarcasterMessage = {
  readonly message: string
  readonly signature: string
  readonly userName?: string
}

/** A channel that carries a request to a Farcaster application. The frame opens it itself, so no service chooses the nonce. */
export type FarcasterChannel = {
  /** Link that opens the application. */
  readonly url: string
  /**
   * Returns the signed message once there is one. The relay may return it only once.
   *
   * @throws ServiceRefusal 404 `login` if the channel has ended, 400 `nonce` if the message belongs to another login, 502 `provider`
   */
  poll(): Promise<SignedFarcasterMessage | undefined>
}

const timeoutMs = 10_000
const maxCharacters = 64 * 1_024

/**
 * Opens a channel at a relay of Sign In With Farcaster (`POST /v1/channel`, `GET /v1/channel/status`).
 *
 * @param relayUrl without a trailing slash. Neither key service may run the relay.
 * @throws ServiceRefusal 502 `provider` if the relay can't be reached, 400 `nonce` if its link belongs to another login
 * @example const channel = await openFarcasterChannel('https://relay.farcaster.xyz', { frameUrl, nonce })
 */
export async function openFarcasterChannel(
  relayUrl: string,
  { frameUrl, nonce }: FarcasterMessageRequest,
): Promise<FarcasterChannel> {
  const { host: domain, origin: siweUri } = new URL(frameUrl)
  const request = { siweUri, domain, nonce, acceptAuthAddress: true }
  const opened = await fetchRelay(relayUrl, '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  const { channelToken: token, url, nonce: opensFor } = opened.body
  if (typeof token !== 'string' || typeof url !== 'string') throw relayUnavailable()
  if (opensFor !== nonce || !isLinkOf(url, { token, siweUri, domain, nonce })) throw createOtherLoginRefusal()

  return {
    url,
    async poll() {
      const { status, body } = await fetchRelay(relayUrl, '/status', { headers: { authorization: `Bearer ${token}` } })
      if (status === 401 || status === 404) {
        throw new ServiceRefusal(404, 'login', 'This login has ended. Start again.')
      }
      const { state, message, signature, username } = body
      if (state === 'pending') return undefined
      if (typeof message !== 'string' || typeof signature !== 'string') throw relayUnavailable()
      if (!isMessageFor(message, { siweUri, domain, nonce })) throw createOtherLoginRefusal()
      return { message, signature, ...(typeof username === 'string' && { userName: username }) }
    },
  }
}

async function fetchRelay(
  relayUrl: string,
  path: string,
  init: RequestInit,
): Promise<{ status: number; body: Record<string, unknown> }> {
  try {
    const response = await fetch(`${relayUrl}/v1/channel${path}`, {
      ...init,
      redirect: 'error',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    const body: unknown = text.length > maxCharacters ? undefined : JSON.parse(text)
    if (isRecord(body)) return { status: response.status, body }
  } catch (cause) {
    throw relayUnavailable(cause)
  }
  throw relayUnavailable()
}

type ExpectedMessage = { readonly siweUri: string; readonly domain: string; readonly nonce: string }

/** The link names the channel. Some relays also write the fields of the message into it, which then have to be ours. */
function isLinkOf(link: string, { token, ...fields }: ExpectedMessage & { token: string }): boolean {
  if (!URL.canParse(link)) return false
  const { protocol, hostname, searchParams } = new URL(link)
  const isSecure = protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname))
  const areOurs = Object.entries(fields).every(([name, value]) => (searchParams.get(name) ?? value) === value)
  return isSecure && searchParams.get('channelToken') === token && areOurs
}

/** The services verify the whole message. This check keeps messages of other logins from them. */
function isMessageFor(message: string, { siweUri, domain, nonce }: ExpectedMessage): boolean {
  const lines = message.split('\n')
  const hasOnce = (name: string, value: string): boolean => {
    const found = lines.filter((line) => line.startsWith(`${name}: `))
    return found.length === 1 && found[0] === `${name}: ${value}`
  }
  return (
    lines[0] === `${domain} wants you to sign in with your Ethereum account:` &&
    hasOnce('URI', siweUri) &&
    hasOnce('Nonce', nonce)
  )
}

function relayUnavailable(cause?: unknown): ServiceRefusal {
  const refusal = new ServiceRefusal(
    502,
    'provider',
    'Farcaster can’t be reached. Try again in a moment, or log in another way.',
  )
  refusal.cause = cause
  return refusal
}

function createOtherLoginRefusal(): ServiceRefusal {
  return new ServiceRefusal(400, 'nonce', 'The relay returned the message of another login. Start again.')
}
