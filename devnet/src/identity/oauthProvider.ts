import type { IncomingMessage, ServerResponse } from 'node:http'
import { isOurCallback, parseForm, redirect, sendJson } from './sendJson.ts'
import { consentHeaders, consentPage } from './consentPage.ts'
import { readDecision, type Person } from './people.ts'
import { challengeOf, newToken, type OAuthStandIn } from './standIns.ts'

/** An OAuth 2.0 provider that behaves like one of the public ones. */
export type OAuthProvider = {
  readonly name: OAuthStandIn['name']
  /** The configuration that a server needs to use it. */
  readonly settings: Readonly<Record<string, string>>
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
}

export type OAuthOptions = { standIn: OAuthStandIn; origin: string; clientId: string; clientSecret: string }

type Grant = { person: Person; scope: string; redirectUri: string; challenge: string }

/** The codes and access tokens that a provider has issued. A code is valid once. */
type Grants = { readonly codes: Map<string, Grant>; readonly tokens: Map<string, Grant> }

/** Creates a provider under `/{name}/`. */
export function createOAuthProvider(options: OAuthOptions): OAuthProvider {
  const { standIn, origin, clientId, clientSecret } = options
  const { name, paths, profiles } = standIn
  const grants: Grants = { codes: new Map(), tokens: new Map() }
  const base = `${origin}/${name}`
  const [userPath = '', emailsPath] = Object.keys(profiles)
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
      if (path === paths.authorize) return authorize(options, grants, request, response, searchParams)
      if (path === paths.token && request.method === 'POST') return exchangeCode(options, grants, request, response)
      sendUserInfo(standIn, grants, request, response, path)
    },
  }
}

async function authorize(
  { standIn: { name, title }, clientId }: OAuthOptions,
  { codes }: Grants,
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
): Promise<void> {
  const redirectUri = query.get('redirect_uri') ?? ''
  const [scope, challenge] = [query.get('scope') ?? '', query.get('code_challenge') ?? '']
  const isClient = query.get('client_id') === clientId && query.get('response_type') === 'code'
  const usesPkce = challenge !== '' && query.get('code_challenge_method') === 'S256'
  if (!isClient || !usesPkce || !isOurCallback(redirectUri, name)) {
    return sendJson(response, 400, { error: 'invalid_request' })
  }
  if (request.method !== 'POST') {
    response.writeHead(200, consentHeaders)
    response.end(consentPage({ provider: title, client: clientId, scope }))
    return
  }
  const person = readDecision(await parseForm(request))
  const callback = new URL(redirectUri)
  callback.searchParams.set('state', query.get('state') ?? '')
  if (person === undefined) {
    callback.searchParams.set('error', 'access_denied')
    return redirect(response, callback)
  }
  const code = newToken()
  codes.set(code, { person, scope, redirectUri, challenge })
  callback.searchParams.set('code', code)
  redirect(response, callback)
}

async function exchangeCode(
  options: OAuthOptions,
  { codes, tokens }: Grants,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { standIn } = options
  const form = await parseForm(request)
  const code = form.get('code') ?? ''
  const grant = codes.get(code)
  codes.delete(code)
  if (!isClientAuthenticated(options, request, form)) return sendJson(response, 401, { error: 'invalid_client' })
  const isMatching = form.get('grant_type') === 'authorization_code' && form.get('redirect_uri') === grant?.redirectUri
  const isVerified = challengeOf(form.get('code_verifier') ?? '') === grant?.challenge
  if (grant === undefined || !isMatching || !isVerified) {
    return sendJson(response, standIn.refusal.status, standIn.refusal.body)
  }
  const token = newToken()
  tokens.set(token, grant)
  sendJson(response, 200, standIn.tokens(token, grant.scope))
}

function isClientAuthenticated(
  { standIn, clientId, clientSecret }: OAuthOptions,
  { headers }: IncomingMessage,
  form: URLSearchParams,
): boolean {
  if (standIn.secretIn !== 'header') {
    return form.get('client_id') === clientId && form.get('client_secret') === clientSecret
  }
  return headers.authorization === `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
}

function sendUserInfo(
  { profiles }: OAuthStandIn,
  { tokens }: Grants,
  { headers }: IncomingMessage,
  response: ServerResponse,
  path: string,
): void {
  const grant = tokens.get((headers.authorization ?? '').replace(/^bearer /i, ''))
  if (grant === undefined) return sendJson(response, 401, { message: 'Bad credentials' })
  const userInfo = profiles[path]
  if (userInfo === undefined) return sendJson(response, 404, { message: 'Not Found' })
  sendJson(response, 200, userInfo(grant.person, grant.scope))
}
