import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { createIndexedChains } from '../../indexer/indexedChains.ts'
import { createHttp } from '../../kit/http/createHttp.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { createInProcessRateLimiters } from '../../kit/limits/rateLimiters.ts'
import { createProjectGuard } from '../http/projectGuard.ts'
import { createThirdPartyPictures } from '../http/thirdPartyPictures.ts'
import { serveNftPictures } from './serveNftPictures.ts'

const projectId = 'ab'.repeat(16)
const rpc = { batch: async () => [], tryBatch: async () => [], settle: async () => [] }
const native = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const indexed = createIndexedChains([{ chain: 1, caip: 'eip155:1', native, tokens: [], rpc }])
const createPath = (tokenId: number): string => `/v1/nft/eip155%3A1/0x${'11'.repeat(20)}/${tokenId}/picture`

/** A server whose third party counts its visits. */
async function createApp({ burst = 100, status = 200 } = {}): Promise<{
  app: FastifyInstance
  visits: string[]
  advance(milliseconds: number): void
}> {
  const visits: string[] = []
  let now = 1_000
  const clock = { now: () => now }
  const projects = createProjects('any')
  const app = await createHttp({ logLevel: 'silent', projects })
  const limiter = createInProcessRateLimiters(clock).create('pictures', { perSecond: 1, burst })
  const pictures = createThirdPartyPictures({
    clock,
    safeFetch: {
      async fetch(url) {
        visits.push(url)
        await new Promise((resolve) => setTimeout(resolve, 10))
        return { status, contentType: 'image/png', body: new Uint8Array([1, 2, 3]) }
      },
      check: () => undefined,
      close: async () => undefined,
    },
  })
  serveNftPictures(app, {
    indexed,
    nfts: {
      of: async () => new Map(),
      pictureOf: async (_chain, { tokenId }) => `https://pictures.example/${tokenId}`,
    },
    pictures,
    guard: createProjectGuard({ projects, trustedProxies: 0, limiter }),
  })
  return { app, visits, advance: (milliseconds) => (now += milliseconds) }
}

test('a picture of an NFT is served to a project only', async () => {
  const { app, visits } = await createApp()
  expect((await app.inject(createPath(1))).statusCode).toBe(400)
  expect((await app.inject(`${createPath(1)}?projectId=abc`)).statusCode).toBe(401)
  expect(visits).toEqual([])
  expect((await app.inject(`${createPath(1)}?projectId=${projectId}`)).statusCode).toBe(200)
})

test('pictures of NFTs are limited per client', async () => {
  const { app } = await createApp({ burst: 2 })
  const statuses: number[] = []
  for (let each = 1; each <= 3; each += 1) {
    statuses.push((await app.inject(`${createPath(each)}?projectId=${projectId}`)).statusCode)
  }
  expect(statuses).toEqual([200, 200, 429])
})

test('requests of one picture share one fetch, and later ones use the cache for five minutes', async () => {
  const { app, visits, advance } = await createApp()
  const get = () => app.inject(`${createPath(1)}?projectId=${projectId}`)
  const responses = await Promise.all(Array.from({ length: 20 }, get))
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 200))
  advance(299_000)
  await get()
  expect(visits).toEqual(['https://pictures.example/1'])
  advance(2_000)
  await get()
  expect(visits.length).toBe(2)
})

test('a picture that is not available is requested again after 30 seconds', async () => {
  const { app, visits, advance } = await createApp({ status: 500 })
  const get = () => app.inject(`${createPath(1)}?projectId=${projectId}`)
  expect((await get()).statusCode).toBe(503)
  expect((await get()).statusCode).toBe(503)
  expect(visits.length).toBe(1)
  advance(31_000)
  await get()
  expect(visits.length).toBe(2)
})
