import { memoryStorage } from '@latchkey/core'
import { describeConnector, fakeAccount, fakeNetwork } from '@latchkey/core/testing'
import type { ChainId } from '@latchkey/protocol'
import { startTestServer } from '@latchkey/server/testing'
import { afterAll, beforeAll, expect } from 'vitest'
import { WebSocket } from 'ws'
import { walletConnect } from './connector.ts'
import { createWallet, type SessionProposal } from './wallet.ts'

let server: Awaited<ReturnType<typeof startTestServer>>

beforeAll(async () => {
  server = await startTestServer()
}, 60_000)

afterAll(() => server.close())

describeConnector('walletConnect', () => {
  const options = {
    relayUrl: server.relayUrl,
    projectId: 'ab'.repeat(16),
    metadata: { name: 'Both', description: '', url: 'https://app.example', icons: [] },
    createSocket: (url: string) => new WebSocket(url),
  }
  const accounts = [fakeAccount('eip155:1', 0), fakeAccount('eip155:1', 1), fakeAccount('eip155:10', 0)] as const
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
    networks: [fakeNetwork({ id: 1 }), fakeNetwork({ id: 10 })],
    approve: async () => void (await wallet.approve(await nextProposal(), { accounts })),
    decline: async () => wallet.reject(await nextProposal()),
    async selectAccounts() {
      const [first, second] = accounts
      await wallet.emitEvent(topic(), { name: 'accountsChanged', data: [second] }, 'eip155:1')
      return [second, first]
    },
    async selectChain(): Promise<ChainId> {
      await wallet.emitEvent(topic(), { name: 'chainChanged', data: 10 }, 'eip155:10')
      return 'eip155:10'
    },
    leave: () => wallet.disconnect(topic()),
    reload: () => walletConnect({ ...options, storage }),
    async end() {
      wallet.close()
      await connector.disconnect()
    },
  }
})
