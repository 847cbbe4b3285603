import type { Connection, Connector } from '@latchkey/core'
import { describeConnector, getRejection, manualClock, flushTasks } from '@latchkey/core/testing'
import {
  requestChain,
  createSimulatedSafe,
  messageFrom,
  openInSafe,
  type SafeWindow,
  type SimulatedSafe,
  type SimulatedSafeOptions,
} from '@latchkey/testkit'
import { startAnvil, type Anvil } from '@latchkey/testkit/node'
import fc from 'fast-check'
import { defineChain } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { evm } from '../evm.ts'

// The second key of every development chain. It is funded there only.
const ownerKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const burnAddress = '0x000000000000000000000000000000000000dEaD'
const origin = 'https://safe.test'

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

function adapterIn(page: EventTarget, safeOrigins?: readonly string[], clock = manualClock()) {
  const chain = defineChain({
    id: 31_337,
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [anvil.url] } },
  })
  return evm({ chains: [chain], page, safeOrigins, clock })
}

async function makeSafe(options: Partial<SimulatedSafeOptions> = {}): Promise<SimulatedSafe> {
  const safe = await createSimulatedSafe({ ownerKey, rpcUrl: anvil.url, chainId: 31_337, ...options })
  await requestChain(anvil.url, 'anvil_setBalance', [safe.address, '0xde0b6b3a7640000'])
  return safe
}

/** A page that keeps its storage over a reload. */
function makePage(storage = new Map<string, string>()) {
  const localStorage = {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  }
  return { storage, page: Object.assign(new EventTarget(), { localStorage }) }
}

/** Waits for the connector that is found in a page. */
async function findSafe(adapter: ReturnType<typeof evm>): Promise<Connector> {
  const connector = await new Promise<Connector>((resolve) => {
    const stop = adapter.discover?.(resolve)
    onTestFinished(() => stop?.())
  })
  return connector
}

async function connectTestWallet(options: Partial<SimulatedSafeOptions> = {}) {
  const safe = await makeSafe(options)
  const { page } = makePage()
  const window = openInSafe(page, safe, origin)
  const clock = manualClock()
  const adapter = adapterIn(page, undefined, clock)
  const connector = await findSafe(adapter)
  const [connection] = await connector.connect({ networks: [], signal: new AbortController().signal })
  const [network] = adapter.networks
  return { safe, page, window, clock, adapter, connector, connection, account: connection.accounts[0], network }
}

describeConnector('a Safe', async () => {
  const safe = await makeSafe()
  const { page, storage } = makePage()
  openInSafe(page, safe, origin)
  const adapter = adapterIn(page)
  const connector = await findSafe(adapter)
  safe.hold({ info: true })
  return {
    connector,
    networks: adapter.networks,
    approve: () => safe.approve(),
    decline: () => safe.decline(),
    async reload() {
      const reopened = makePage(storage).page
      safe.hold({ info: false })
      openInSafe(reopened, safe, origin)
      return findSafe(adapterIn(reopened))
    },
  }
})

