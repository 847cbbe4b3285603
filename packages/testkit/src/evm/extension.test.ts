import { hexToBigInt, isHex, verifyMessage, verifyTypedData, type Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAnvil, type Anvil } from './anvil.ts'
import { requestChain } from './requestChain.ts'
import { createSimulatedExtension, type SimulatedExtension, type SimulatedExtensionOptions } from './extension.ts'

const key: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const otherKey: Hex = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const [address, otherAddress] = [privateKeyToAddress(key), privateKeyToAddress(otherKey)]

let chain: Anvil
let second: Anvil
beforeAll(async () => {
  ;[chain, second] = await Promise.all([startAnvil(), startAnvil({ chainId: 31_338 })])
})
afterAll(() => Promise.all([chain.stop(), second.stop()]))

function createTestExtension(options: Partial<SimulatedExtensionOptions> = {}): SimulatedExtension {
  return createSimulatedExtension({
    privateKeys: [key],
    rpcUrls: { 31_337: chain.url, 31_338: second.url },
    chainId: 31_337,
    ...options,
  })
}

/** Null until it is mined. */
function receiptOf(extension: SimulatedExtension, hash: unknown): Promise<unknown> {
  return extension.request({ method: 'eth_getTransactionReceipt', params: [hash] })
}

function follow(extension: SimulatedExtension): Array<[string, unknown]> {
  const events: Array<[string, unknown]> = []
  extension.subscribe((event, value) => events.push([event, value]))
  return events
}

/** Returns the settled value after all pending microtasks. */
async function stateOf(promise: Promise<unknown>): Promise<'waiting' | 'settled'> {
  const rest = new Promise<'waiting'>((resolve) => setImmediate(() => resolve('waiting')))
  return Promise.race([promise.then(() => 'settled' as const), rest])
}

describe('simulated extension', () => {
  test('returns its accounts only to permitted pages', async () => {
    const extension = createTestExtension({ privateKeys: [key, otherKey] })
    expect(await extension.request({ method: 'eth_accounts' })).toEqual([])
    expect(await extension.request({ method: 'eth_requestAccounts' })).toEqual([address, otherAddress])
    expect(await extension.request({ method: 'eth_accounts' })).toEqual([address, otherAddress])
    await extension.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
    expect(await extension.request({ method: 'eth_accounts' })).toEqual([])
  })

  test('signs messages and typed data with the key of the requested account', async () => {
    const extension = createTestExtension({ privateKeys: [key, otherKey], permitted: true })
    const message = 'Hello'
    const signature = await extension.request({ method: 'personal_sign', params: ['0x48656c6c6f', otherAddress] })
    if (!isHex(signature)) throw new Error('This is not a signature.')
    expect(await verifyMessage({ address: otherAddress, message, signature })).toBe(true)

    const typedData = {
      domain: { name: 'Test' },
      types: { Note: [{ name: 'text', type: 'string' }] },
      primaryType: 'Note',
      message: { text: 'Hi' },
    } as const
    const params = [address, JSON.stringify(typedData)]
    const typed = await extension.request({ method: 'eth_signTypedData_v4', params })
    if (!isHex(typed)) throw new Error('This is not a signature.')
    expect(await verifyTypedData({ ...typedData, address, signature: typed })).toBe(true)
  })

  test('rejects signing with 4100 when the page has no permission for the account', async () => {
    const signing = { method: 'personal_sign', params: ['0x48', address] }
    await expect(createTestExtension().request(signing)).rejects.toMatchObject({ code: 4100 })
    const foreign = { method: 'personal_sign', params: ['0x48', otherAddress] }
    await expect(createTestExtension({ permitted: true }).request(foreign)).rejects.toMatchObject({ code: 4100 })
  })

  test('sends several transactions at once, and the chain mines them', async () => {
    const extension = createTestExtension({ permitted: true })
    const to = privateKeyToAddress(`0x${'42'.repeat(32)}`)
    const transaction = { from: address, to, value: '0x64' }
    const hashes = await Promise.all(
      [1, 2, 3].map(() => extension.request({ method: 'eth_sendTransaction', params: [transaction] })),
    )
    for (const hash of hashes) {
      await expect.poll(() => receiptOf(extension, hash)).toMatchObject({ status: '0x1' })
    }
    const balance = await requestChain(chain.url, 'eth_getBalance', [to, 'latest'])
    expect(isHex(balance) && hexToBigInt(balance)).toBe(300n)
  })

  test('sends transactions while another extension with the same key does, too', async () => {
    const extensions = [
      createTestExtension({ permitted: true }),
      createTestExtension({ permitted: true }),
      createTestExtension({ permitted: true }),
    ]
    const params = [{ from: address, to: otherAddress, value: '0x64' }]
    const sent = [...extensions, ...extensions].map((extension) =>
      extension.request({ method: 'eth_sendTransaction', params }),
    )
    const hashes = await Promise.all(sent)
    expect(new Set(hashes).size).toBe(sent.length)
  })

  test('sends a transaction that will revert', async () => {
    const extension = createTestExtension({ permitted: true })
    // Creation code that is the invalid instruction.
    const params = [{ from: address, data: '0xfe' }]
    const hash = await extension.request({ method: 'eth_sendTransaction', params })
    await expect.poll(() => receiptOf(extension, hash)).toMatchObject({ status: '0x0' })
  })

  test('rejects a transaction whose chainId is not the current chain', async () => {
    const params = [{ from: address, to: otherAddress, chainId: '0x1' }]
    const sending = createTestExtension({ permitted: true }).request({ method: 'eth_sendTransaction', params })
    await expect(sending).rejects.toMatchObject({ code: -32602 })
  })

  test('forwards read requests to the current chain and returns its errors', async () => {
    const extension = createTestExtension()
    await expect(extension.request({ method: 'eth_blockNumber' })).resolves.toMatch(/^0x/)
    await expect(extension.request({ method: 'eth_noSuchThing' })).rejects.toMatchObject({ code: -32601 })
    await expect(extension.request({ method: 'wallet_noSuchThing' })).rejects.toMatchObject({ code: 4200 })
  })
})

