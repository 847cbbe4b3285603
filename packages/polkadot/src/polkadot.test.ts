import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  connect,
  createLatchkey,
  getAccount,
  memoryStorage,
  start,
  switchNetwork,
  type Connection,
  type Connector,
  type Latchkey,
} from '@latchkey/core'
import {
  describeAdapter,
  describeConnector,
  getRejection,
  manualClock,
  type AdapterWorld,
  type ConnectorWorld,
} from '@latchkey/core/testing'
import { startLocalPolkadot, type LocalPolkadot } from '@latchkey/devnet'
import { parseAccountId, type AccountId } from '@latchkey/protocol'
import {
  createSimulatedPolkadotExtension,
  putInjectedWeb3,
  type PolkadotKind,
  type SimulatedPolkadotExtension,
} from '@latchkey/testkit'
import { ed25519 } from '@noble/curves/ed25519.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { signPayload } from './actions/signPayload.ts'
import { signRaw } from './actions/signRaw.ts'
import { getStorageKey } from './chain/accountRecord.ts'
import { kusama, polkadotMainnet, westend } from './chain/polkadotNetworks.ts'
import { polkadot } from './polkadot.ts'
import { parseSs58Address, formatSs58Address } from './address/ss58Address.ts'

const networks = [polkadotMainnet, kusama, westend] as const
/** The well-known development account `//Alice`. */
const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'
const aliceOnPolkadot = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'
const aliceKey = 'd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d'

function extensionOf(type: PolkadotKind = 'sr25519'): SimulatedPolkadotExtension {
  return createSimulatedPolkadotExtension({
    accounts: [
      { seed: '01'.repeat(32), type, name: 'Everyday' },
      { seed: '02'.repeat(32), type: 'ed25519', name: 'Savings' },
    ],
    name: 'polkadot-js',
  })
}

describeConnector('an extension of injectedWeb3', async (): Promise<ConnectorWorld> => {
  const [extension, page, storage] = [extensionOf(), new EventTarget(), memoryStorage()]
  putInjectedWeb3(extension, page)
  extension.hold()
  let connections: readonly Connection[] = []
  const findOne = (): Connector => {
    const found: Connector[] = []
    polkadot({ networks, page, storage }).discover?.((connector) => found.push(connector))()
    const [connector] = found
    if (connector === undefined) throw new Error('The page has no extension.')
    return {
      ...connector,
      connect: async (request) => [...(connections = await connector.connect(request))] as [Connection],
    }
  }
  return {
    connector: findOne(),
    networks,
    approve: extension.approve,
    decline: extension.decline,
    selectAccounts() {
      extension.removeAccount()
      const [address = ''] = extension.addresses()
      return [toAccountId(address, polkadotMainnet)]
    },
    // Extensions have no chain: the app selects it.
    async selectChain() {
      await connections[0]?.switchTo?.(kusama.caipNetworkId)
      return kusama.caipNetworkId
    },
    leave: extension.revoke,
    reload: findOne,
  }
})

describeAdapter('polkadot', async (): Promise<AdapterWorld> => {
  const [page, http] = [new EventTarget(), [chain.rpcUrl]]
  const local = { ...westend, rpcUrls: { default: { http } } }
  // The first key of the phrase that all development chains share. It has a balance on the local chain.
  const accounts = [{ seed: '708dbd3d916c59cdade9649479d3721b586dc777cf733b6fb5798eaacbdb0bf7' }] as const
  const extension = createSimulatedPolkadotExtension({ accounts })
  putInjectedWeb3(extension, page)
  const adapter = polkadot({ networks: [local, kusama], page, storage: memoryStorage() })
  const found: Connector[] = []
  adapter.discover?.((connector) => found.push(connector))()
  const [connection] = (await found[0]?.connect({ networks: [local], signal: new AbortController().signal })) ?? []
  if (connection === undefined) throw new Error('The extension was not found.')
  return {
    adapter,
    connection,
    otherAddress: alice,
    notAddresses: ['0x52908400098527886E0F7030069857D2E4169EE7', alice.slice(3), `${alice}${alice}`],
    unknownHash: `0x${'ab'.repeat(32)}`,
    payment: 1n,
    needsApprovalToSwitch: false,
    sends: false,
    decline: extension.rejectNext,
    cutOff: () => void http.splice(0, 1, 'http://127.0.0.1:1'),
    announce() {
      const name = `announced ${announced++}`
      putInjectedWeb3(createSimulatedPolkadotExtension({ accounts, name }), page)
      page.dispatchEvent(new Event('load'))
      return `polkadot:${name}`
    },
  }
})

let announced = 0
let chain: LocalPolkadot
beforeAll(async () => void (chain = await startLocalPolkadot()))
afterAll(() => chain.close())

function toAccountId(address: string, { caipNetworkId, ss58Format }: typeof kusama): AccountId {
  return `polkadot:${caipNetworkId.slice(9)}:${formatSs58Address(parseSs58Address(address), ss58Format)}`
}

