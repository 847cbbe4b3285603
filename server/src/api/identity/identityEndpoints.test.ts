import { encodeAbiParameters, encodeErrorResult, encodeFunctionResult, parseAbi, toFunctionSelector } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { createInProcessBus } from '../../kit/bus/bus.ts'
import { mountEndpoints } from '../../kit/http/defineEndpoint.ts'
import { createEndpointPool } from '../../kit/chain/endpointPool.ts'
import { createHttp } from '../../kit/http/createHttp.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { startRpcNode, type RpcBehaviour, type RpcNode } from '../../testing/rpcNode.ts'
import { createEnsNames } from './ens.ts'
import { createIdentityLookup } from './identityLookup.ts'
import { createIdentityEndpoints } from './identityEndpoints.ts'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const abi = parseAbi([
  'function reverseWithGateways(bytes, uint256, string[]) view returns (string resolvedName, address resolver, address reverseResolver)',
  'function resolveWithGateways(bytes, bytes, string[]) view returns (bytes result, address resolver)',
  'error ReverseAddressMismatch(string primary, bytes primaryAddress)',
  'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
])
const nowhere = `0x${'00'.repeat(20)}` as const

const nodes: RpcNode[] = []
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()))
})

/** A node whose universal resolver returns the given responses. */
async function request(behave: RpcBehaviour, who: string = address, times = 1) {
  const node = await startRpcNode(behave)
  nodes.push(node)
  const clock = { now: () => 1_000_000 }
  const sources = [createEnsNames(createEndpointPool([node.url], clock))]
  const lookup = createIdentityLookup({ sources, bus: createInProcessBus(), clock })
  const app = await createHttp({ logLevel: 'silent', projects: createProjects('any') })
  mountEndpoints(app, createIdentityEndpoints({ lookup, clock, place: { pictures: 'https://api.example' } }), () => {})
  let received = await app.inject(`/v1/identity/${who}`)
  for (let each = 1; each < times; each += 1) received = await app.inject(`/v1/identity/${who}`)
  return {
    status: received.statusCode,
    body: received.json() as unknown,
    headers: received.headers,
    requested: node.requests.length,
  }
}

const rpcResponding =
  (reply: object): RpcBehaviour =>
  (body) => ({ jsonrpc: '2.0', id: Reflect.get(Object(body), 'id'), ...reply })
/** A name with its avatar record. */
const respondWithName =
  (name: string, avatar = ''): RpcBehaviour =>
  (body, response) => {
    const isText = JSON.stringify(body).includes(
      toFunctionSelector('resolveWithGateways(bytes,bytes,string[])').slice(2),
    )
    const text = encodeAbiParameters([{ type: 'string' }], [avatar])
    const result = isText
      ? encodeFunctionResult({ abi, functionName: 'resolveWithGateways', result: [text, nowhere] })
      : encodeFunctionResult({ abi, functionName: 'reverseWithGateways', result: [name, nowhere, nowhere] })
    return rpcResponding({ result })(body, response)
  }
const respondWithRevert = (data: string): RpcBehaviour =>
  rpcResponding({ error: { code: 3, message: 'execution reverted', data } })

test('identity returns a name that resolves back to its address, cached for five minutes [R7.1.3] [R9.1.10]', async () => {
  const { status, body, headers, requested } = await request(respondWithName('vitalik.eth'), address, 3)
  expect([status, body]).toEqual([200, { name: 'vitalik.eth', avatar: null, resolvedAt: '1970-01-01T00:16:40.000Z' }])
  expect(headers['cache-control']).toBe('public, max-age=300, s-maxage=300')
  // The name, and the picture.
  expect(requested).toBe(2)
})

test.each([
  'https://pictures.example/me.png',
  'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG',
  'data:image/png;base64,AAAA',
  `eip155:1/erc721:${nowhere}/7`,
])('identity returns a picture URL on this server for the record %s', async (avatar) => {
  const { body } = await request(respondWithName('vitalik.eth', avatar))
  const shown = `https://api.example/v1/identity/${address.toLowerCase()}/avatar`
  expect(body).toMatchObject({ name: 'vitalik.eth', avatar: shown })
})

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'me', 'data:text/html,<script>'])(
  'identity has no picture for the record %s',
  async (avatar) => {
    expect((await request(respondWithName('vitalik.eth', avatar))).body).toMatchObject({
      name: 'vitalik.eth',
      avatar: null,
    })
  },
)

test.each<[string, RpcBehaviour]>([
  ['no name', respondWithName('')],
  [
    'a name that leads elsewhere',
    respondWithRevert(encodeErrorResult({ abi, errorName: 'ReverseAddressMismatch', args: ['a.eth', '0x00'] })),
  ],
  ['a name with invisible signs', respondWithName('vita\u200blik.eth')],
  [
    'a name that is somewhere else than on the chain',
    respondWithRevert(
      encodeErrorResult({
        abi,
        errorName: 'OffchainLookup',
        args: [nowhere, ['http://127.0.0.1:1/'], '0x', '0x00000000', encodeAbiParameters([], [])],
      }),
    ),
  ],
])('identity has no name for %s', async (_what, behave) => {
  expect(await request(behave)).toMatchObject({ status: 200, body: { name: null } })
})

test('identity fails with 503 if the chain is not available, and does not cache the failure', async () => {
  const away: RpcBehaviour = (_body, response) => void response.writeHead(500).end()
  expect((await request(away)).status).toBe(503)
})

test('identity is empty for Solana, and rejects an invalid address', async () => {
  expect(await request(respondWithName('x'), '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T')).toMatchObject({
    status: 200,
    body: { name: null },
    requested: 0,
  })
  expect(await request(respondWithName('x'), 'vitalik.eth')).toMatchObject({
    status: 400,
    body: { reasons: [{ field: 'address' }] },
  })
})
