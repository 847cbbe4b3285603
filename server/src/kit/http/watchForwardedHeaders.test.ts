import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { watchForwardedHeaders } from './watchForwardedHeaders.ts'

async function setUp(trustedProxies: number) {
  const logged: string[] = []
  const app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => void logged.push(line) } } })
  const forwarded = watchForwardedHeaders(app, trustedProxies)
  app.get('/', async () => ({}))
  const visit = (headers: Record<string, string>) => app.inject({ url: '/', headers })
  return { logged, forwarded, visit }
}

test('a proxy that the configuration does not mention is logged once, and stays reported [A-24]', async () => {
  const { logged, forwarded, visit } = await setUp(0)
  await visit({})
  expect(forwarded.warning()).toBeUndefined()
  for (let count = 0; count < 3; count++) await visit({ 'x-forwarded-for': '192.0.2.1, a text' })
  expect(forwarded.warning()).toContain('TRUSTED_PROXIES')
  expect(logged).toHaveLength(1)
  // The client controls the header.
  expect(logged[0]).not.toContain('192.0.2.1')
})

test('a configured proxy is not reported', async () => {
  const { logged, forwarded, visit } = await setUp(1)
  await visit({ 'x-forwarded-for': '192.0.2.1' })
  expect(forwarded.warning()).toBeUndefined()
  expect(logged).toEqual([])
})
