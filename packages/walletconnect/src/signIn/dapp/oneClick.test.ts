import { memoryStorage, type Connection, type Connector } from '@latchkey/core'
import { fakeNetwork } from '@latchkey/core/testing'
import {
  formatSignInMessage,
  type AccountId,
  type ChainId,
  type SignInRequest,
  type SignInSession,
} from '@latchkey/protocol'
import { startTestServer } from '@latchkey/server/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { randomBytes } from '../../crypto/bytes.ts'
import { walletConnect, type WalletConnectOptions } from '../../connector/walletConnect.ts'
import { createParties, type Parties, type Phone } from '../../testing/parties.ts'
import { createTestSigner } from '../../testing/testSigner.ts'
import { createCacao, type Cacao, type SignatureType } from '../cacao.ts'
import type { AuthPayload } from '../authPayload.ts'
import type { SessionProposal } from '../../wallet/sessionProposal.ts'
import { isSignedBy } from '../isSignedBy.ts'

const signer = createTestSigner(randomBytes(32))
const networks = [fakeNetwork({ id: 1 }), fakeNetwork({ id: 10 })]
const accounts = networks.map(({ id }): AccountId => `eip155:${String(id)}:${signer.address}`)
const message: SignInRequest = {
  chains: ['eip155:1'],
  domain: 'app.example',
  uri: 'https://app.example/login',
  nonce: 'abcdef0123456789',
  version: '1',
  statement: 'Welcome back.',
  issuedAt: '2026-11-22T10:00:00.000Z',
  expirationTime: '2100-01-01T00:00:00.000Z',
  requestId: 'seven',
}

let server: Awaited<ReturnType<typeof startTestServer>>
let parties: Parties
const connectors: Connector[] = []
const createSocket = (url: string): WebSocket => new WebSocket(url)

beforeAll(async () => {
  server = await startTestServer()
  parties = createParties({ relayUrl: server.relayUrl, createSocket })
})
afterEach(async () => {
  await Promise.all(connectors.splice(0).map((connector) => connector.disconnect()))
  parties.close()
})
afterAll(() => server.close())

type Attempt = {
  phone: Phone
  proposal: SessionProposal
  connecting: Promise<readonly Connection[]>
  signed: SignInSession[]
}

/** Offers a sign-in and waits for the wallet's proposal. */
async function proposeSignIn(
  content: Partial<SignInRequest> = {},
  options: Partial<WalletConnectOptions> = {},
  offeredNetworks = networks,
): Promise<Attempt> {
  const phone = parties.phone()
  const connector = walletConnect({
    relayUrl: server.relayUrl,
    projectId: 'ab'.repeat(16),
    metadata: { name: 'App', description: '', url: 'https://app.example', icons: [] },
    storage: memoryStorage(),
    createSocket,
    ...options,
  })
  connectors.push(connector)
  const signed: SignInSession[] = []
  const connecting = connector.connect({
    networks: offeredNetworks,
    signal: new AbortController().signal,
    onUri: (uri) => void phone.pair(uri),
    signIn: { message: { ...message, ...content }, signed: (session) => void signed.push(session) },
  })
  // Evaluated after the response of the wallet.
  connecting.catch(() => {})
  return { phone, proposal: await phone.nextProposal(), connecting, signed }
}

function createSignedCacaos({ phone, proposal }: Attempt, type?: SignatureType): readonly Cacao[] {
  const [payload = expect.fail('nothing to sign')]: readonly AuthPayload[] = proposal.authentication
  return payload.chains.map((chain) => {
    const account: AccountId = `eip155:${chain.slice('eip155:'.length)}:${signer.address}`
    return createCacao(payload, account, signer.sign(phone.formatAuthMessage({ payload }, account)), type)
  })
}

test('passes on the signed message of each chain before the connection is established', async () => {
  const attempt = await proposeSignIn({ chains: ['eip155:1', 'eip155:10'] })
  const { phone, proposal, connecting, signed } = attempt
  const auths = createSignedCacaos(attempt)
  await phone.approve(proposal, { accounts, auths })
  const [connection] = await connecting
  expect(connection?.accounts).toEqual(accounts.slice(0, 1))
  expect(signed.map(({ data: { chainId } }) => chainId)).toEqual(['eip155:1', 'eip155:10'])
  const [session = expect.fail('nothing was signed')] = signed
  const { chains: _, ...content } = message
  expect(session.data).toEqual({ ...content, chainId: 'eip155:1', accountAddress: signer.address })
  expect(session.message).toBe(
    [
      'app.example wants you to sign in with your Ethereum account:',
      signer.address,
      '',
      'Welcome back.',
      '',
      'URI: https://app.example/login',
      'Version: 1',
      'Chain ID: 1',
      'Nonce: abcdef0123456789',
      'Issued At: 2026-11-22T10:00:00.000Z',
      'Expiration Time: 2100-01-01T00:00:00.000Z',
      'Request ID: seven',
    ].join('\n'),
  )
  expect(session.message).toBe(formatSignInMessage(session.data))
  expect(isSignedBy(signer.address, session.message, session.signature)).toBe(true)
  expect(session.cacao).toEqual(auths[0])
})

test('connects without a signature if the wallet gives none', async () => {
  const { phone, proposal, connecting, signed } = await proposeSignIn()
  expect(proposal.authentication).toHaveLength(1)
  await phone.approve(proposal, { accounts })
  expect(await connecting).toHaveLength(1)
  expect(signed).toEqual([])
})

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

test.each<[string, readonly ChainId[], typeof networks]>([
  ['network', ['eip155:1'], [...networks, fakeNetwork({ namespace: 'solana', id: solana.slice('solana:'.length) })]],
  ['sign-in', ['eip155:1', solana], networks],
])('is not sent if a chain of the %s is of another namespace [R5.2.2]', async (_what, chains, offeredNetworks) => {
  const { phone, proposal, connecting, signed } = await proposeSignIn({ chains }, {}, offeredNetworks)
  expect(proposal.authentication).toEqual([])
  await phone.approve(proposal, { accounts })
  await connecting
  expect(signed).toEqual([])
})

test('rejects if the signed content differs from the request', async () => {
  const attempt = await proposeSignIn()
  const { phone, proposal, connecting, signed } = attempt
  const [auth = expect.fail()] = createSignedCacaos(attempt)
  const auths = [{ ...auth, p: { ...auth.p, nonce: 'ffffffffffffffff' } }]
  await phone.approve(proposal, { accounts, auths })
  await expect(connecting).rejects.toMatchObject({ code: 'session/invalid' })
  expect(signed).toEqual([])
})

test('connects a contract account, and passes on its signature only with verifyContract', async () => {
  const unasked = await proposeSignIn()
  await unasked.phone.approve(unasked.proposal, { accounts, auths: createSignedCacaos(unasked, 'eip1271') })
  expect(await unasked.connecting).toHaveLength(1)
  expect(unasked.signed).toEqual([])
  const requested: string[] = []
  const verifyContract = async ({ address }: { address: string }): Promise<boolean> => {
    requested.push(address)
    return true
  }
  const attempt = await proposeSignIn({}, { verifyContract })
  await attempt.phone.approve(attempt.proposal, { accounts, auths: createSignedCacaos(attempt, 'eip1271') })
  await attempt.connecting
  expect(requested).toEqual([signer.address])
  expect(attempt.signed).toHaveLength(1)
})
