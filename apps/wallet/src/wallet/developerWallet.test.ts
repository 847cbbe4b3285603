import { flushTasks } from '@latchkey/core/fakes'
import { toHex, verifyMessage } from 'viem'
import { expect, test } from 'vitest'
import { networks, testWallet } from '../testing/testWallet.ts'
import { approve } from './approve.ts'
import { disconnect } from './disconnect.ts'
import { reject } from './reject.ts'
import { switchAccount, switchNetwork } from './switchNetwork.ts'
import { setSettings, start, stop } from './start.ts'

const first = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const second = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const signHello = ['personal_sign', [toHex('hello'), first]] as const

async function setUpConnectedWallet() {
  const options = testWallet()
  const { wallet, protocol } = options
  const key = (): string => wallet.store.get().pendingRequests[0]?.key ?? ''
  const topic = (): string => wallet.store.get().apps[0]?.session.topic ?? ''
  protocol.propose()
  await approve(wallet, key())
  return { ...options, key, topic }
}

test('proposal waits for approval, then shares the selected account by default', async () => {
  const { wallet, protocol } = testWallet()
  protocol.propose()
  expect(wallet.store.get().pendingRequests).toMatchObject([
    { kind: 'proposal', app: { name: 'Test app', host: 'app.example' } },
  ])
  expect(protocol.sent).toEqual([])
  await approve(wallet, wallet.store.get().pendingRequests[0]?.key ?? '')
  expect(protocol.sent).toEqual([{ approved: [`eip155:1:${first}`] }])
  expect(wallet.store.get()).toMatchObject({ pendingRequests: [], apps: [{ app: { name: 'Test app' } }] })
})

test('approved request is signed with the key of the account', async () => {
  const { wallet, protocol, key } = await setUpConnectedWallet()
  protocol.request(...signHello)
  await approve(wallet, key())
  // The next line fails unless the result is a signature.
  const { result } = protocol.sent.at(-1) as { result: `0x${string}` }
  expect(await verifyMessage({ address: first, message: 'hello', signature: result })).toBe(true)
})

test('rejected request returns code 4001', async () => {
  const { wallet, protocol, key } = await setUpConnectedWallet()
  protocol.request(...signHello)
  await reject(wallet, key())
  expect(protocol.sent.at(-1)).toMatchObject({ error: { code: 4001 } })
  expect(wallet.store.get().pendingRequests).toEqual([])
})

test('repeated approvals of a request send one response', async () => {
  const { wallet, protocol, key } = await setUpConnectedWallet()
  protocol.request(...signHello)
  await Promise.all([approve(wallet, key()), approve(wallet, key()), reject(wallet, key())])
  expect(protocol.sent).toHaveLength(2)
  expect(wallet.store.get().notice).toMatchObject({ tone: 'done', text: 'Signed for Test app.' })
})

test('unsupported or unauthorized request is rejected without a prompt', async () => {
  const { wallet, protocol } = await setUpConnectedWallet()
  protocol.request('wallet_sendCalls', [])
  protocol.request('personal_sign', [toHex('hello'), second])
  protocol.request('wallet_switchEthereumChain', [{ chainId: '0x2105' }])
  protocol.request('eth_sendTransaction', [])
  await flushTasks()
  expect(protocol.sent.slice(1)).toMatchObject([
    { error: { code: 4200 } },
    { error: { code: 4100 } },
    { error: { code: 4902 } },
    { error: { code: -32602 } },
  ])
  expect(wallet.store.get()).toMatchObject({ pendingRequests: [], notice: { tone: 'failure' } })
})

test('approved network switch notifies the app and is stored', async () => {
  const { wallet, protocol, key, topic } = await setUpConnectedWallet()
  protocol.request('wallet_switchEthereumChain', [{ chainId: '0x5' }])
  await approve(wallet, key())
  expect(protocol.sent.slice(1)).toEqual([
    { updated: [`eip155:1:${first}`, `eip155:5:${first}`] },
    { event: 'chainChanged', data: 5 },
    { result: null },
  ])
  expect(wallet.store.get().apps[0]?.connections).toEqual({ eip155: { chainId: 'eip155:5', address: first } })
  expect(wallet.memory.connections(topic())).toEqual({ eip155: { chainId: 'eip155:5', address: first } })
})

test('account switch notifies the app', async () => {
  const { wallet, protocol, topic } = await setUpConnectedWallet()
  const account = wallet.adapters[0].accounts[1] ?? expect.fail('there is a second account')
  await switchAccount(wallet, topic(), account)
  expect(protocol.sent.slice(1)).toEqual([
    { updated: [`eip155:1:${first}`, `eip155:1:${second}`] },
    { event: 'accountsChanged', data: [`eip155:1:${second}`] },
  ])
  const [network] = networks
  if (network !== undefined) await switchNetwork(wallet, topic(), network)
  expect(protocol.sent.at(-1)).toEqual({ event: 'chainChanged', data: 1 })
})

test('automatic mode approves or rejects new and pending requests', async () => {
  const { wallet, protocol } = await setUpConnectedWallet()
  protocol.request(...signHello)
  setSettings(wallet, { responseMode: 'reject' })
  await flushTasks()
  expect(protocol.sent.at(-1)).toMatchObject({ error: { code: 4001 } })
  setSettings(wallet, { responseMode: 'approve' })
  protocol.request(...signHello)
  await expect.poll(() => protocol.sent.at(-1)).toHaveProperty('result')
})

