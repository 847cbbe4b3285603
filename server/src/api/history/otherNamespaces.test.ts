import { startBitcoin, type Bitcoin } from '@latchkey/devnet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer } from '../../testing/index.ts'

const chainId = 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328'
const address = 'bcrt1qquv9lg5g2r4jkr0ahun0ddfg5xntxjelwjpnuw'
const projectId = 'ab'.repeat(16)
let bitcoin: Bitcoin
let server: Awaited<ReturnType<typeof startTestServer>>
let hashes: readonly string[]

beforeAll(async () => {
  bitcoin = await startBitcoin()
  hashes = Array.from({ length: 30 }, (_, index) => bitcoin.fund(address, BigInt(index + 1) * 1_000n)).toReversed()
  server = await startTestServer({
    services: ['api'],
    chains: [
      {
        caipNetworkId: chainId,
        name: 'Bitcoin',
        nativeCurrency: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 },
        rpcUrls: [bitcoin.url],
        tokens: [],
        providers: [{ kind: 'esplora', url: bitcoin.url }],
      },
    ],
  })
})
afterAll(async () => {
  await server.close()
  await bitcoin.close()
})

type Body = { data: { metadata: { hash: string } }[]; next: string | null; reasons?: unknown }

async function get(path: string): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${server.url}/v1/${path}`)
  // The endpoint responds in this form.
  return { status: response.status, body: (await response.json()) as Body }
}

test('the history of a Bitcoin address is served page by page', async () => {
  const path = `account/${address}/history?projectId=${projectId}&chainId=${chainId}`
  const first = await get(path)
  const second = await get(`${path}&cursor=${first.body.next}`)
  expect([first.status, second.status, second.body.next]).toEqual([200, 200, null])
  expect([...first.body.data, ...second.body.data].map(({ metadata }) => metadata.hash)).toEqual(hashes)
})

test('a cursor of another Bitcoin address is refused', async () => {
  const query = `history?projectId=${projectId}&chainId=${chainId}`
  const { body } = await get(`account/${address}/${query}`)
  const other = await get(`account/bcrt1qlqj2pdsteppkcr8jkp9ms0wpvey89tna8v72sj/${query}&cursor=${body.next}`)
  expect(other).toMatchObject({ status: 400, body: { reasons: [{ field: 'cursor' }] } })
})

test.each([
  'bcrt1qquv9lg5g2r4jkr0ahun0ddfg5xntxjelwjpnux',
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '..%2F..%2Ftx',
])('%s is refused as an address of Bitcoin', async (wrong) => {
  expect(await get(`account/${wrong}/history?projectId=${projectId}&chainId=${chainId}`)).toMatchObject({
    status: 400,
    body: { reasons: [{ field: 'address' }] },
  })
})

test('the server names its Bitcoin chain among those with a history', async () => {
  expect(await get('supported-chains')).toMatchObject({ body: { http: [chainId], history: [chainId] } })
})
