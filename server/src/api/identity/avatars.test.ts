import { encodeAbiParameters } from 'viem'
import { afterEach, expect, test } from 'vitest'
import type { Chain } from '../../kit/chain/chains.ts'
import { createHttp } from '../../kit/http/createHttp.ts'
import { createEndpointPools } from '../../kit/chain/endpointPools.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { createSafeFetch } from '../../kit/http/safeFetch.ts'
import { startRpcNode, type RpcNode } from '../../testing/rpcNode.ts'
import { createThirdPartyPictures } from '../http/thirdPartyPictures.ts'
import { serveAvatars } from './avatars.ts'

const owner = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const picture = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
const nft = `eip155:1/erc721:0x${'11'.repeat(20)}/7`

const nodes: RpcNode[] = []
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()))
})

/** Resolves an avatar record that names an NFT with an owner. */
async function resolveAvatar(avatar: string | null, holder = owner, address = owner) {
  const metadata = `data:application/json,${encodeURIComponent(JSON.stringify({ image: picture }))}`
  const node = await startRpcNode((body) =>
    (Array.isArray(body) ? body : []).map((each: { id: number; params: [{ data: string }] }) => ({
      id: each.id,
      jsonrpc: '2.0',
      result: each.params[0].data.startsWith('0x6352211e')
        ? `0x${holder.slice(2).padStart(64, '0')}`
        : encodeAbiParameters([{ type: 'string' }], [metadata]),
    })),
  )
  nodes.push(node)
  const chain: Chain = {
    caipNetworkId: 'eip155:1',
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [node.url],
    tokens: [],
  }
  const app = await createHttp({ logLevel: 'silent', projects: createProjects('any') })
  const safeFetch = createSafeFetch({ timeoutMs: 500 })
  const lookup = { identity: async () => ({ name: 'vitalik.eth', avatar, resolvedAt: '' }) }
  const pools = createEndpointPools({ now: () => 0 })
  const pictures = createThirdPartyPictures({ safeFetch, clock: { now: () => 1 } })
  const guard = async (): Promise<void> => undefined
  serveAvatars(app, { lookup, chains: [chain], pools, safeFetch, ipfsGateway: undefined, pictures, guard })
  const response = await app.inject(`/v1/identity/${address}/avatar`)
  await safeFetch.close()
  return response
}

test('avatar in a text record is served without scripts', async () => {
  const response = await resolveAvatar(picture)
  expect([response.statusCode, response.headers['content-type'], response.body]).toEqual([200, 'image/svg+xml', svg])
  expect(response.headers['content-security-policy']).toContain("sandbox; default-src 'none'")
  expect(response.headers['x-content-type-options']).toBe('nosniff')
})

test('avatar of an NFT is served while the owner of the name holds it', async () => {
  expect((await resolveAvatar(nft)).statusCode).toBe(200)
  expect((await resolveAvatar(nft, `0x${'22'.repeat(20)}`)).statusCode).toBe(404)
})

test.each([
  ['no record', null],
  ['a page', 'data:text/html,<script>alert(1)</script>'],
  ['a script', 'javascript:alert(1)'],
  ['an NFT of a chain of nowhere', nft.replace(':1/', ':99/')],
  ['a private address', 'https://169.254.169.254/latest/meta-data'],
  ['a private address without encryption', 'http://127.0.0.1:1/me.png'],
])('avatar is not served for %s [P-06]', async (_what, avatar) => {
  expect((await resolveAvatar(avatar)).statusCode).toBe(404)
})

test('avatar rejects an invalid address', async () => {
  expect((await resolveAvatar(picture, owner, 'vitalik.eth')).statusCode).toBe(400)
})
