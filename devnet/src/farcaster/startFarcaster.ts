import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseForm } from '../identity/sendJson.ts'
import { openSite } from '../sites/sites.ts'
import { farcasterPeople, type FarcasterPerson } from './farcasterPeople.ts'
import { farcasterPageHeaders, farcasterResultPage, farcasterConsentPage } from './farcasterPage.ts'
import { deployRegistries } from './deployRegistries.ts'
import { signFarcasterSignIn, type FarcasterSignInRequest } from './farcasterSignIn.ts'

/** Farcaster in the local world: the registries on a chain, and the app in which users approve logins. */
export type LocalFarcaster = {
  /** The value of `FARCASTER_APP_URL` for a server. */
  readonly appUrl: string
  /** The value of `FARCASTER_RPC_URL` for a server. */
  readonly rpcUrl: string
  readonly people: readonly FarcasterPerson[]
  close(): Promise<void>
}

/**
 * Deploys Farcaster's registries with two accounts on a local chain, and starts a stand-in for its app, which signs
 * with the key of the chosen account.
 *
 * @throws Error if the chain is not a development chain, or the port is in use
 * @example const farcaster = await startFarcaster({ rpcUrl: anvil.rpcUrl })
 */
export async function startFarcaster({ rpcUrl, port = 0 }: { rpcUrl: string; port?: number }): Promise<LocalFarcaster> {
  const people = farcasterPeople()
  await deployRegistries(rpcUrl, people)
  const site = await openSite(port)
  site.answer((request, response) => {
    answer(request, response, people).catch(() => {
      if (!response.headersSent) sendPage(response, 502, farcasterResultPage(false))
    })
  })
  return { appUrl: `${site.url}/approve`, rpcUrl, people, close: site.close }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  people: readonly FarcasterPerson[],
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
  const asked = readAsked(searchParams)
  if (pathname !== '/approve' || asked === undefined) return sendPage(response, 404, farcasterResultPage(false))
  if (request.method !== 'POST') return sendPage(response, 200, farcasterConsentPage(asked.domain, people))
  const fid = (await parseForm(request)).get('fid')
  const person = people.find((each) => String(each.fid) === fid)
  if (person === undefined) return sendPage(response, 400, farcasterResultPage(false))
  const isTaken = await approve(asked, person)
  sendPage(response, isTaken ? 200 : 502, farcasterResultPage(isTaken))
}

type Asked = FarcasterSignInRequest & { channelToken: string }

/** Parses the link. Only channels of this machine are accepted. */
function readAsked(query: URLSearchParams): Asked | undefined {
  const [channelToken, domain, siweUri, nonce] = ['channelToken', 'domain', 'siweUri', 'nonce'].map(
    (name) => query.get(name) ?? '',
  )
  if (!channelToken || !domain || !nonce || siweUri === undefined || !URL.canParse(siweUri)) return undefined
  const isHere = ['127.0.0.1', 'localhost'].includes(new URL(siweUri).hostname)
  return isHere ? { channelToken, domain, siweUri, nonce } : undefined
}

/** Signs the message and sends it to the channel. */
async function approve(asked: Asked, person: FarcasterPerson): Promise<boolean> {
  const { fid, userName, displayName, custody } = person
  const signed = await signFarcasterSignIn(asked, { fid, signer: custody })
  const relay = new URL('/v1/channel/authenticate', asked.siweUri)
  const taken = await fetch(relay, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${asked.channelToken}` },
    body: JSON.stringify({
      ...signed,
      authMethod: 'custody',
      fid: Number(fid),
      username: userName,
      displayName,
      bio: '',
      pfpUrl: '',
    }),
  })
  return taken.ok
}

function sendPage(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, farcasterPageHeaders)
  response.end(page)
}
