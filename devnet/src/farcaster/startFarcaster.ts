import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseForm } from '../identity/sendJson.ts'
import { openSite } from '../sites/sites.ts'
import { createChannelRelay, type ChannelRelay } from './channelRelay.ts'
import { farcasterPeople, type FarcasterPerson } from './farcasterPeople.ts'
import { farcasterPageHeaders, farcasterResultPage, farcasterConsentPage } from './farcasterPage.ts'
import { deployRegistries } from './deployRegistries.ts'
import { signFarcasterSignIn, type FarcasterSignInRequest } from './farcasterSignIn.ts'

/** Farcaster in the local world: the registries on a chain, the app in which users approve logins, and its relay. */
export type LocalFarcaster = {
  /** The value of `FARCASTER_RELAY_URL` for a server. */
  readonly relayUrl: string
  /** The value of `FARCASTER_RPC_URL` for a server. */
  readonly rpcUrl: string
  readonly people: readonly FarcasterPerson[]
  close(): Promise<void>
}

/**
 * Deploys Farcaster's registries with two accounts on a local chain, and starts a stand-in for its app, which signs
 * with the key of the chosen account, and for the relay, which no service of the wallet runs.
 *
 * @throws Error if the chain is not a development chain, or the port is in use
 * @example const farcaster = await startFarcaster({ rpcUrl: anvil.rpcUrl })
 */
export async function startFarcaster({ rpcUrl, port = 0 }: { rpcUrl: string; port?: number }): Promise<LocalFarcaster> {
  const people = farcasterPeople()
  await deployRegistries(rpcUrl, people)
  const site = await openSite(port)
  const relay = createChannelRelay(() => `${site.url}/approve`)
  site.respond((request, response) => {
    serveFarcaster(request, response, { people, relay }).catch(() => {
      if (!response.headersSent) sendPage(response, 502, farcasterResultPage(false))
    })
  })
  return { relayUrl: site.url, rpcUrl, people, close: site.close }
}

async function serveFarcaster(
  request: IncomingMessage,
  response: ServerResponse,
  { people, relay }: { people: readonly FarcasterPerson[]; relay: ChannelRelay },
): Promise<void> {
  if (await relay.handle(request, response)) return
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
  const token = searchParams.get('channelToken') ?? ''
  const requested = pathname === '/approve' ? findRequest(relay, token) : undefined
  if (requested === undefined) return sendPage(response, 404, farcasterResultPage(false))
  if (request.method !== 'POST') return sendPage(response, 200, farcasterConsentPage(requested.domain, people))
  const fid = (await parseForm(request)).get('fid')
  const person = people.find((each) => String(each.fid) === fid)
  if (person === undefined) return sendPage(response, 400, farcasterResultPage(false))
  const isAccepted = relay.respond(token, { ...(await sign(requested, person)) })
  sendPage(response, isAccepted ? 200 : 502, farcasterResultPage(isAccepted))
}

/** Only sites of this machine are accepted. */
function findRequest(relay: ChannelRelay, token: string): FarcasterSignInRequest | undefined {
  const requested = relay.find(token)
  if (requested === undefined) return undefined
  const { hostname } = new URL(requested.siweUri)
  const isHere = ['127.0.0.1', 'localhost'].includes(hostname) || hostname.endsWith('.localhost')
  return isHere ? requested : undefined
}

async function sign(requested: FarcasterSignInRequest, person: FarcasterPerson) {
  const { fid, userName, displayName, custody } = person
  const signed = await signFarcasterSignIn(requested, { fid, signer: custody })
  const profile = { username: userName, displayName, bio: '', pfpUrl: '' }
  return { ...signed, authMethod: 'custody', fid: Number(fid), ...profile }
}

function sendPage(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, farcasterPageHeaders)
  response.end(page)
}
