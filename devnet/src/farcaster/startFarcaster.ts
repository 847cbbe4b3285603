import type { IncomingMessage, ServerResponse } from 'node:http'
import { readForm } from '../identity/answers.ts'
import { openSite } from '../sites.ts'
import { farcasterPeople, type FarcasterPerson } from './accounts.ts'
import { appHeaders, approvedPage, askPage } from './appPage.ts'
import { placeRegistries } from './registries.ts'
import { signIn, type SignInAsked } from './siwf.ts'

/** Farcaster in the local world: its registries on a chain, and the application that people allow logins in. */
export type LocalFarcaster = {
  /** What a server is told in `FARCASTER_APP_URL`. */
  readonly appUrl: string
  /** What a server is told in `FARCASTER_RPC_URL`. */
  readonly rpcUrl: string
  readonly people: readonly FarcasterPerson[]
  close(): Promise<void>
}

/**
 * Puts Farcaster's registries on a local chain, with two accounts, and opens a stand-in of its application, which signs
 * with the key of the account that one chooses.
 *
 * @throws Error when the chain is not a development chain, or the port is taken
 * @example const farcaster = await startFarcaster({ rpcUrl: anvil.rpcUrl })
 */
export async function startFarcaster({ rpcUrl, port = 0 }: { rpcUrl: string; port?: number }): Promise<LocalFarcaster> {
  const people = farcasterPeople()
  await placeRegistries(rpcUrl, people)
  const site = await openSite(port)
  site.answer((request, response) => {
    answer(request, response, people).catch(() => {
      if (!response.headersSent) send(response, 502, approvedPage(false))
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
  if (pathname !== '/approve' || asked === undefined) return send(response, 404, approvedPage(false))
  if (request.method !== 'POST') return send(response, 200, askPage(asked.domain, people))
  const fid = (await readForm(request)).get('fid')
  const person = people.find((each) => String(each.fid) === fid)
  if (person === undefined) return send(response, 400, approvedPage(false))
  const isTaken = await approve(asked, person)
  send(response, isTaken ? 200 : 502, approvedPage(isTaken))
}

type Asked = SignInAsked & { channelToken: string }

/** What the link says; channels of this machine only. */
function readAsked(query: URLSearchParams): Asked | undefined {
  const [channelToken, domain, siweUri, nonce] = ['channelToken', 'domain', 'siweUri', 'nonce'].map(
    (name) => query.get(name) ?? '',
  )
  if (!channelToken || !domain || !nonce || siweUri === undefined || !URL.canParse(siweUri)) return undefined
  const isHere = ['127.0.0.1', 'localhost'].includes(new URL(siweUri).hostname)
  return isHere ? { channelToken, domain, siweUri, nonce } : undefined
}

/** Signs, and brings it to the channel. Here the relay is where the login is. */
async function approve(asked: Asked, person: FarcasterPerson): Promise<boolean> {
  const { fid, userName, displayName, custody } = person
  const signed = await signIn(asked, { fid, signer: custody })
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

function send(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, appHeaders)
  response.end(page)
}
