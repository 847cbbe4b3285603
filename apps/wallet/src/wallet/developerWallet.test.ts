import { settled } from '@latchkey/core/fakes'
import { toHex, verifyMessage } from 'viem'
import { expect, test } from 'vitest'
import { networks, testWallet } from '../testing/testWallet.ts'
import { approve, reject } from './answer.ts'
import { disconnect, switchAccount, switchNetwork } from './sessions.ts'
import { setSettings, start, stop } from './start.ts'

const first = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const second = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const signHello = ['personal_sign', [toHex('hello'), first]] as const

async function connected() {
  const parts = testWallet()
  const { wallet, protocol } = parts
  const key = (): string => wallet.store.get().asks[0]?.key ?? ''
  const topic = (): string => wallet.store.get().apps[0]?.session.topic ?? ''
  protocol.propose()
  await approve(wallet, key())
  return { ...parts, key, topic }
}

test('asks before it connects, and shares the account in use unless told otherwise', async () => {
  const { wallet, protocol } = testWallet()
  protocol.propose()
  expect(wallet.store.get().asks).toMatchObject([{ kind: 'proposal', app: { name: 'Test app', host: 'app.example' } }])
  expect(protocol.told).toEqual([])
  await approve(wallet, wallet.store.get().asks[0]?.key ?? '')
  expect(protocol.told).toEqual([{ approved: [`eip155:1:${first}`] }])
  expect(wallet.store.get()).toMatchObject({ asks: [], apps: [{ app: { name: 'Test app' } }] })
})

test('signs what was approved with the key of the account', async () => {
  const { wallet, protocol, key } = await connected()
  protocol.ask(...signHello)
  await approve(wallet, key())
  // The line below fails unless it is a signature.
  const { result } = protocol.told.at(-1) as { result: `0x${string}` }
  expect(await verifyMessage({ address: first, message: 'hello', signature: result })).toBe(true)
})

test('answers a rejection with code 4001', async () => {
  const { wallet, protocol, key } = await connected()
  protocol.ask(...signHello)
  await reject(wallet, key())
  expect(protocol.told.at(-1)).toMatchObject({ error: { code: 4001 } })
  expect(wallet.store.get().asks).toEqual([])
})

test('answers once, however often approve is pressed', async () => {
  const { wallet, protocol, key } = await connected()
  protocol.ask(...signHello)
  await Promise.all([approve(wallet, key()), approve(wallet, key()), reject(wallet, key())])
  expect(protocol.told).toHaveLength(2)
  expect(wallet.store.get().notice).toMatchObject({ tone: 'done', text: 'Signed for Test app.' })
})

test('refuses without asking what it cannot do or must not do', async () => {
  const { wallet, protocol } = await connected()
  protocol.ask('wallet_sendCalls', [])
  protocol.ask('personal_sign', [toHex('hello'), second])
  protocol.ask('wallet_switchEthereumChain', [{ chainId: '0x2105' }])
  protocol.ask('eth_sendTransaction', [])
  await settled()
  expect(protocol.told.slice(1)).toMatchObject([
    { error: { code: 4200 } },
    { error: { code: 4100 } },
    { error: { code: 4902 } },
    { error: { code: -32602 } },
  ])
  expect(wallet.store.get()).toMatchObject({ asks: [], notice: { tone: 'failure' } })
})

test('switches an app to another network: grants it, tells it, and remembers it', async () => {
  const { wallet, protocol, key, topic } = await connected()
  protocol.ask('wallet_switchEthereumChain', [{ chainId: '0x5' }])
  await approve(wallet, key())
  expect(protocol.told.slice(1)).toEqual([
    { updated: [`eip155:1:${first}`, `eip155:5:${first}`] },
    { event: 'chainChanged', data: 5 },
    { result: null },
  ])
  expect(wallet.store.get().apps[0]?.standings).toEqual({ eip155: { chainId: 'eip155:5', address: first } })
  expect(wallet.memory.standings(topic())).toEqual({ eip155: { chainId: 'eip155:5', address: first } })
})

test('shows an app another account', async () => {
  const { wallet, protocol, topic } = await connected()
  const account = wallet.families[0].accounts[1] ?? expect.fail('there is a second account')
  await switchAccount(wallet, topic(), account)
  expect(protocol.told.slice(1)).toEqual([
    { updated: [`eip155:1:${first}`, `eip155:1:${second}`] },
    { event: 'accountsChanged', data: [`eip155:1:${second}`] },
  ])
  const [network] = networks
  if (network !== undefined) await switchNetwork(wallet, topic(), network)
  expect(protocol.told.at(-1)).toEqual({ event: 'chainChanged', data: 1 })
})