/** An app with a connected extension of its page. */
async function connectTestWallet(extension: SimulatedPolkadotExtension): Promise<Latchkey> {
  const page = new EventTarget()
  putInjectedWeb3(extension, page)
  const adapter = polkadot({ networks, page, storage: memoryStorage(), appName: 'Test app', clock: manualClock() })
  const latchkey = createLatchkey({ adapters: [adapter], storage: memoryStorage() })
  onTestFinished(start(latchkey))
  await connect(latchkey, 'polkadot:polkadot-js')
  return latchkey
}

function addressIn(latchkey: Latchkey): string {
  const account = getAccount(latchkey)
  return account.status === 'connected' ? account.address : ''
}

describe.each<PolkadotKind>(['sr25519', 'ed25519', 'ecdsa'])('an account of %s', (type) => {
  test('signRaw returns valid signatures of strings and bytes', async () => {
    const latchkey = await connectTestWallet(extensionOf(type))
    const [adapter, address] = [latchkey.adapters[0], addressIn(latchkey)]
    for (const text of ['Grüße', '0x1234', '<Bytes>wrapped</Bytes>']) {
      const signature = await signRaw(latchkey, text)
      const message = text.replace(/^<Bytes>(.*)<\/Bytes>$/, '$1')
      expect(await adapter?.verifyMessage(polkadotMainnet, address, message, signature)).toBe(true)
      expect(await adapter?.verifyMessage(polkadotMainnet, address, `${message}!`, signature)).toBe(false)
      expect(await adapter?.verifyMessage(polkadotMainnet, alice, message, signature)).toBe(false)
    }
    const signature = await signRaw(latchkey, new TextEncoder().encode('bytes'))
    expect(await adapter?.verifyMessage(polkadotMainnet, address, 'bytes', signature)).toBe(true)
  })
})

describe('addresses', () => {
  test('have the format of the active network [R6.1]', async () => {
    const extension = extensionOf()
    const latchkey = await connectTestWallet(extension)
    const [address = ''] = extension.addresses()
    for (const network of networks) {
      await switchNetwork(latchkey, network.caipNetworkId)
      expect(getAccount(latchkey)).toMatchObject({
        account: toAccountId(address, network),
        network: { name: network.name },
      })
    }
  })

  test('are parsed and formatted as in the SS58 registry', () => {
    expect(formatSs58Address(parseSs58Address(alice), 0)).toBe(aliceOnPolkadot)
    expect(formatSs58Address(parseSs58Address(aliceOnPolkadot), 42)).toBe(alice)
    expect(parseSs58Address(formatSs58Address(hexToBytes(aliceKey), 1284))).toEqual(hexToBytes(aliceKey))
  })

  test.each(['', alice.slice(1), `${alice}1`, alice.replace('5G', '5H'), '0x1234', '1'.repeat(48)])(
    'are refused: %j',
    (text) => {
      expect(() => parseSs58Address(text)).toThrow('is not a valid polkadot address')
    },
  )
})