test('automatic approval rejects a proposal that is not supported', async () => {
  const { wallet, protocol } = testWallet()
  setSettings(wallet, { responseMode: 'approve' })
  protocol.propose({ requiredNamespaces: { eip155: { chains: ['eip155:10'], methods: [], events: [] } } })
  await flushTasks()
  expect(protocol.sent).toEqual([{ rejected: 5000 }])
})

test('slow responses setting delays a response by three seconds', async () => {
  const { wallet, protocol, key, clock } = await setUpConnectedWallet()
  setSettings(wallet, { isSlow: true })
  protocol.request(...signHello)
  const rejected = reject(wallet, key())
  clock.advance(2_999)
  await flushTasks()
  expect(protocol.sent).toHaveLength(1)
  expect(wallet.store.get().pendingRequests).toMatchObject([{ isResponding: true }])
  clock.advance(1)
  await rejected
  expect(protocol.sent).toHaveLength(2)
})

test('pending requests are restored after going online again', async () => {
  const { wallet, protocol } = await setUpConnectedWallet()
  setSettings(wallet, { isOffline: true })
  expect(wallet.store.get()).toMatchObject({ relayConnection: 'offline', pendingRequests: [] })
  protocol.request(...signHello)
  expect(wallet.store.get().pendingRequests).toEqual([])
  setSettings(wallet, { isOffline: false })
  expect(wallet.store.get()).toMatchObject({ relayConnection: 'open', pendingRequests: [{ kind: 'request' }] })
})

test('request is executed once if the connection drops before the response', async () => {
  const { wallet, protocol, key } = await setUpConnectedWallet()
  protocol.request(...signHello)
  const approved = approve(wallet, key())
  stop(wallet)
  await approved
  expect(protocol.sent).toHaveLength(1)
  start(wallet)
  await flushTasks()
  expect(wallet.store.get().pendingRequests).toEqual([])
  expect(protocol.sent.at(-1)).toHaveProperty('result')
})

test('proposals of two apps with the same id are both shown, and each gets its own decision', async () => {
  const { wallet, protocol, key } = await setUpConnectedWallet()
  for (const name of ['one', 'two']) protocol.propose({ id: 77, pairingTopic: `pairing ${name}` })
  expect(wallet.store.get().pendingRequests).toHaveLength(2)
  await reject(wallet, key())
  expect(protocol.proposals()).toMatchObject([{ pairingTopic: 'pairing two' }])
  expect(wallet.store.get().pendingRequests).toMatchObject([{ proposal: { pairingTopic: 'pairing two' } }])
})

test('response to a request that is over is not sent to a later request with its id', async () => {
  const { wallet, protocol, key, clock } = await setUpConnectedWallet()
  protocol.request(...signHello)
  const approved = approve(wallet, key())
  stop(wallet)
  await approved
  clock.advance(301_000)
  start(wallet)
  expect(wallet.undelivered.size).toBe(0)
})

test('undeliverable response shows a notice', async () => {
  const { wallet, protocol, key } = await setUpConnectedWallet()
  protocol.request(...signHello)
  protocol.isReachable = false
  await reject(wallet, key())
  expect(wallet.store.get().notice).toMatchObject({
    tone: 'failure',
    text: expect.stringContaining('could not be delivered'),
  })
})

test('expired requests are removed', async () => {
  const { wallet, protocol, clock } = await setUpConnectedWallet()
  protocol.request(...signHello)
  clock.advance(300_000)
  expect(wallet.store.get().pendingRequests).toHaveLength(1)
  clock.advance(1_000)
  expect(wallet.store.get().pendingRequests).toEqual([])
})

test('disconnected app is removed, and disconnecting notifies the app', async () => {
  const { wallet, protocol, topic } = await setUpConnectedWallet()
  protocol.request(...signHello)
  protocol.endSession()
  expect(wallet.store.get()).toMatchObject({
    apps: [],
    pendingRequests: [],
    notice: { text: 'Test app disconnected.' },
  })
  protocol.propose()
  await approve(wallet, wallet.store.get().pendingRequests[0]?.key ?? '')
  await disconnect(wallet, topic())
  expect(protocol.sent.at(-1)).toBe('disconnected')
  expect(wallet.store.get().apps).toEqual([])
})

test('settings are restored after a reload, and malformed ones are ignored', async () => {
  const { wallet, storage } = testWallet()
  setSettings(wallet, { responseMode: 'reject', isSlow: true, selected: { eip155: second } })
  expect(testWallet(storage).wallet.store.get().settings).toMatchObject({ responseMode: 'reject', isSlow: true })
  storage.setItem('@latchkey/wallet/settings', '{"answers":"sign","selected":[1],"theme":7}')
  expect(testWallet(storage).wallet.store.get().settings).toEqual({
    responseMode: 'ask',
    isSlow: false,
    isOffline: false,
    theme: 'system',
    selected: {},
  })
})

test('wallet without storage keeps its state in memory', async () => {
  const { wallet, storage } = testWallet()
  storage.denied = true
  setSettings(wallet, { isSlow: true })
  expect(wallet.memory.settings().isSlow).toBe(true)
})
