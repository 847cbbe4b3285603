import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Adapter, Clock, Connection, Connector } from '@latchkey/core'
import type { Asset, Transfers } from '@latchkey/core/money'
import { readArtifact } from '@latchkey/devnet'
import { announce, askChain, createSimulatedExtension, type SimulatedExtension } from '@latchkey/testkit'
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
import { evm } from '../../evm.ts'

/** A chain of a test's own with tokens on it, and wallets with money. */
export type Bench = Awaited<ReturnType<typeof startBench>>

/** A wallet of the bench, connected. */
export type BenchWallet = { extension: SimulatedExtension; connection: Connection; address: Address; key: Hex }

/** Starts a chain, and a way to it that can be cut or made to lose answers. */
export async function startBench({ chainId = 31_337, clock }: { chainId?: number; clock?: Clock } = {}) {
  const anvil = await startAnvil({ chainId })
  const ask = (method: string, ...params: readonly unknown[]): Promise<unknown> => askChain(anvil.url, method, params)
  const road = await startRoad(anvil.url)
  const chain = chainOf(chainId, road.url)
  const adapter = evm({ chains: [chain], page: new EventTarget(), clock })

  const accounts = (await ask('eth_accounts')) as readonly Address[]
  const from = accounts[0]
  const deploy = async (contract: string, args: readonly unknown[] = []): Promise<Address> => {
    const { contractAddress } = await mined(ask, {
      from,
      data: encodeDeployData({ ...(await readArtifact(contract)), args }),
    })
    return getAddress(contractAddress)
  }
  const call = async (contract: string, to: Address, functionName: string, args: readonly unknown[]): Promise<void> => {
    const { abi } = await readArtifact(contract)
    await mined(ask, { from, to, data: encodeFunctionData({ abi, functionName, args }) })
  }
  return {
    ask,
    road,
    chain,
    adapter,
    network: adapter.networks[0],
    native: { symbol: 'ETH', decimals: 18 } satisfies Asset,
    deploy,
    call,
    transfers: () => transfersIn(adapter),
    /** A wallet with money that nobody else uses. */
    async wallet(ether = '100'): Promise<BenchWallet> {
      const key = generatePrivateKey()
      const address = privateKeyToAddress(key)
      await ask('anvil_setBalance', address, numberToHex(parseEther(ether)))
      return { key, address, ...(await connectWallet(key, chain, road.url)) }
    },
    async stop() {
      road.close()
      await anvil.stop()
    },
  }
}

async function transfersIn(adapter: Adapter): Promise<Transfers> {
  const transfers = await adapter.transfers?.()
  if (transfers === undefined) throw new Error('There is nothing to transfer with.')
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

type Ask = (method: string, ...params: readonly unknown[]) => Promise<unknown>

/** Sends from an account of the node and waits until that is mined. */
async function mined(ask: Ask, { from, to, data }: { from: Address | undefined; to?: Address; data: Hex }) {
  const hash = await ask('eth_sendTransaction', { from, to, data })
  for (;;) {
    const receipt: unknown = await ask('eth_getTransactionReceipt', hash)
    if (receipt !== null) return Object(receipt)
  }
}

/** A way to a chain that can be cut, and that can lose the answer to what was carried out. */
async function startRoad(url: string) {
  let cut = false
  const lost = new Set<string>()
  const server = createServer(async (request, response) => {
    if (cut) return void request.socket.destroy()
    const body = (await request.toArray()).join('')
    const text = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
      (answer) => answer.text(),
      () => undefined,
    )
    // The chain ends with the tests, whoever still asks it.
    if (text === undefined) return void request.socket.destroy()
    const { method } = JSON.parse(body)
    if (lost.delete(method)) return void request.socket.destroy()
    response.setHeader('content-type', 'application/json').end(text)
  })
  // A connection that is closed while it is idle may be closed just as it is used again.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server always has an address of this form while it listens.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    cut: () => void (cut = true),
    mend: () => void (cut = false),
    /** The next answer to a method never arrives, though the chain did what it was asked. */
    loseNext: (method: string) => void lost.add(method),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
