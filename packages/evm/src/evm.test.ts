import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Connection, Connector } from '@latchkey/core'
import { describeAdapter, describeConnector } from '@latchkey/core/testing'
import { announce, requestChain, createSimulatedExtension, type SimulatedExtension } from '@latchkey/testkit'
import { startAnvil, type Anvil } from '@latchkey/testkit/node'
import { concatHex, defineChain, encodeErrorResult, type Chain } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { evm } from './evm.ts'
import { alice, aliceKey, bob, bobKey } from './testing/createTestExtension.ts'

const carol = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const grumbler = '0x00000000000000000000000000000000000090BE'
const signer = '0x0000000000000000000000000000000000001271'

let first: Anvil
let second: Anvil

beforeAll(async () => {
  ;[first, second] = await Promise.all([startAnvil({ chainId: 31337 }), startAnvil({ chainId: 31338 })])
  await requestChain(first.url, 'anvil_setCode', [grumbler, createRevertingCode('out of order')])
  await requestChain(first.url, 'anvil_setCode', [signer, acceptingCode])
})

afterAll(() => Promise.all([first.stop(), second.stop()]))

/**
 * A contract that accepts every signature (EIP-1271): it always returns the standard's four bytes.
 * PUSH4 magic · PUSH1 224 · SHL · PUSH1 0 · MSTORE · PUSH1 32 · PUSH1 0 · RETURN
 */
const acceptingCode = '0x631626ba7e60e01b60005260206000f3'

/** A contract that reverts every call, like Solidity's `revert(reason)`. */
function createRevertingCode(reason: string) {
  const abi = [{ type: 'error', name: 'Error', inputs: [{ name: 'reason', type: 'string' }] }] as const
  // PUSH1 100 · PUSH1 12 · PUSH1 0 · CODECOPY · PUSH1 100 · PUSH1 0 · REVERT, and from byte 12 the 100 bytes it reverts with.
  return concatHex(['0x6064600c60003960646000fd', encodeErrorResult({ abi, errorName: 'Error', args: [reason] })])
}

/** A proxy to a chain that tests can disconnect. */
async function startRoad(url: string) {
  let cut = false
  const server = createServer(async (request, response) => {
    if (cut) return void request.socket.destroy()
    const body = (await request.toArray()).join('')
    const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    response.setHeader('content-type', 'application/json').end(await reply.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server always has an address of this form while it listens.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    cut: () => void (cut = true),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function chainOf({ chainId, url }: Anvil): Chain {
  return defineChain({
    id: chainId,
    name: `Local ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
}

function extensionOf(options: { rdns?: string } = {}): SimulatedExtension {
  return createSimulatedExtension({
    privateKeys: [aliceKey],
    rpcUrls: { 31337: first.url, 31338: second.url },
    chainId: 31337,
    info: options,
  })
}

/** The connector that an adapter finds for an extension in a page that was just loaded. */
function findConnector(extension: SimulatedExtension, chains: readonly [Chain, ...Chain[]]): Connector {
  const page = new EventTarget()
  announce(extension, page)
  const found: Connector[] = []
  evm({ chains, page }).discover?.((connector) => found.push(connector))
  const [connector] = found
  if (connector === undefined) throw new Error('The extension was not found.')
  return connector
}

async function connect(connector: Connector): Promise<Connection> {
  const [connection] = await connector.connect({ networks: [], signal: new AbortController().signal })
  return connection
}

describeAdapter('evm', async () => {
  const road = await startRoad(first.url)
  const chains = [chainOf({ ...first, url: road.url }), chainOf(second)] as const
  const page = new EventTarget()
  const extension = extensionOf()
  let announced = 0
  return {
    adapter: evm({ chains, page }),
    connection: await connect(findConnector(extension, chains)),
    otherAddress: carol,
    notAddresses: ['0x', carol.slice(0, -1), `${carol}0`, carol.replace('C', 'G'), 'visitor.eth', `0x${carol}`],
    unknownHash: `0x${'ab'.repeat(32)}`,
    payment: 1_500_000_000_000_000_000n,
    reverting: { request: { to: grumbler, data: '0x01' }, reason: 'out of order' },
    decline: () => extension.rejectNext(),
    cutOff: () => road.cut(),
    announce() {
      announced += 1
      const rdns = `dev.latchkey.announced${announced}`
      announce(extensionOf({ rdns }), page)
      return rdns
    },
    end: () => road.close(),
  }
})

describeConnector('extension', () => {
  const chains = [chainOf(first), chainOf(second)] as const
  const extension = extensionOf()
  extension.hold()
  return {
    connector: findConnector(extension, chains),
    networks: evm({ chains }).networks,
    approve: () => extension.approve(),
    decline: () => extension.decline(),
    selectAccounts() {
      extension.setAccounts([bobKey, aliceKey])
      return [`eip155:31337:${bob}`, `eip155:31337:${alice}`] as const
    },
    selectChain() {
      extension.setChain(31338)
      return 'eip155:31338'
    },
    leave: () => extension.revoke(),
    reload: () => findConnector(extension, chains),
  }
})

test('verifyMessage calls the contract of a contract account (EIP-1271)', async () => {
  const adapter = evm({ chains: [chainOf(first), chainOf(second)] })
  const [here, elsewhere = here] = adapter.networks
  const signature = `0x${'11'.repeat(65)}`
  expect(await adapter.verifyMessage(here, signer, 'Hello', signature)).toBe(true)
  expect(await adapter.verifyMessage(elsewhere, signer, 'Hello', signature)).toBe(false)
  expect(await adapter.verifyMessage(here, grumbler, 'Hello', signature)).toBe(false)
})
