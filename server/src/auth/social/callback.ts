import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AuthorizationResponseError } from 'openid-client'
import { clientAddress } from '../../kit/clientAddress.ts'
import { browserOf } from '../browserOf.ts'
import { callbackHeaders, callbackPage, type CallbackState } from './callbackPage.ts'
import type { SocialClient } from './client.ts'
import type { Person } from './person.ts'
import { socialNames, type SocialName } from './providers.ts'
import type { SocialLogins, TakenLogin } from './socialLogins.ts'

/** What the pages that providers lead back to are made of. */
export type CallbackParts = {
  clients: ReadonlyMap<SocialName, SocialClient>
  logins: SocialLogins
  trustedProxies: number
  /** Where the service is reached. */
  url(): string
}

/** Where a provider leads back to: each has its own, so that no answer is taken for another's. */
export const callbackPath = (name: SocialName): string => `/auth/v1/social/${name}/callback`

const confirmPath = '/auth/v1/social/confirm'
const formBytes = 16 * 1_024

/** Serves the pages that providers' windows end on, to people. */
export function serveCallbacks(app: FastifyInstance, parts: CallbackParts): void {
  const { logins } = parts
  const answer = (reply: FastifyReply, state: CallbackState): FastifyReply =>
    reply.headers(callbackHeaders).send(callbackPage(state))

  for (const name of socialNames) {
    app.get(callbackPath(name), async (request, reply) =>
      answer(reply, await settle(parts, { name, request, sent: request.query })),
    )
  }
  app.register(async (forms) => {
    // Forms are sent by people's browsers, here only; everything else is JSON.
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formBytes },
      async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
    )
    for (const name of socialNames) {
      forms.post(callbackPath(name), async (request, reply) =>
        answer(reply, await settle(parts, { name, request, sent: request.body })),
      )
    }
    forms.post(confirmPath, async ({ body }, reply) => {
      const [id, secret, match] = ['id', 'secret', 'match'].map((key) => textsOf(body).get(key)?.slice(0, 64) ?? '')
      const given = { id: id ?? '', secret: secret ?? '', match: match ?? '' }
      const as = await logins.confirm(given)
      if (as !== 'wrong') return answer(reply, { as })
      const facts = await logins.look(given)
      return answer(reply, facts === undefined ? { as: 'over' } : { as: 'confirm', ...given, facts, wrong: true })
    })
  })
}

type Answered = { name: SocialName; request: FastifyRequest; sent: unknown }

/** Finds whose answer it is, trades it, and keeps what came of it for the frame. */
async function settle(parts: CallbackParts, { name, request, sent }: Answered): Promise<CallbackState> {
  const { clients, logins, trustedProxies, url } = parts
  const given = textsOf(sent)
  const client = clients.get(name)
  const login = client && (await logins.take(name, given.get('state') ?? ''))
  if (client === undefined || login === undefined) return { as: 'over' }
  let person: Person
  try {
    person = await client.finish(given, { ...login, redirectUri: url() + callbackPath(name) })
  } catch (error) {
    return refuse(logins, login, { name, error, log: request.log })
  }
  const place = {
    client: clientAddress(request.raw, trustedProxies),
    browser: browserOf(request.headers['user-agent']),
  }
  if (!login.isSamePlace(place)) return { as: 'confirm', id: login.id, ...(await logins.hold(login.id, person)) }
  await logins.finish(login.id, person)
  return { as: 'done' }
}

type Refusal = { name: SocialName; error: unknown; log: FastifyRequest['log'] }

async function refuse(logins: SocialLogins, { id }: TakenLogin, { name, error, log }: Refusal): Promise<CallbackState> {
  if (error instanceof AuthorizationResponseError && error.error === 'access_denied') {
    await logins.fail(id, 'You did not allow it there. Try again, or log in another way.')
    return { as: 'denied' }
  }
  // Its name and code only: what a provider sends may hold what nobody should read.
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  log.warn({ provider: name, error: error instanceof Error ? error.name : 'unknown', code }, 'a social login failed')
  await logins.fail(id, 'The provider did not say who you are. Try again, or log in another way.')
  return { as: 'failed' }
}

/** Each parameter once: the same one twice is none. */
function textsOf(sent: unknown): URLSearchParams {
  const texts = Object.entries(typeof sent === 'object' && sent !== null ? sent : {})
  return new URLSearchParams(texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
