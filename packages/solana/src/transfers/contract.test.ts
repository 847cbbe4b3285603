import type { Connection, Connector } from '@latchkey/core'
import { describeTransfers } from '@latchkey/core/testing'
import { solanaAddresses, startSolana, type LocalSolana } from '@latchkey/devnet'
import { createSimulatedSolanaWallet, registerSolanaWallet, type SimulatedSolanaWallet } from '@latchkey/testkit'
import { beforeAll } from 'vitest'
import { solana } from '../solana.ts'
import { mintToken } from '../testing/mintToken.ts'
import { startRpcProxy } from '../testing/startRpcProxy.ts'

// Accounts 1 and 2 of the phrase that all development chains share. They are funded there only.
const aliceKey = '3f25626cf245c8dd65a2b91a70e6f4c285182489fda230e2553c3752aa962b61'
const bobKey = '8eabe4c79ac3a146c1bc447a64233ea70694669b997b0565039471b2939e8c5e'
const [, alice, , carol] = solanaAddresses as readonly string[] as readonly [string, string, string, string]
const unused = 'So11111111111111111111111111111111111111113'

let chain: LocalSolana
let dollars: { address: string; name: string; symbol: string; decimals: number }

beforeAll(async () => {
  const started = await startSolana()
  if (started === undefined) throw new Error('The Solana runtime is not installed.')
  chain = started
  const key = new Uint8Array(Buffer.from(aliceKey, 'hex'))
  const named = { seed: 'plain', name: 'Plain Token', symbol: 'PLAIN', withheld: 0n, amount: 10n ** 12n }
  const address = await mintToken(chain.rpcUrl, key, named)
  dollars = { address, name: named.name, symbol: named.symbol, decimals: 6 }
  return () => chain.close()
})

describeTransfers('solana', async () => {
  const proxy = await startRpcProxy(chain.rpcUrl)
  const network = { ...chain.network, rpcUrls: { default: { http: [proxy.url] } } }
  const wallet = walletOf(aliceKey)
  const transfers = await solana({ networks: [network], page: new EventTarget() }).transfers?.()
  if (transfers === undefined) throw new Error('Nothing can be transferred.')
  const connection = await connectTo(wallet)
  const from = connection.accounts[0]
  const native = { symbol: 'SOL', decimals: 9 }
  return {
    transfers,
    network,
    connection,
    spender: await connectTo(walletOf(bobKey)),
    receiver: carol,
    native,
    token: dollars,
    amount: 1_500_000n,
    notAddresses: ['1', carol.slice(0, -3), carol.replace('9', '0'), '0x90F79bf6EB2c4f870365E785982E1f101E93b906'],
    notToken: alice,
    unknownHash: '5'.repeat(87),
    // Below the minimum balance of an account.
    failing: {
      transfer: { from, to: unused, asset: native, amount: 1n },
      reason: 'InsufficientFundsForRent',
    },
    decline: () => wallet.rejectNext(),
    cutOff: () => proxy.disconnect(),
    end: () => proxy.close(),
  }
})

function walletOf(key: string): SimulatedSolanaWallet {
  return createSimulatedSolanaWallet({ privateKeys: [key], rpcUrls: { 'solana:localnet': chain.rpcUrl } })
}

async function connectTo(wallet: SimulatedSolanaWallet): Promise<Connection> {
  const page = new EventTarget()
  registerSolanaWallet(wallet, page)
  const found: Connector[] = []
  solana({ networks: [chain.network], page }).discover?.((connector) => found.push(connector))
  const granted = await found[0]?.connect({ networks: [chain.network], signal: new AbortController().signal })
  if (granted === undefined) throw new Error('The wallet was not found.')
  return granted[0]
}