describe('a Safe around the page', () => {
  test('connects as a smart account on a single chain [R3.3] [R6.1]', async () => {
    const { safe, connector, connection, account } = await connectTestWallet()
    expect(connector).toMatchObject({ id: 'safe', name: 'Safe', type: 'external', namespaces: ['eip155'] })
    expect(connection).toMatchObject({
      accounts: [`eip155:31337:${safe.address}`],
      chainId: 'eip155:31337',
      approvedChains: ['eip155:31337'],
    })
    expect(connection.details?.(account)).toEqual({ type: 'smartAccount' })
  })

  test('signs messages that its contract accepts (ERC-1271)', async () => {
    const { safe, adapter, connection, account, network } = await connectTestWallet()
    const message = 'Grüße 🗝️'
    const signature = await adapter.signMessage(connection, account, message)
    expect(await adapter.verifyMessage(network, safe.address, message, signature)).toBe(true)
    expect(await adapter.verifyMessage(network, safe.address, 'Gruesse', signature)).toBe(false)
    expect(safe.requests).toContainEqual(expect.objectContaining({ method: 'signMessage', params: { message } }))
  })

  test('waits until all owners have signed', async () => {
    const { safe, clock, adapter, connection, account, network } = await connectTestWallet({ signs: 'later' })
    const signing = adapter.signMessage(connection, account, 'Hello')
    const countStatusRequests = (): number =>
      safe.requests.filter(({ method }) => method === 'getOffChainSignature').length
    await expect.poll(countStatusRequests).toBe(1)
    await safe.carryOut()
    await expect.poll(() => clock.waiting()).toBe(2)
    clock.advance(2_000)
    expect(await adapter.verifyMessage(network, safe.address, 'Hello', await signing)).toBe(true)
    expect(clock.waiting()).toBe(0)
  })

  test('is refused if it signs on-chain only', async () => {
    const { adapter, connection, account } = await connectTestWallet({ signs: 'on-chain' })
    await expect(adapter.signMessage(connection, account, 'Hello')).rejects.toMatchObject({
      code: 'request/failed',
      message: expect.stringContaining('only signs on-chain'),
    })
  })

  test('returns the receipt of the transaction that executed the request', async () => {
    const { safe, adapter, connection, account, network } = await connectTestWallet()
    const before = await adapter.getBalance(network, burnAddress)
    const hash = await adapter.sendTransaction(connection, account, { to: burnAddress, value: 5n })
    const receipt = await adapter.waitForReceipt(network, hash, { timeout: 25_000 })
    expect(receipt.hash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(receipt.hash).not.toBe(hash)
    expect((await adapter.getBalance(network, burnAddress)).value - before.value).toBe(5n)
    expect(safe.requests.find(({ method }) => method === 'sendTransactions')?.params).toEqual({
      txs: [{ to: burnAddress, value: '5', data: '0x' }],
      params: {},
    })
  })

  test('keeps a transaction pending while its owners sign', async () => {
    const { safe, clock, adapter, connection, account, network } = await connectTestWallet({ waits: true })
    const hash = await adapter.sendTransaction(connection, account, { to: burnAddress, value: 5n })
    const waiting = getRejection(adapter.waitForReceipt(network, hash, { timeout: 1_000 }))
    await expect.poll(() => clock.waiting()).toBe(2)
    clock.advance(1_000)
    expect(await waiting).toMatchObject({ code: 'transaction/pending' })
    await safe.carryOut()
    const receipt = await adapter.waitForReceipt(network, hash, { timeout: 25_000 })
    expect(receipt.blockNumber > 0n).toBe(true)
  })

  test('executes a batch atomically (EIP-5792)', async () => {
    const { safe, adapter, connection, account } = await connectTestWallet({ waits: true })
    const calls = await adapter.walletCalls?.()
    expect(await calls?.getCapabilities(connection, account)).toEqual({
      'eip155:31337': { atomic: { status: 'supported' } },
    })
    const { id = '' } = {
      ...(await calls?.sendCalls(connection, account, { calls: [{ to: burnAddress }, { to: burnAddress }] })),
    }
    expect(await calls?.getCallsStatus(connection, id)).toMatchObject({ status: 'pending', receipts: [] })
    await safe.carryOut()
    const done = await calls?.getCallsStatus(connection, id)
    expect(done).toMatchObject({ status: 'confirmed', atomic: true, receipts: [{ hash: expect.any(String) }] })
  })

  test('rejects with one code if the owner declines', async () => {
    const { safe, adapter, connection, account } = await connectTestWallet()
    safe.hold()
    const signing = getRejection(adapter.signMessage(connection, account, 'Hello'))
    safe.decline()
    expect(await signing).toMatchObject({ code: 'request/rejected' })
    const sending = getRejection(adapter.sendTransaction(connection, account, { to: burnAddress }))
    safe.decline()
    expect(await sending).toMatchObject({ code: 'request/rejected' })
  })

  test('refuses another chain', async () => {
    const { adapter, connection, network } = await connectTestWallet()
    await expect(adapter.switchNetwork(connection, network)).resolves.toBeUndefined()
    const other = { ...network, caipNetworkId: 'eip155:1' as const }
    await expect(adapter.switchNetwork(connection, other)).rejects.toMatchObject({
      code: 'network/switch-unsupported',
    })
  })

  test('forwards reads of the chain, and refuses unlisted methods', async () => {
    const { connection } = await connectTestWallet()
    expect(await connection.provider.request({ method: 'eth_blockNumber' })).toMatch(/^0x/)
    for (const method of ['eth_sign', 'wallet_addEthereumChain', 'eth_sendUserOperation', 'safe_setSettings']) {
      await expect(connection.provider.request({ method })).rejects.toMatchObject({ code: 4200 })
    }
  })
})

describe('the parent window', () => {
  /** A page in a parent window that the test controls. */
  async function framed(origins?: string[]) {
    const { page } = makePage()
    const posted: Array<{ message: { id: string; method: string }; target: string }> = []
    const parent: SafeWindow = {
      postMessage(message, target) {
        posted.push({ message: message as { id: string; method: string }, target })
      },
    }
    Object.assign(page, { parent })
    const found: Connector[] = []
    const clock = manualClock()
    const stop = adapterIn(page, origins, clock).discover?.((connector) => found.push(connector))
    onTestFinished(() => stop?.())
    await import('../discovery/unannouncedWallets.ts')
    await flushTasks()
    return { page, parent, posted, found, clock, stop }
  }

  const info = { safeAddress: burnAddress, chainId: 1, threshold: 1, owners: [burnAddress], isReadOnly: false }
  const good = { success: true, version: '9.1.0', data: info }

  test('receives a single request before the user acts, without user data', async () => {
    const { posted, found, clock } = await framed()
    const { id, ...message } = posted[0]?.message ?? { id: '' }
    expect(posted).toHaveLength(1)
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(message).toEqual({ method: 'getSafeInfo', params: undefined, env: { sdkVersion: '9.1.0' } })
    clock.advance(5_000)
    expect([found.length, clock.waiting()]).toEqual([0, 0])
  })

  test('receives no request outside a frame or if Safe is disabled', async () => {
    const { page } = makePage()
    let requestCount = 0
    // The injected wallet starts the search for unannounced wallets.
    const ethereum = { request: async () => [] }
    Object.assign(page, { parent: page, postMessage: () => (requestCount += 1), ethereum })
    adapterIn(page).discover?.(() => {})
    await import('../discovery/unannouncedWallets.ts')
    await flushTasks()
    const { posted } = await framed([])
    expect([requestCount, posted.length]).toEqual([0, 0])
  })

  test.each([
    ['from another window', (id: string) => messageFrom({}, origin, { ...good, id })],
    ['to another request', (_: string, parent: unknown) => messageFrom(parent, origin, { ...good, id: 'other' })],
    [
      'with an unsupported version',
      (id: string, parent: unknown) => messageFrom(parent, origin, { ...good, id, version: '0.9' }),
    ],
    [
      'without a version',
      (id: string, parent: unknown) => messageFrom(parent, origin, { ...good, id, version: undefined }),
    ],
    [
      'without a success flag',
      (id: string, parent: unknown) => messageFrom(parent, origin, { ...good, id, success: 'yes' }),
    ],
    ['without content', (_: string, parent: unknown) => messageFrom(parent, origin, null)],
    [
      'without an address',
      (id: string, parent: unknown) =>
        messageFrom(parent, origin, { ...good, id, data: { ...info, safeAddress: 'safe.eth' } }),
    ],
    [
      'without a chain',
      (id: string, parent: unknown) => messageFrom(parent, origin, { ...good, id, data: { ...info, chainId: 'main' } }),
    ],
    [
      'with an error',
      (id: string, parent: unknown) =>
        messageFrom(parent, origin, { id, version: '9.1.0', success: false, error: 'No' }),
    ],
  ])('is not detected as a Safe by a response %s', async (_, eventOf) => {
    const { page, parent, posted, found } = await framed()
    page.dispatchEvent(eventOf(posted[0]?.message.id ?? '', parent))
    await flushTasks()
    expect(found).toEqual([])
  })

  test.each([
    [[origin], 1],
    [['https://other.test'], 0],
  ])('is detected as a Safe only with an allowed origin: %j', async (origins, count) => {
    const { page, parent, posted, found } = await framed(origins)
    page.dispatchEvent(messageFrom(parent, origin, { ...good, id: posted[0]?.message.id }))
    await flushTasks()
    expect(found).toHaveLength(count)
  })

  test('exchanges messages with its exact origin only, once known', async () => {
    const { page, parent, posted, found } = await framed()
    page.dispatchEvent(messageFrom(parent, origin, { ...good, id: posted[0]?.message.id }))
    await flushTasks()
    const connecting: Promise<readonly Connection[]> | undefined = found[0]?.connect({
      networks: [],
      signal: new AbortController().signal,
    })
    expect(posted.map(({ target }) => target)).toEqual(['*', origin])
    const id = posted[1]?.message.id
    const forged = { ...good, id, data: { ...info, safeAddress: `0x${'66'.repeat(20)}` } }
    page.dispatchEvent(messageFrom(parent, 'https://forger.test', forged))
    page.dispatchEvent(messageFrom(parent, origin, { ...good, id }))
    expect((await connecting)?.[0]?.accounts).toEqual([`eip155:1:${burnAddress}`])
  })

  test('can post any message without causing an error', async () => {
    const { page, parent, posted, found } = await framed()
    const id = posted[0]?.message.id
    const field = fc.oneof(fc.anything(), fc.constantFrom('9.1.0', id, true, false, {}))
    const data = fc.oneof(fc.anything(), fc.record({ success: field, version: field, data: field, error: field }))
    fc.assert(fc.property(data, (message) => void page.dispatchEvent(messageFrom(parent, origin, message))))
    page.dispatchEvent(messageFrom(parent, origin, { ...good, id }))
    await flushTasks()
    expect(found).toHaveLength(1)
  })

  test('is ignored after the discovery stopped', async () => {
    const { page, parent, posted, found, clock, stop } = await framed()
    stop?.()
    page.dispatchEvent(messageFrom(parent, origin, { ...good, id: posted[0]?.message.id }))
    await flushTasks()
    expect([found.length, clock.waiting()]).toEqual([0, 0])
  })
})
