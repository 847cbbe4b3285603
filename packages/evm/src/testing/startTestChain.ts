import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Adapter, Clock, Connection, Connector } from '@latchkey/core'
import type { Asset, Transfers } from '@latchkey/core/money'
import { readArtifact } from '@latchkey/devnet'
import { announce, requestChain, createSimulatedExtension, type SimulatedExtension } from '@latchkey/testkit'
import { startAnvil } from '@latchkey/testkit/node'
import {
  defineChain,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  numberToHex,
  parseEther,
  type Address,
  type Chain,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { evm } from '../evm.ts'

/** A local chain for one test file, with contracts and funded wallets. */
export type TestChain = Awaited<ReturnType<typeof startTestChain>>

/** A connected wallet of the test chain. */
export type TestWallet = { extension: SimulatedExtension; connection: Connection; address: Address; key: Hex }

/** Starts a chain behind a proxy that can be disconnected or lose responses. */
export async function startTestChain({ chainId = 31_337, clock }: { chainId?: number; clock?: Clock } = {}) {
  const anvil = await startAnvil({ chainId })
  const sendRequest = (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    requestChain(anvil.url, method, params)
  const proxy = await startLossyRpcProxy(anvil.url)
  const chain = chainOf(chainId, proxy.url)
  const adapter = evm({ chains: [chain], page: new EventTarget(), clock })

  const accounts = (await sendRequest('eth_accounts')) as readonly Address[]
  const from = accounts[0]
  const deploy = async (contract: string, args: readonly unknown[] = []): Promise<Address> => {
    const { contractAddress } = await sendAndMine(sendRequest, {
      from,
      data: encodeDeployData({ ...(await readArtifact(contract)), args }),
    })
    return getAddress(contractAddress)
  }
  const call = async (contract: string, to: Address, functionName: string, args: readonly unknown[]): Promise<void> => {
    const { abi } = await readArtifact(contract)
    await sendAndMine(sendRequest, { from, to, data: encodeFunctionData({ abi, functionName, args }) })
  }
  return {
    request: sendRequest,
    proxy,
    chain,
    adapter,
    network: adapter.networks[0],
    native: { symbol: 'ETH', decimals: 18 } satisfies Asset,
    deploy,
    call,
    transfers: () => transfersIn(adapter),
    /** Creates a funded wallet for one test. */
    async wallet(ether = '100'): Promise<TestWallet> {
      const key = generatePrivateKey()
      const address = privateKeyToAddress(key)
      await sendRequest('anvil_setBalance', address, numberToHex(parseEther(ether)))
      return { key, address, ...(await connectWallet(key, chain, proxy.url)) }
    },
    async stop() {
      proxy.close()
      await anvil.stop()
    },
  }
}

async function transfersIn(adapter: Adapter): Promise<Transfers> {
  const transfers = await adapter.transfers?.()
  if (transfers === undefined) throw new Error('The adapter has no transfers.')
  return transfers
}

/** A simulated extension, found in a page and connected. */
async function connectWallet(
  key: Hex,
  chain: Chain,
  url: string,
): Promise<{ extension: SimulatedExtension; connection: Connection }> {
  const extension = createSimulatedExtension({ privateKeys: [key], rpcUrls: { [chain.id]: url }, chainId: chain.id })
  const page = new EventTarget()
  announce(extension, page)
  const found: Connector[] = []
  const stop = evm({ chains: [chain], page, legacy: false }).discover?.((connector) => found.push(connector))
  const [connection] = (await found[0]?.connect({ networks: [], signal: new AbortController().signal })) ?? []
  stop?.()
  if (connection === undefined) throw new Error('The extension was not found.')
  return { extension, connection }
}

function chainOf(id: number, url: string): Chain {
  return defineChain({
    id,
    name: `Local ${id}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
}

type RequestRpc = (method: string, ...params: readonly unknown[]) => Promise<unknown>

/** Sends a transaction from an account of the node, and waits until it is mined. */
async function sendAndMine(
  sendRequest: RequestRpc,
  { from, to, data }: { from: Address | undefined; to?: Address; data: Hex },
) {
  const hash = await sendRequest('eth_sendTransaction', { from, to, data })
  for (;;) {
    const receipt: unknown = await sendRequest('eth_getTransactionReceipt', hash)
    if (receipt !== null) return Object(receipt)
  }
}

/** Starts a proxy that can be disconnected, and that can lose the response to a request that the chain handled. */
async function startLossyRpcProxy(url: string) {
  let isDisconnected = false
  const lost = new Set<string>()
  const server = createServer(async (request, response) => {
    if (isDisconnected) return void request.socket.destroy()
    const body = (await request.toArray()).join('')
    const text = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
      (reply) => reply.text(),
      () => undefined,
    )
    // The chain stops with the tests, even if a request is pending.
    if (text === undefined) return void request.socket.destroy()
    const { method } = JSON.parse(body)
    if (lost.delete(method)) return void request.socket.destroy()
    response.setHeader('content-type', 'application/json').end(text)
  })
  // An idle connection that the server closes could be reused at the same moment.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens always has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    disconnect: () => void (isDisconnected = true),
    reconnect: () => void (isDisconnected = false),
    /** Loses the next response to a method. The chain still handles the request. */
    loseNext: (method: string) => void lost.add(method),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
