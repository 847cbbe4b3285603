import cookieParser from 'cookie-parser'
import express, { type ErrorRequestHandler, type Request } from 'express'
import { cookieNames, cookieOptions } from './cookies.ts'
import { createNonce, findSessions, signIn, signOut } from './signIn.ts'

const app = express()
app.disable('x-powered-by')
app.use('/api', cookieParser(), express.json({ limit: '64kb' }), (_request, response, next) => {
  response.set('cache-control', 'no-store')
  next()
})

app.get('/api/sign-in/nonce', (_request, response) => {
  const nonce = createNonce()
  response.cookie(cookieNames.nonce, nonce, cookieOptions).json({ nonce })
})

app.post('/api/sign-in/verify', async (request, response) => {
  const result = await signIn(request.body, getCookie(request, 'nonce'), getCookie(request, 'session'))
  response.clearCookie(cookieNames.nonce, cookieOptions)
  if (result.valid) response.cookie(cookieNames.session, result.sessionId, cookieOptions).json({})
  else response.status(401).json({ reason: result.reason })
})

app.get('/api/sign-in/session', (request, response) => {
  response.json({ sessions: findSessions(getCookie(request, 'session')) })
})

app.delete('/api/sign-in/session', (request, response) => {
  signOut(getCookie(request, 'session'), request.query)
  response.status(204).end()
})

// A route for signed-in users.
app.get('/api/greeting', (request, response) => {
  const [session] = findSessions(getCookie(request, 'session'))
  if (session === undefined) response.status(401).json({ reason: 'not-signed-in' })
  else response.type('text').send(`Signed in as ${session.data.accountAddress}`)
})

// Without this function, responses to errors would contain stacks.
const handleError: ErrorRequestHandler = (error, _request, response, _next) => {
  const { status = 500 } = error
  if (status >= 500) console.error(error)
  response.status(status).json({ reason: status < 500 ? 'malformed' : 'internal' })
}
app.use(handleError)

function getCookie(request: Request, name: keyof typeof cookieNames): string | undefined {
  const value: unknown = request.cookies[cookieNames[name]]
  return typeof value === 'string' ? value : undefined
}

export { app, app as handle }
