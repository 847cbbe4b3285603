import { connect, createLatchkey, memoryStorage, type Latchkey } from '@latchkey/core'
import { fakeAccount } from '@latchkey/core/testing'
import { fakeAdapter } from '@latchkey/core/fakes'
import { startTestRelay } from '@latchkey/server/testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { walletConnect } from '../../connector/walletConnect.ts'
import { sessionTerms } from './peers.ts'
import { createTheirClient } from './theirPeers.ts'

let server: Awaited<ReturnType<typeof startTestRelay>>
beforeAll(async () => {
  server = await startTestRelay()
})
afterAll(() => server.close(), 60_000)

const methods = {
  eip155: 'personal_sign',
  solana: 'solana_signMessage',
  polkadot: 'polkadot_signMessage',
  bip122: 'signMessage',
} as const
const namespaces: readonly (keyof typeof methods)[] = ['eip155', 'solana', 'polkadot', 'bip122']

type Received = { method: string; chainId: string }

/** A wallet of the published client that grants every namespace of a proposal in one session. */
async function createTheirWallet(): Promise<{ pair(uri: string): Promise<unknown>; received: readonly Received[] }> {
  const client = await createTheirClient('2.21.8', { relayUrl: server.relayUrl, store: new Map() }, 'Their wallet')
  const received: Received[] = []
  client.on('session_proposal', ({ id, params }) => {
    const granted = Object.entries(params.optionalNamespaces).map(([namespace, { chains = [], ...scope }]) => {
      // Proposals name chains by CAIP-2.
      const accounts = chains.map((chain) => fakeAccount(chain as `eip155:${string}`))
      return [namespace, { chains, methods: scope.methods, events: scope.events, accounts }] as const
    })
    void client.approve({ id, namespaces: Object.fromEntries(granted) })
  })
  client.on('session_request', ({ id, topic, params: { request, chainId } }) => {
    received.push({ method: request.method, chainId })
    void client.respond({ topic, response: { id, jsonrpc: '2.0', result: { signed: request.method } } })
  })
  onTestFinished(async () => {
    client.core.heartbeat.stop()
    await client.core.relayer.transportClose()
  })
  return { pair: (uri) => client.pair({ uri }), received }
}

function createApp(): Latchkey {
  const connector = walletConnect({
    relayUrl: server.relayUrl,
    projectId: sessionTerms.projectId,
    metadata: { name: 'App', description: '', url: 'https://app.example', icons: [] },
    storage: memoryStorage(),
    createSocket: (url) => new WebSocket(url),
  })
  const adapters = namespaces.map((namespace) => fakeAdapter({ namespace }))
  return createLatchkey({ adapters, connectors: [connector], storage: memoryStorage() })
}

test('a wallet of the published client connects four namespaces in one session [R1.7] [R3.1]', async () => {
  const wallet = await createTheirWallet()
  const latchkey = createApp()
  await connect(latchkey, 'walletConnect', { onUri: (uri) => void wallet.pair(uri) })
  const states = latchkey.wallet.getState().namespaces
  expect(namespaces.map((namespace) => states[namespace]?.status)).toEqual(namespaces.map(() => 'connected'))
  for (const namespace of namespaces) {
    const state = states[namespace]
    if (state?.status !== 'connected') return expect.unreachable()
    const response = await state.connection.provider.request({ method: methods[namespace], params: ['0x00', '0xab'] })
    expect(response).toEqual({ signed: methods[namespace] })
  }
  const requested = namespaces.map((namespace) => ({ method: methods[namespace], chainId: `${namespace}:1` }))
  expect(wallet.received).toEqual(expect.arrayContaining(requested))
})