describe('simulated extension chains', () => {
  const description = {
    chainId: '0x7a6a',
    chainName: 'Second',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: ['http://localhost:8546'],
  }

  test('can be switched, and emit chainChanged once', async () => {
    const extension = createTestExtension()
    const events = follow(extension)
    const switching = { method: 'wallet_switchEthereumChain', params: [{ chainId: '0x7a6a' }] }
    expect(await extension.request(switching)).toBeNull()
    expect(await extension.request(switching)).toBeNull()
    expect(events).toEqual([['chainChanged', '0x7a6a']])
    expect(await extension.request({ method: 'eth_chainId' })).toBe('0x7a6a')
  })

  test.each([
    [true, '0x7a6a'],
    [false, '0x7a69'],
  ])('are unknown until added, and adding switches to the chain: %s', async (switchesToAdded, chainId) => {
    const extension = createTestExtension({ unknownChains: [31_338], switchesToAdded })
    const switching = { method: 'wallet_switchEthereumChain', params: [{ chainId: '0x7a6a' }] }
    await expect(extension.request(switching)).rejects.toMatchObject({ code: 4902 })
    await extension.request({ method: 'wallet_addEthereumChain', params: [description] })
    expect(await extension.request({ method: 'eth_chainId' })).toBe(chainId)
    expect(await extension.request(switching)).toBeNull()
  })

  test.each([
    ['an id with leading zeros', { ...description, chainId: '0x07a6a' }],
    ['no name', { ...description, chainName: undefined }],
    ['no endpoint', { ...description, rpcUrls: [] }],
    ['an endpoint that is not a URL', { ...description, rpcUrls: ['somewhere'] }],
    ['an invalid currency', { ...description, nativeCurrency: { symbol: 'ETH' } }],
    ['an endpoint of another chain', { ...description, chainId: '0x1' }],
  ])('wallet_addEthereumChain rejects a chain with %s', async (_, bad) => {
    const adding = createTestExtension().request({ method: 'wallet_addEthereumChain', params: [bad] })
    await expect(adding).rejects.toMatchObject({ code: -32602 })
  })
})

