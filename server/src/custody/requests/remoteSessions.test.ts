import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createRemoteSessions, sessionStatePath } from './remoteSessions.ts'

type Reply = { status?: number; body: string; location?: string }

/** Starts an auth service that gives one response, and returns its requests. */
async function serviceThat({ status = 200, body, location }: Reply) {
  const requested: string[] = []
  const server = createServer((request, response) => {
    request.setEncoding('utf8')
    let text = ''
    request.on('data', (part: string) => (text += part))
    request.on('end', () => {
      requested.push(`${request.method} ${request.url} ${request.headers['content-type']} ${text}`)
      response.writeHead(status, location === undefined ? {} : { location }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requested }
}
const unavailable = expect.objectContaining({ status: 503, field: 'token' })

test.each([true, false])('the auth service says if a session is active: %s [K-08]', async (active) => {
  const { url, requested } = await serviceThat({ body: JSON.stringify({ active }) })
  expect(await createRemoteSessions(url)('session one')).toBe(active)
  expect(requested).toEqual([`POST ${sessionStatePath} application/json {"session":"session one"}`])
})

test.each<[string, Reply]>([
  ['an error', { status: 500, body: '{"active":true}' }],
  ['a refusal', { status: 403, body: '{"active":true}' }],
  ['no JSON', { body: '{"active":true' }],
  ['null', { body: 'null' }],
  ['a bare value', { body: 'true' }],
  ['nothing about the session', { body: '{}' }],
  ['a string instead of a boolean', { body: '{"active":"true"}' }],
  ['a redirect', { status: 307, body: '', location: 'http://127.0.0.1:1/' }],
])('a session counts neither as active nor as ended if the auth service responds with %s [K-08]', async (_, result) => {
  const { url } = await serviceThat(result)
  await expect(createRemoteSessions(url)('s')).rejects.toEqual(unavailable)
})

test('a session can’t be checked while the auth service is unreachable [K-08]', async () => {
  await expect(createRemoteSessions('http://127.0.0.1:1')('s')).rejects.toEqual(unavailable)
})