describe('a connection', () => {
  test('has the extension’s details of each account [R3.3]', async () => {
    const latchkey = await connectTestWallet(extensionOf())
    const state = latchkey.wallet.getState().namespaces.polkadot
    if (state?.status !== 'connected') return expect.unreachable()
    const { connection } = state
    expect(connection.accounts.map((account) => connection.details?.(account))).toMatchObject([
      { type: 'eoa', label: 'Everyday', publicKey: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
      { type: 'eoa', label: 'Savings' },
    ])
  })

  test('sends the app’s name to the extension, and excludes accounts of other namespaces', async () => {
    const extension = extensionOf()
    const accounts = [{ address: '0x52908400098527886E0F7030069857D2E4169EE7', type: 'ethereum' }, { address: alice }]
    extension.faults.set('accounts', { kind: 'response', value: accounts })
    const latchkey = await connectTestWallet(extension)
    expect(addressIn(latchkey)).toBe(aliceOnPolkadot)
    expect(extension.requests[0]).toEqual({ method: 'enable', params: { origin: 'Test app' } })
  })

  test.each([[null], [[]], ['many'], [[{ address: 7 }]], [[{ address: 'nonsense' }]]])(
    'is refused with the accounts %j',
    async (value) => {
      const extension = extensionOf()
      extension.faults.set('accounts', { kind: 'response', value })
      const failure = await getRejection(connectTestWallet(extension))
      const message = expect.stringMatching(/^No account was shared\. Allow one/)
      expect(failure).toMatchObject({ code: 'wallet/no-accounts', message })
    },
  )
})

describe('a payload', () => {
  const payload = {
    address: alice,
    blockHash: `0x${'0b'.repeat(32)}`,
    blockNumber: '0x00000001',
    era: '0x0500',
    genesisHash: '0x91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3',
    method: '0x0503008eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a4804',
    nonce: '0x00000007',
    specVersion: '0x000f4240',
    tip: '0x00000000000000000000000000000000',
    transactionVersion: '0x0000001a',
    signedExtensions: ['CheckMortality', 'CheckMetadataHash'],
    version: 4,
    mode: 0,
  }

  test('is signed as the bytes that chains verify', async () => {
    const extension = createSimulatedPolkadotExtension({
      accounts: [{ seed: '03'.repeat(32), type: 'ed25519' }],
      name: 'polkadot-js',
    })
    const latchkey = await connectTestWallet(extension)
    const { signature } = await signPayload(latchkey, payload)
    // Method, era, nonce 7, tip 0, mode, versions in four bytes each, both hashes, no metadata hash.
    const signed = [
      payload.method,
      payload.era,
      '1c',
      '00',
      '00',
      '40420f00',
      '1a000000',
      payload.genesisHash,
      payload.blockHash,
      '00',
    ]
    const bytes = hexToBytes(signed.map((part) => part.replace('0x', '')).join(''))
    const key = parseSs58Address(addressIn(latchkey))
    expect(signature.slice(0, 4)).toBe('0x00')
    expect(ed25519.verify(hexToBytes(signature.slice(4)), bytes, key)).toBe(true)
  })

  test('for another chain is refused before the wallet request', async () => {
    const extension = extensionOf()
    const latchkey = await connectTestWallet(extension)
    await switchNetwork(latchkey, kusama.caipNetworkId)
    expect(await getRejection(signPayload(latchkey, payload))).toMatchObject({ code: 'network/unsupported' })
    expect(extension.requests.map(({ method }) => method)).not.toContain('signPayload')
  })

  test('that the user declines rejects as declined', async () => {
    const extension = extensionOf()
    const latchkey = await connectTestWallet(extension)
    extension.rejectNext()
    expect(await getRejection(signPayload(latchkey, payload))).toMatchObject({ code: 'request/rejected' })
    extension.rejectNext()
    expect(await getRejection(signRaw(latchkey, 'Hello'))).toMatchObject({ code: 'request/rejected' })
  })
})

describe('a chain', () => {
  /** An account record: four counters, then the free, reserved and frozen balances, and flags. */
  const record = `0x${'03000000'}${'00000000'.repeat(3)}${'00e40b54020000000000000000000000'}${'00'.repeat(48)}`

  async function nodeOf(result: (key: string) => unknown): Promise<string> {
    const server = createServer(async (request, response) => {
      const { id, method, params } = JSON.parse((await request.toArray()).join(''))
      const outcome = method === 'state_getStorage' ? { result: result(params[0]) } : { error: { code: -32_601 } }
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    // A TCP server always has an address of this form while it listens.
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const at = (...http: string[]) => ({ ...polkadotMainnet, rpcUrls: { default: { http } } })

  test('stores an account under the hash of its key', () => {
    expect(getStorageKey(parseSs58Address(alice))).toBe(
      '0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9' +
        `de1e86a9a8c739864cf3cc5ec2bea59f${aliceKey}`,
    )
  })

  test('returns the balance, from the next endpoint if one is down', async () => {
    const url = await nodeOf((key) => (key === getStorageKey(parseSs58Address(alice)) ? record : null))
    const network = at('http://127.0.0.1:1', url)
    const adapter = polkadot({ networks: [network] })
    expect(await adapter.getBalance(network, aliceOnPolkadot)).toEqual({
      value: 10_000_000_000n,
      decimals: 10,
      symbol: 'DOT',
    })
    const other = formatSs58Address(new Uint8Array(32), 0)
    expect(await adapter.getBalance(network, other)).toMatchObject({ value: 0n })
  })

  test.each(['0x', '0x00', 'many', 7, {}])('with the response %j is invalid', async (result) => {
    const network = at(await nodeOf(() => result))
    const reading = polkadot({ networks: [network] }).getBalance(network, alice)
    await expect(reading).rejects.toMatchObject({ code: 'rpc/unreachable' })
  })

  test('refuses payments, because they need its metadata', async () => {
    const latchkey = await connectTestWallet(extensionOf())
    const state = latchkey.wallet.getState().namespaces.polkadot
    if (state?.status !== 'connected') return expect.unreachable()
    const sending = latchkey.adapters[0]?.sendTransaction(state.connection, state.account, { to: alice, value: 1n })
    await expect(sending).rejects.toMatchObject({ code: 'request/not-allowed' })
  })
})

test('restore sends no request to an extension that was never connected', async () => {
  const [extension, page, storage] = [extensionOf(), new EventTarget(), memoryStorage()]
  putInjectedWeb3(extension, page)
  const found: Connector[] = []
  polkadot({ page, storage }).discover?.((connector) => found.push(connector))()
  const request = { networks, signal: new AbortController().signal }
  expect(await found[0]?.restore(request)).toEqual([])
  expect(extension.requests).toEqual([])
  const [connection] = (await found[0]?.connect(request)) ?? []
  expect(parseAccountId(connection?.accounts[0] ?? '').namespace).toBe('polkadot')
})
