import type { IncomingMessage, ServerResponse } from 'node:http'
import { isOurCallback, readForm, redirect, sendJson } from './answers.ts'
import { consentHeaders, consentPage } from './consentPage.ts'
import { readDecision, type Person } from './people.ts'
import { challengeOf, newToken, type StandIn } from './standIns.ts'

/** A stand-in that answers. */
export type OAuthProvider = {
  readonly name: StandIn['name']
  /** What a server is told of it. */
  readonly settings: Readonly<Record<string, string>>
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
}

export type OAuthOptions = { standIn: StandIn; origin: string; clientId: string; clientSecret: string }

type Grant = { person: Person; scope: string; redirectUri: string; challenge: string }

/** Sets up a stand-in under `/{name}/`. Codes are good once, for who asked for them. */
export function createOAuthProvider({ standIn, origin, clientId, clientSecret }: OAuthOptions): OAuthProvider {
  const { name, title, paths, told } = standIn
  const codes = new Map<string, Grant>()
  const tokens = new Map<string, Grant>()

  async function authorize(request: IncomingMessage, response: ServerResponse, asked: URLSearchParams): Promise<void> {
    const redirectUri = asked.get('redirect_uri') ?? ''
    const [scope, challenge] = [asked.get('scope') ?? '', asked.get('code_challenge') ?? '']
    const isClient = asked.get('client_id') === clientId && asked.get('response_type') === 'code'
    const isProven = challenge !== '' && asked.get('code_challenge_method') === 'S256'
    if (!isClient || !isProven || !isOurCallback(redirectUri, name)) {
      return sendJson(response, 400, { error: 'invalid_request' })
    }
    if (request.method !== 'POST') {
      response.writeHead(200, consentHeaders)
      response.end(consentPage({ provider: title, client: clientId, scope }))
      return
    }
    const person = readDecision(await readForm(request))
    const back = new URL(redirectUri)
    back.searchParams.set('state', asked.get('state') ?? '')
    if (person === undefined) {
      back.searchParams.set('error', 'access_denied')
      return redirect(response, back)
    }
    const code = newToken()
    codes.set(code, { person, scope, redirectUri, challenge })
    back.searchParams.set('code', code)
    redirect(response, back)
  }

  async function trade(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await readForm(request)
    const code = form.get('code') ?? ''
    const grant = codes.get(code)
    codes.delete(code)
    const isClient = standIn.secretIn === 'header' ? isInHeader(request) : isInBody(form)
    const isMeant = form.get('grant_type') === 'authorization_code' && form.get('redirect_uri') === grant?.redirectUri
    const isProven = challengeOf(form.get('code_verifier') ?? '') === grant?.challenge
    if (!isClient) return sendJson(response, 401, { error: 'invalid_client' })
    if (grant === undefined || !isMeant || !isProven) {
      return sendJson(response, standIn.refusal.status, standIn.refusal.body)
    }
    const token = newToken()
    tokens.set(token, grant)
    sendJson(response, 200, standIn.tokens(token, grant.scope))
  }

  const isInBody = (form: URLSearchParams): boolean =>
    form.get('client_id') === clientId && form.get('client_secret') === clientSecret
  const isInHeader = ({ headers }: IncomingMessage): boolean =>
    headers.authorization === `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

  function tell({ headers }: IncomingMessage, response: ServerResponse, path: string): void {
    const grant = tokens.get((headers.authorization ?? '').replace(/^bearer /i, ''))
    if (grant === undefined) return sendJson(response, 401, { message: 'Bad credentials' })
    const answer = told[path]
    if (answer === undefined) return sendJson(response, 404, { message: 'Not Found' })
    sendJson(response, 200, answer(grant.person, grant.scope))
  }

  const base = `${origin}/${name}`
  const [userPath = '', emailsPath] = Object.keys(told)
  return {
    name,
    settings: {
      clientId,
      clientSecret,
      authorizationUrl: base + paths.authorize,
      tokenUrl: base + paths.token,
      userUrl: base + userPath,
      ...(emailsPath !== undefined && { emailsUrl: base + emailsPath }),
    },
    async handle(request, response) {
      const { pathname, searchParams } = new URL(request.url ?? '', origin)
      const path = pathname.slice(name.length + 1)
      if (path === paths.authorize) return authorize(request, response, searchParams)
      if (path === paths.token && request.method === 'POST') return trade(request, response)
      tell(request, response, path)
    },
  }
}
