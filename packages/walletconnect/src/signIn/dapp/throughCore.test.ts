import { connect, createLatchkey, getAccount, localSignIn, memoryStorage, systemClock } from '@latchkey/core'
import { fakeAdapter, fakeNetwork } from '@latchkey/core/testing'
import { formatSignInMessage, type AccountId } from '@latchkey/protocol'
import { startTestServer } from '@latchkey/server/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { randomBytes } from '../../crypto/bytes.ts'
import { walletConnect } from '../../connector/walletConnect.ts'
import { createParties, type Parties } from '../../testing/parties.ts'
import { createTestSigner } from '../../testing/testSigner.ts'
import { createCacao } from '../cacao.ts'
import { isSignedBy } from '../isSignedBy.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
let parties: Parties
const createSocket = (url: string): WebSocket => new WebSocket(url)

beforeAll(async () => {
  server = await startTestServer()
  parties = createParties({ relayUrl: server.relayUrl, createSocket })
})
afterEach(() => parties.close())
afterAll(() => server.close())

test('an app with sign-in gets a session on each chain after one approval', async () => {
  const signer = createTestSigner(randomBytes(32))
  const networks = [fakeNetwork({ id: 1 }), fakeNetwork({ id: 10 })] as const
  const accountOn = (chainId: string): AccountId => `eip155:${chainId.slice('eip155:'.length)}:${signer.address}`
  const storage = memoryStorage()
  const siwx = localSignIn({ domain: 'app.example', uri: 'https://app.example', statement: 'Welcome.', storage })
  const phone = parties.phone()
  const connector = walletConnect({
    relayUrl: server.relayUrl,
    projectId: 'ab'.repeat(16),
    metadata: { name: 'App', description: '', url: 'https://app.example', icons: [] },
    storage: memoryStorage(),
    createSocket,
  })
  const latchkey = createLatchkey({
    adapters: [fakeAdapter({ networks })],
    connectors: [connector],
    storage: memoryStorage(),
    clock: systemClock,
    siwx,
  })
  const connecting = connect(latchkey, 'walletConnect', { onUri: (uri) => void phone.pair(uri) })
  const proposal = await phone.nextProposal()
  const [payload = expect.fail('nothing to sign')] = proposal.authentication
  expect(payload.chains).toEqual(['eip155:1', 'eip155:10'])
  const auths = payload.chains.map((chainId) => {
    const account = accountOn(chainId)
    return createCacao(payload, account, signer.sign(phone.formatAuthMessage({ payload }, account)))
  })
  await phone.approve(proposal, { accounts: payload.chains.map(accountOn), auths })
  expect(await connecting).toBe(accountOn('eip155:1'))
  expect(getAccount(latchkey).status).toBe('connected')
  for (const { caipNetworkId } of networks) {
    const [session = expect.fail('no session exists')] = await siwx.getSessions(caipNetworkId, signer.address)
    expect(session.message).toBe(formatSignInMessage(session.data))
    expect(isSignedBy(signer.address, session.message, session.signature)).toBe(true)
  }
  await connector.disconnect()
})