test('approves or rejects everything by itself, also what was waiting already', async () => {
  const { wallet, protocol } = await connected()
  protocol.ask(...signHello)
  setSettings(wallet, { answers: 'reject' })
  await settled()
  expect(protocol.told.at(-1)).toMatchObject({ error: { code: 4001 } })
  setSettings(wallet, { answers: 'approve' })
  protocol.ask(...signHello)
  await expect.poll(() => protocol.told.at(-1)).toHaveProperty('result')
})

test('rejects by itself a proposal that nobody could approve', async () => {
  const { wallet, protocol } = testWallet()
  setSettings(wallet, { answers: 'approve' })
  protocol.propose({ requiredNamespaces: { eip155: { chains: ['eip155:10'], methods: [], events: [] } } })
  await settled()
  expect(protocol.told).toEqual([{ rejected: 5000 }])
})

test('answers three seconds late when that is wanted', async () => {
  const { wallet, protocol, key, clock } = await connected()
  setSettings(wallet, { isSlow: true })
  protocol.ask(...signHello)
  const rejected = reject(wallet, key())
  clock.advance(2_999)
  await settled()
  expect(protocol.told).toHaveLength(1)
  expect(wallet.store.get().asks).toMatchObject([{ isAnswering: true }])
  clock.advance(1)
  await rejected
  expect(protocol.told).toHaveLength(2)
})

test('takes up what waited once it is online again', async () => {
  const { wallet, protocol } = await connected()
  setSettings(wallet, { isOffline: true })
  expect(wallet.store.get()).toMatchObject({ link: 'offline', asks: [] })
  protocol.ask(...signHello)
  expect(wallet.store.get().asks).toEqual([])
  setSettings(wallet, { isOffline: false })
  expect(wallet.store.get()).toMatchObject({ link: 'open', asks: [{ kind: 'request' }] })
})

test('does nothing twice when the connection goes before the answer does', async () => {
  const { wallet, protocol, key } = await connected()
  protocol.ask(...signHello)
  const approved = approve(wallet, key())
  stop(wallet)
  await approved
  expect(protocol.told).toHaveLength(1)
  start(wallet)
  await settled()
  expect(wallet.store.get().asks).toEqual([])
  expect(protocol.told.at(-1)).toHaveProperty('result')
})

test('says when an answer did not get through', async () => {
  const { wallet, protocol, key } = await connected()
  protocol.ask(...signHello)
  protocol.isReachable = false
  await reject(wallet, key())
  expect(wallet.store.get().notice).toMatchObject({
    tone: 'failure',
    text: expect.stringContaining('did not get through'),
  })
})

test('lets go of what expired', async () => {
  const { wallet, protocol, clock } = await connected()
  protocol.ask(...signHello)
  clock.advance(300_000)
  expect(wallet.store.get().asks).toHaveLength(1)
  clock.advance(1_000)
  expect(wallet.store.get().asks).toEqual([])
})

test('follows an app that leaves, and tells an app that it leaves', async () => {
  const { wallet, protocol, topic } = await connected()
  protocol.ask(...signHello)
  protocol.leave()
  expect(wallet.store.get()).toMatchObject({ apps: [], asks: [], notice: { text: 'Test app disconnected.' } })
  protocol.propose()
  await approve(wallet, wallet.store.get().asks[0]?.key ?? '')
  await disconnect(wallet, topic())
  expect(protocol.told.at(-1)).toBe('disconnected')
  expect(wallet.store.get().apps).toEqual([])
})

test('keeps its settings over a reload, and believes nothing malformed', async () => {
  const { wallet, storage } = testWallet()
  setSettings(wallet, { answers: 'reject', isSlow: true, selected: { eip155: second } })
  expect(testWallet(storage).wallet.store.get().settings).toMatchObject({ answers: 'reject', isSlow: true })
  storage.setItem('@latchkey/wallet/settings', '{"answers":"sign","selected":[1],"theme":7}')
  expect(testWallet(storage).wallet.store.get().settings).toEqual({
    answers: 'ask',
    isSlow: false,
    isOffline: false,
    theme: 'system',
    selected: {},
  })
})

test('works without a storage as long as the page lives', async () => {
  const { wallet, storage } = testWallet()
  storage.denied = true
  setSettings(wallet, { isSlow: true })
  expect(wallet.memory.settings().isSlow).toBe(true)
})
