import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeAbiParameters } from 'viem'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { IndexedChain } from '../../indexer/indexedChains.ts'
import { createSafeFetch } from '../../kit/http/safeFetch.ts'
import { createNftMetadataReader, toWebUrl, type NftMetadata } from './nftMetadata.ts'

const servers: Server[] = []
/** Allows private addresses, where the tests' servers are. Everything else is as in production. */
const near = createSafeFetch({ allowPrivate: true, timeoutMs: 400 })
const strict = createSafeFetch({ timeoutMs: 400 })
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})
afterAll(async () => {
  await near.close()
  await strict.close()
})

async function serveMetadata(
  behave: (response: ServerResponse) => void,
): Promise<{ url: string; visits: () => number }> {
  let visits = 0
  const server = createServer((_request, response) => {
    visits += 1
    behave(response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/7.json`, visits: () => visits }
}

/** Reads the metadata of an NFT whose contract returns a URI. */
function read(uri: string, safeFetch = near): Promise<NftMetadata | undefined> {
  const encoded = encodeAbiParameters([{ type: 'string' }], [uri])
  const rpc = {
    batch: async () => [encoded, undefined],
    tryBatch: async () => [encoded, undefined],
    settle: async () => [],
  }
  const native = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const chain: IndexedChain = { chain: 1, caip: 'eip155:1', native, tokens: [], rpc }
  return createNftMetadataReader({ safeFetch, ipfsGateway: undefined })(chain, {
    token: `0x${'11'.repeat(20)}`,
    tokenId: '7',
  })
}

test('the content type of an inlined picture has 255 characters at most', async () => {
  const readImage = (type: string): Promise<NftMetadata | undefined> =>
    read(`data:application/json,${encodeURIComponent(JSON.stringify({ image: `data:${type},x` }))}`)
  const longest = `image/${'a'.repeat(249)}`
  expect((await readImage(longest))?.contentType).toBe(longest)
  // Each page of a history contains the content type twice for each NFT.
  expect(await readImage(`${longest}a`)).toEqual({})
})

test('NFT metadata has name and picture', async () => {
  const { url } = await serveMetadata((response) =>
    response.end('{"name":"Key","image":"https://pictures.example/7.png"}'),
  )
  expect(await read(url)).toEqual({ name: 'Key', picture: 'https://pictures.example/7.png' })
})

test.each<[string, (response: ServerResponse) => void, NftMetadata | undefined]>([
  ['is nested deeper than the parser reads', (response) => response.end('['.repeat(200_000)), {}],
  ['is nested deeply', (response) => response.end(`{"name":${'['.repeat(9_000)}${']'.repeat(9_000)}}`), {}],
  ['is ten megabytes long', (response) => response.end(`{"name":"${'x'.repeat(10 * 1024 * 1024)}"}`), undefined],
  ['comes in drips', (response) => void response.write('{"name":'), undefined],
  ['never comes', () => undefined, undefined],
  ['breaks off', (response) => void response.destroy(), undefined],
  ['is a web page', (response) => response.end('<script>alert(1)</script>'), {}],
  ['is not an object', (response) => response.end('7'), {}],
  ['has an invalid name', (response) => response.end('{"name":{"toString":1},"image":[1]}'), {}],
  ['shows a script for a picture', (response) => response.end('{"image":"javascript:alert(1)"}'), {}],
  ['shows a file for a picture', (response) => response.end('{"image":"file:///etc/passwd"}'), {}],
])('NFT metadata that %s is ignored', async (_what, behave, expected) => {
  const { url } = await serveMetadata(behave)
  expect(await read(url)).toEqual(expected)
})

test('NFT metadata with a redirect is not followed [P-06]', async () => {
  const inside = await serveMetadata((response) => response.end('{"name":"secret"}'))
  const { url } = await serveMetadata((response) => void response.writeHead(302, { location: inside.url }).end())
  expect(await read(url)).toBeUndefined()
  expect(inside.visits()).toBe(0)
})

test.each([
  (url: string) => url,
  (url: string) => url.replace('http://127.0.0.1', 'https://127.0.0.1'),
  () => 'https://169.254.169.254/latest/meta-data',
  () => 'https://[::1]/7.json',
  () => 'https://2130706433/7.json',
  () => 'https://user:secret@pictures.example/7.json',
])('NFT metadata at a private address is never requested, and not tried again [P-06]', async (write) => {
  const inside = await serveMetadata((response) => response.end('{"name":"secret"}'))
  expect(await read(write(inside.url), strict)).toEqual({})
  expect(inside.visits()).toBe(0)
})

test.each([
  'bafy/../admin',
  'bafy/%2e%2e/admin',
  'bafy/%2E%2e%2fadmin',
  '%252e%252e/admin',
  'bafy/.%2e/.%2e/api',
  './x',
])('ipfs://%s does not leave the path of the gateway [P-06]', (path) => {
  expect(toWebUrl(`ipfs://${path}`, 'https://gateway.example/ipfs/')).toBeUndefined()
})

test.each(['bafy/7.png', 'ipfs/bafy/a%20b.png', 'bafy/a..b.png', 'bafy/100%.png'])(
  'ipfs://%s is a path of the gateway',
  (path) => {
    expect(toWebUrl(`ipfs://${path}`, 'https://gateway.example/ipfs/')).toBe(
      `https://gateway.example/ipfs/${path.replace(/^ipfs\//, '')}`,
    )
  },
)
