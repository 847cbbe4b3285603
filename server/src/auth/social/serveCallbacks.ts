import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AuthorizationResponseError } from 'openid-client'
import { socialProviders, type SocialProvider } from '../../custody/identity/socialProviders.ts'
import { pageWords } from '../../custody/pages/pageWords.ts'
import { registerFormRoutes, toSearchParams } from '../../custody/pages/registerFormRoutes.ts'
import { clientAddress } from '../../kit/http/clientAddress.ts'
import { callbackHeaders, callbackPage, type CallbackState } from './callbackPage.ts'
import type { ProviderAccount } from '../../custody/identity/providerAccount.ts'
import type { SocialClient } from '../../custody/identity/socialClient.ts'
import type { ClaimedLogin, SocialLogins } from './socialLogins.ts'

type CallbackLogins = Pick<SocialLogins, 'claim' | 'hold' | 'confirm' | 'findRequest' | 'fail'>

export type CallbackDependencies = {
  clients: ReadonlyMap<SocialProvider, Pick<SocialClient, 'finish'>>
  logins: CallbackLogins
  /** True if the device has an auth share of the account's wallet. */
  isEnrolled(account: ProviderAccount, key: string): Promise<boolean>
  trustedProxies: number
  /** The base URL of the service. */
  url(): string
  /** The URL of the frame's site. If it is unknown, each login needs the confirmation digits. */
  frameUrl?: (() => string | undefined) | undefined
}

/** Returns the redirect path of a provider. Each has its own, so that no response is accepted for another provider. */
export const callbackPath = (name: SocialProvider): string => `/auth/v1/social/${name}/callback`

const confirmPath = '/auth/v1/social/confirm'
const maxFormBytes = 16 * 1_024
const maxFieldLength = 64

/** Serves the pages that the windows of providers end on. */
export function serveCallbacks(app: FastifyInstance, dependencies: CallbackDependencies): void {
  const { logins, trustedProxies } = dependencies
  const sendPage = async (reply: FastifyReply, state: CallbackState): Promise<FastifyReply> =>
    reply.headers(callbackHeaders).send(callbackPage(await pageWords(reply.request.raw), state))

  for (const name of socialProviders) {
    app.get(callbackPath(name), async (request, reply) =>
      sendPage(reply, await handleCallback(dependencies, { name, request, parameters: request.query })),
    )
  }
  registerFormRoutes(
    app,
    (forms) => {
      for (const name of socialProviders) {
        forms.post(callbackPath(name), async (request, reply) =>
          sendPage(reply, await handleCallback(dependencies, { name, request, parameters: request.body })),
        )
      }
      forms.post(confirmPath, async ({ body, raw }, reply) =>
        sendPage(reply, await confirmLogin(logins, body, clientAddress(raw, trustedProxies))),
      )
    },
    maxFormBytes,
  )
}

async function confirmLogin(logins: CallbackLogins, body: unknown, client: string): Promise<CallbackState> {
  const fields = toSearchParams(body)
  const getField = (name: string): string => fields.get(name)?.slice(0, maxFieldLength) ?? ''
  const given = { id: getField('id'), secret: getField('secret'), match: getField('match') }
  const { state, next } = await logins.confirm({ ...given, client })
  if (state === 'done' && next !== undefined) return { as: 'continue', next }
  if (state !== 'wrong') return { as: state }
  const request = await logins.findRequest(given)
  return request === undefined ? { as: 'over' } : { as: 'confirm', ...given, request, wrong: true }
}

type Callback = { name: SocialProvider; request: FastifyRequest; parameters: unknown }

/** Finds the login that a response belongs to, exchanges the response, and stores the result for the frame. */
async function handleCallback(
  { clients, logins, isEnrolled, url, frameUrl }: CallbackDependencies,
  { name, request, parameters }: Callback,
): Promise<CallbackState> {
  const response = toSearchParams(parameters)
  const client = clients.get(name)
  const login = client && (await logins.claim(name, response.get('state') ?? ''))
  if (client === undefined || login === undefined) return { as: 'over' }
  let account: ProviderAccount
  try {
    account = await client.finish(response, { ...login, redirectUri: url() + callbackPath(name) })
  } catch (error) {
    return rejectLogin(logins, login, { name, error, log: request.log })
  }
  const { key, next: following } = login
  const isNeeded = following !== undefined && (following.always || !(await isEnrolled(account, key)))
  const next = isNeeded ? following.uri : undefined
  const frame = frameUrl?.()
  return {
    as: 'confirm',
    id: login.id,
    ...(await logins.hold(login.id, account, next)),
    next,
    ...(frame !== undefined && { frame: new URL(frame).origin }),
  }
}

type CallbackFailure = { name: SocialProvider; error: unknown; log: FastifyRequest['log'] }

async function rejectLogin(
  logins: CallbackLogins,
  { id }: ClaimedLogin,
  { name, error, log }: CallbackFailure,
): Promise<CallbackState> {
  if (error instanceof AuthorizationResponseError && error.error === 'access_denied') {
    await logins.fail(id, 'You did not allow it there. Try again, or log in another way.')
    return { as: 'denied' }
  }
  // Only the name and the code are logged, because messages of a provider may contain personal data.
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  log.warn({ provider: name, error: error instanceof Error ? error.name : 'unknown', code }, 'a social login failed')
  await logins.fail(id, 'The provider didn’t confirm your account. Try again, or log in another way.')
  return { as: 'failed' }
}
