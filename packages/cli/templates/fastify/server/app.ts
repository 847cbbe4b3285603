import cookies from '@fastify/cookie'
import { fastify } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { cookieNames, cookieOptions } from './cookies.ts'
import { createNonce, findSessions, signIn, signOut } from './signIn.ts'

export const app = fastify({ bodyLimit: 64_000 })
await app.register(cookies)
app.addHook('onRequest', async (request, reply) => {
  if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
})

app.get('/api/sign-in/nonce', async (_request, reply) => {
  const nonce = createNonce()
  reply.setCookie(cookieNames.nonce, nonce, cookieOptions)
  return { nonce }
})

app.post('/api/sign-in/verify', async (request, reply) => {
  const { [cookieNames.nonce]: nonce, [cookieNames.session]: oldSessionId } = request.cookies
  const result = await signIn(request.body, nonce, oldSessionId)
  reply.clearCookie(cookieNames.nonce, cookieOptions)
  if (!result.valid) return reply.code(401).send({ reason: result.reason })
  reply.setCookie(cookieNames.session, result.sessionId, cookieOptions)
  return {}
})

app.get('/api/sign-in/session', async (request) => ({ sessions: findSessions(request.cookies[cookieNames.session]) }))

app.delete<{ Querystring: Record<string, unknown> }>('/api/sign-in/session', async (request, reply) => {
  signOut(request.cookies[cookieNames.session], request.query)
  return reply.code(204).send()
})

// A route for signed-in users.
app.get('/api/greeting', async (request, reply) => {
  const [session] = findSessions(request.cookies[cookieNames.session])
  if (session === undefined) return reply.code(401).send({ reason: 'not-signed-in' })
  return `Signed in as ${session.data.accountAddress}`
})

export async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await app.ready()
  app.routing(request, response)
}
