import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AuthorizationResponseError } from 'openid-client'
import { socialProviders, type SocialProvider } from '../../custody/identity/socialProviders.ts'
import { pageWords } from '../../custody/pages/pageWords.ts'
import { registerFormRoutes, toSearchParams } from '../../custody/pages/registerFormRoutes.ts'
import { handoffHeaders, handoffPage } from './handoffPage.ts'
import type { FinishedProviderLogin, ProviderLogins } from './providerLogins.ts'

/** Returns the redirect path of a provider. Each has its own, so that no response is accepted for another provider. */
export const providerCallbackPath = (name: SocialProvider): string => `/shares/v1/social/${name}/callback`

const maxFormBytes = 16 * 1_024

/** Serves the pages that the windows of the share store's own logins end on. */
export function serveProviderCallbacks(
  app: FastifyInstance,
  { logins, frameUrl }: { logins: Pick<ProviderLogins, 'finish'>; frameUrl(): string },
): void {
  const result = async (
    reply: FastifyReply,
    { name, request, parameters }: { name: SocialProvider; request: FastifyRequest; parameters: unknown },
  ): Promise<FastifyReply> => {
    const finished = await finishLogin(logins, name, toSearchParams(parameters), request)
    const state = finished.as === 'code' ? { ...finished, frame: new URL(frameUrl()).origin } : finished
    return reply.headers(handoffHeaders).send(handoffPage(await pageWords(request.raw), state))
  }
  for (const name of socialProviders) {
    app.get(providerCallbackPath(name), async (request, reply) =>
      result(reply, { name, request, parameters: request.query }),
    )
  }
  registerFormRoutes(
    app,
    (forms) => {
      for (const name of socialProviders) {
        forms.post(providerCallbackPath(name), async (request, reply) =>
          result(reply, { name, request, parameters: request.body }),
        )
      }
    },
    maxFormBytes,
  )
}

type FinishedLogin = { as: 'denied' | 'failed' | 'over' } | ({ as: 'code' } & FinishedProviderLogin)

async function finishLogin(
  logins: Pick<ProviderLogins, 'finish'>,
  name: SocialProvider,
  response: URLSearchParams,
  { log }: FastifyRequest,
): Promise<FinishedLogin> {
  try {
    const finished = await logins.finish(name, response)
    return finished === undefined ? { as: 'over' } : { as: 'code', ...finished }
  } catch (error) {
    if (error instanceof AuthorizationResponseError && error.error === 'access_denied') return { as: 'denied' }
    // Only the name and the code are logged, because messages of a provider may contain personal data.
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
    log.warn({ provider: name, error: error instanceof Error ? error.name : 'unknown', code }, 'a social login failed')
    return { as: 'failed' }
  }
}
