import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { cookieNames, cookieOptions } from './cookies.ts'
import { createNonce, findSessions, signIn, signOut } from './signIn.ts'

export const app = new Hono()
app.use('/api/*', bodyLimit({ maxSize: 64_000 }), async (context, next) => {
  await next()
  context.header('cache-control', 'no-store')
})

app.get('/api/sign-in/nonce', (context) => {
  const nonce = createNonce()
  setCookie(context, cookieNames.nonce, nonce, cookieOptions)
  return context.json({ nonce })
})

app.post('/api/sign-in/verify', async (context) => {
  const body: unknown = await context.req.json().catch(() => undefined)
  const { [cookieNames.nonce]: nonce, [cookieNames.session]: oldSessionId } = getCookie(context)
  const result = await signIn(body, nonce, oldSessionId)
  deleteCookie(context, cookieNames.nonce, cookieOptions)
  if (!result.valid) return context.json({ reason: result.reason }, 401)
  setCookie(context, cookieNames.session, result.sessionId, cookieOptions)
  return context.json({})
})

app.get('/api/sign-in/session', (context) =>
  context.json({ sessions: findSessions(getCookie(context, cookieNames.session)) }),
)

app.delete('/api/sign-in/session', (context) => {
  signOut(getCookie(context, cookieNames.session), context.req.query())
  return context.body(null, 204)
})

// A route for signed-in users.
app.get('/api/greeting', (context) => {
  const [session] = findSessions(getCookie(context, cookieNames.session))
  if (session === undefined) return context.json({ reason: 'not-signed-in' }, 401)
  return context.text(`Signed in as ${session.data.accountAddress}`)
})

export const handle = getRequestListener(app.fetch)