describe('simulated extension owner', () => {
  test('rejectNext rejects only the next request', async () => {
    const extension = createTestExtension()
    extension.rejectNext()
    await expect(extension.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4001 })
    await expect(extension.request({ method: 'eth_requestAccounts' })).resolves.toEqual([address])
  })

  test('hold keeps requests pending until approve or decline', async () => {
    const extension = createTestExtension()
    extension.hold()
    const connecting = extension.request({ method: 'eth_requestAccounts' })
    expect(await stateOf(connecting)).toBe('waiting')
    extension.approve()
    await expect(connecting).resolves.toEqual([address])
    const signing = extension.request({ method: 'personal_sign', params: ['0x48', address] })
    extension.decline()
    await expect(signing).rejects.toMatchObject({ code: 4001 })
  })

  test('is not prompted again by a permitted page', async () => {
    const extension = createTestExtension({ permitted: true })
    extension.hold()
    await expect(extension.request({ method: 'eth_requestAccounts' })).resolves.toEqual([address])
  })

  test('unlock completes a pending connection of a locked wallet', async () => {
    const extension = createTestExtension({ permitted: true })
    const events = follow(extension)
    extension.lock()
    expect(await extension.request({ method: 'eth_accounts' })).toEqual([])
    const connecting = extension.request({ method: 'eth_requestAccounts' })
    expect(await stateOf(connecting)).toBe('waiting')
    extension.unlock()
    await expect(connecting).resolves.toEqual([address])
    expect(events).toEqual([
      ['accountsChanged', []],
      ['accountsChanged', [address]],
    ])
  })

  test('setAccounts emits accountsChanged only to permitted pages', () => {
    for (const permitted of [true, false]) {
      const extension = createTestExtension({ permitted })
      const events = follow(extension)
      extension.setAccounts([otherKey])
      expect(events).toEqual(permitted ? [['accountsChanged', [otherAddress]]] : [])
    }
  })
})

describe('simulated extension faults', () => {
  test('set lasts until it is removed, and once applies to one request', async () => {
    const extension = createTestExtension({ faults: { eth_chainId: { kind: 'response', value: 'garbage' } } })
    const request = (): Promise<unknown> => extension.request({ method: 'eth_chainId' })
    expect(await request()).toBe('garbage')
    extension.faults.once('all', { kind: 'fail', code: -32002, message: 'Already pending' })
    await expect(request()).rejects.toMatchObject({ code: -32002 })
    expect(await request()).toBe('garbage')
    extension.faults.set('eth_chainId', undefined)
    expect(await request()).toBe('0x7a69')
  })

  test('vanish leaves pending and later requests unsettled and emits disconnect', async () => {
    const extension = createTestExtension()
    const events = follow(extension)
    extension.hold()
    const connecting = extension.request({ method: 'eth_requestAccounts' })
    extension.uninstall()
    extension.approve()
    expect(await stateOf(connecting)).toBe('waiting')
    expect(await stateOf(extension.request({ method: 'eth_chainId' }))).toBe('waiting')
    expect(events).toMatchObject([['disconnect', { code: 1013 }]])
  })

  test('vanishNext takes effect at the next request that needs the owner', async () => {
    const extension = createTestExtension()
    extension.vanishNext()
    await expect(extension.request({ method: 'eth_chainId' })).resolves.toBe('0x7a69')
    expect(await stateOf(extension.request({ method: 'eth_requestAccounts' }))).toBe('waiting')
    expect(await stateOf(extension.request({ method: 'eth_chainId' }))).toBe('waiting')
  })
})

test('simulated extension records all requests', async () => {
  const extension = createTestExtension()
  await extension.request({ method: 'eth_chainId' })
  expect(extension.requests).toEqual([{ method: 'eth_chainId', params: undefined }])
})
