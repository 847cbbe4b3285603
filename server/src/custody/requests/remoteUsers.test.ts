import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createRemoteUsers, userStatePath } from './remoteUsers.ts'

/** Starts an auth service that gives one response, and returns its requests. */
async function serviceThat(status: number, body: string) {
  const requested: string[] = []
  const server = createServer((request, response) => {
    request.setEncoding('utf8')
    let text = ''
    request.on('data', (part: string) => (text += part))
    request.on('end', () => {
      requested.push(`${request.method} ${request.url} ${text}`)
      response.writeHead(status).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requested }
}
const unavailable = expect.objectContaining({ status: 503, field: 'user' })

test.each([true, false])('the auth service says if a user exists: %s [C-08]', async (exists) => {
  const { url, requested } = await serviceThat(200, JSON.stringify({ exists }))
  expect(await createRemoteUsers(url)('ann')).toBe(exists)
  expect(requested).toEqual([`POST ${userStatePath} {"user":"ann"}`])
})

test.each([
  ['an error', 500, '{"exists":false}'],
  ['a refusal', 429, '{"exists":false}'],
  ['nothing about the user', 200, '{}'],
  ['a string instead of a boolean', 200, '{"exists":"false"}'],
])('a user does not count as lost if the auth service responds with %s [C-08]', async (_, status, body) => {
  const { url } = await serviceThat(status, body)
  await expect(createRemoteUsers(url)('ann')).rejects.toEqual(unavailable)
})

test('a user does not count as lost while the auth service is unreachable [C-08]', async () => {
  await expect(createRemoteUsers('http://127.0.0.1:1')('ann')).rejects.toEqual(unavailable)
})
