import type { IncomingHttpHeaders } from 'node:http'
import { startMail, type LocalMail } from '@latchkey/devnet'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLoginClient } from '../testing/loginClient.ts'
import { startLoginServices, testFrameUrl, type LoginServices } from '../testing/loginServices.ts'
import { unwrapSimpleRequest } from './unwrapSimpleRequest.ts'

let mail: LocalMail
let services: LoginServices
beforeAll(async () => {
  mail = await startMail()
  services = await startLoginServices({ mailUrl: mail.url })
})
afterAll(async () => {
  await services.close()
  await mail.close()
})

const path = '/shares/v1/links'
const content = { email: 'ann@example.org', projectId: 'ab'.repeat(16), origin: 'http://app.localhost' }
const send = (body: object, headers: Record<string, string> = {}) =>
  fetch(services.sharesUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
const fieldOf = async (response: Response) =>
  ((await response.json()) as { reasons: { field: string }[] }).reasons[0]?.field

test('a proof in the body counts like one in the header, for one request [A-16]', async () => {
  const client = await createLoginClient(services.sharesUrl)
  const dpop = await client.prove('POST', path)
  const first = await send({ dpop, content }, { origin: new URL(testFrameUrl).origin })
  expect(first.status).toBe(200)
  const again = await send({ dpop, content })
  expect([again.status, await fieldOf(again)]).toEqual([401, 'proof'])
})

test('a request with a proof in the body is refused from an unknown origin, and has no effect [A-16]', async () => {
  const client = await createLoginClient(services.sharesUrl)
  const before = mail.received().length
  const dpop = await client.prove('POST', path)
  const response = await send({ dpop, content }, { origin: 'https://evil.example' })
  expect([response.status, await fieldOf(response)]).toEqual([403, 'origin'])
  expect(mail.received().length).toBe(before)
})

test('a request with a missing or malformed proof, or one for another path, is rejected [A-16]', async () => {
  const client = await createLoginClient(services.sharesUrl)
  for (const dpop of [undefined, 1, '', 'e30.e30.e30', await client.prove('POST', '/shares/v1/sets')]) {
    const response = await send({ dpop: dpop ?? null, content })
    expect(response.status).toBe(401)
  }
})

const known = 'https://app.example.org'
const unwrap = (body: unknown, headers: IncomingHttpHeaders = {}) => {
  const request = { body, headers: { ...headers } }
  // It reads nothing else of a request.
  unwrapSimpleRequest(request as FastifyRequest, { isKnownOrigin: (origin) => origin === known })
  return request
}

test('a proof and an access token in the body become headers, and the content becomes the body', () => {
  expect(unwrap({ dpop: 'p', accessToken: 't', content }, { origin: known })).toEqual({
    body: content,
    headers: { origin: known, dpop: 'p', authorization: 'DPoP t' },
  })
  expect(unwrap({ dpop: 'p', content })).toEqual({ body: content, headers: { dpop: 'p' } })
  expect(unwrap({ dpop: 1, accessToken: 2, content })).toEqual({ body: content, headers: {} })
})

test('a body of another form, or beside a proof or token in a header, stays as it is', () => {
  for (const body of [undefined, null, 'text', [], {}, { dpop: 'p' }, { content }, { accessToken: 't', content }]) {
    expect(unwrap(body)).toEqual({ body, headers: {} })
  }
  const body = { dpop: 'p', accessToken: 't', content }
  for (const headers of [
    { dpop: 'own' },
    { authorization: 'DPoP own' },
    { dpop: 'own', origin: 'https://evil.example' },
  ]) {
    expect(unwrap(body, headers)).toEqual({ body, headers })
  }
})
