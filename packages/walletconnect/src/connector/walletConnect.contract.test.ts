import { memoryStorage } from '@latchkey/core'
import { describeConnector, fakeAccount, fakeNetwork, type ConnectorWorld } from '@latchkey/core/testing'
import { isNamespace, parseChainId, type ChainId, type Network } from '@latchkey/protocol'
import { startTestRelay } from '@latchkey/server/testing'
import { afterAll, beforeAll, expect } from 'vitest'
import { WebSocket } from 'ws'
import { walletConnect } from './walletConnect.ts'
import { createWallet } from '../wallet/createWallet.ts'
import type { SessionProposal } from '../wallet/sessionProposal.ts'

let server: Awaited<ReturnType<typeof startTestRelay>>

beforeAll(async () => {
  server = await startTestRelay()
})

afterAll(() => server.close())

/** The chains that a phone approves, and the data of its event for the second one. */
const families = [
  { name: 'walletConnect', chains: ['eip155:1', 'eip155:10'], reported: 10 },
  {
    name: 'walletConnect for Solana, along with Polkadot',
    chains: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
    reported: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    additional: 'polkadot:91b171bb158e2d3848fa23a9f1c25182',
  },
  {
    name: 'walletConnect for Bitcoin',
    chains: ['bip122:000000000019d6689c085ae165831e93', 'bip122:000000000933ea01ad0ee984209779ba'],
    reported: 'bip122:000000000933ea01ad0ee984209779ba',
  },
] as const satisfies readonly Family[]

type Family = { name: string; chains: readonly [ChainId, ChainId]; reported: unknown; additional?: ChainId }

for (const family of families) describeConnector(family.name, () => createConnectorWorld(family))

function createConnectorWorld({ chains: [first, second], reported, additional }: Family): ConnectorWorld {
  const options = {
    relayUrl: server.relayUrl,
    projectId: 'ab'.repeat(16),
    metadata: { name: 'Both', description: '', url: 'https://app.example', icons: [] },
    createSocket: (url: string) => new WebSocket(url),
  }
  const accounts = [fakeAccount(first, 0), fakeAccount(first, 1), fakeAccount(second, 0)] as const
  const others = additional === undefined ? [] : [fakeAccount(additional)]
  const storage = memoryStorage()
  const connector = walletConnect({ ...options, storage })
  const wallet = createWallet({ ...options, storage: memoryStorage() })
  const uris: string[] = []
  const proposed: SessionProposal[] = []
  wallet.listen({ proposal: (proposal) => void proposed.push(proposal) })

  const nextProposal = async (): Promise<SessionProposal> => {
    await expect.poll(() => uris.length).toBeGreaterThan(0)
    await wallet.pair(uris.shift() ?? '')
    await expect.poll(() => proposed.length).toBeGreaterThan(0)
    return proposed.shift() ?? expect.fail('no proposal')
  }
  const topic = (): string => wallet.sessions()[0]?.topic ?? expect.fail('no session')

  return {
    connector: {
      ...connector,
      connect: ({ onUri, ...request }) =>
        connector.connect({
          ...request,
          onUri(uri) {
            onUri?.(uri)
            uris.push(uri)
          },
        }),
    },
    networks: [first, second, ...(additional === undefined ? [] : [additional])].map(networkOf),
    approve: async () => void (await wallet.approve(await nextProposal(), { accounts: [...accounts, ...others] })),
    decline: async () => wallet.reject(await nextProposal()),
    async selectAccounts() {
      const [selected, other] = accounts
      await wallet.emitEvent(topic(), { name: 'accountsChanged', data: [other] }, first)
      return [other, selected]
    },
    async selectChain(): Promise<ChainId> {
      await wallet.emitEvent(topic(), { name: 'chainChanged', data: reported }, second)
      return second
    },
    leave: () => wallet.disconnect(topic()),
    reload: () => walletConnect({ ...options, storage }),
    async end() {
      wallet.close()
      await connector.disconnect()
    },
  }
}

function networkOf(chainId: ChainId): Network {
  const { namespace, reference } = parseChainId(chainId)
  return fakeNetwork({ namespace: isNamespace(namespace) ? namespace : expect.fail(), id: reference })
}
