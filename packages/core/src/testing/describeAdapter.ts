import type { Network } from '@latchkey/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Adapter, TransactionRequest } from '../contracts/adapter.ts'
import type { Connection } from '../contracts/connector.ts'
import { getRejection } from './waiting.ts'

type Awaitable<value> = value | Promise<value>

/** The adapter under test, with a running chain and a funded wallet. */
export type AdapterWorld = {
  /** Has at least two networks; the first one runs. */
  adapter: Adapter
  /** A wallet on the first network that approves everything; its selected account holds more than `payment`. */
  connection: Connection
  /** An address of the namespace that is not the wallet's. */
  otherAddress: string
  /** Invalid addresses of the namespace: too short, wrong checksum, … */
  notAddresses: readonly string[]
  /** The hash of a transaction that was never sent. */
  unknownHash: string
  /** The payment to the other address, in base units. */
  payment: bigint
  /** A transaction that the chain reverts, and its reason. Omitted in namespaces without reverts. */
  reverting?: { request: TransactionRequest; reason: string }
  /** False if wallets don't switch networks, because each request names its network. Defaults to true. */
  needsApprovalToSwitch?: boolean
  /** False if the namespace has no payment requests. Defaults to true. */
  sends?: boolean
  /** Makes the wallet reject the next request. */
  decline(): Awaitable<void>
  /** Disconnects the adapter from its chain. */
  cutOff(): Awaitable<void>
  /** Announces a wallet in the page, and returns its connector id. Required if the adapter has `discover`. */
  announce?(): Awaitable<string>
  /** Stops everything that the fixture started. */
  end?(): Awaitable<void>
}

/**
 * The contract suite of adapters.
 *
 * @param make creates the fixture of each test
 * @example describeAdapter('evm', async () => ({ adapter: evm({ chains: [local, other] }), connection, … }))
 */
export function describeAdapter(name: string, make: () => Awaitable<AdapterWorld>): void {
  describe(`${name} is an Adapter`, () => {
    let world: AdapterWorld
    beforeEach(async () => {
      world = await make()
    })
    afterEach(() => world.end?.())

    describeFacts(() => world)
    describeReading(() => world)
    describeRequests(() => world)
    describePayments(() => world)
    describeDiscovery(() => world)
  })
}

function describeFacts(get: () => AdapterWorld): void {
  test('has unique CAIP-2 networks of its namespace', () => {
    const { namespace, networks, name } = get().adapter
    expect(name).not.toBe('')
    expect(networks.length).toBeGreaterThan(1)
    expect(new Set(networks.map(({ caipNetworkId }) => caipNetworkId)).size).toBe(networks.length)
    for (const { id, caipNetworkId, chainNamespace } of networks) {
      expect(chainNamespace).toBe(namespace)
      expect(caipNetworkId).toBe(`${namespace}:${id}`)
    }
  })

  test('distinguishes valid and invalid addresses', () => {
    const { adapter, otherAddress, notAddresses } = get()
    expect(adapter.isAddress(otherAddress)).toBe(true)
    for (const text of ['', ' ', `${otherAddress} `, `${otherAddress}\n`, ...notAddresses]) {
      expect([text, adapter.isAddress(text)]).toEqual([text, false])
    }
  })

  test('links to the block explorer of a network, or returns undefined without one', () => {
    const { adapter, otherAddress, unknownHash } = get()
    const [network] = adapter.networks
    const explored: Network = { ...network, blockExplorers: { default: { name: 'E', url: 'https://explorer.test' } } }
    const links = [{ address: otherAddress }, { transaction: unknownHash }]
    const [address = '', transaction = ''] = links.map((what) => adapter.explorerUrl(explored, what))
    expect(address).toMatch(/^https:\/\/explorer\.test\//)
    expect(address).toContain(otherAddress)
    expect(transaction).toContain(unknownHash)
    for (const what of links) {
      expect(adapter.explorerUrl({ ...network, blockExplorers: undefined }, what)).toBeUndefined()
    }
  })

  test('describes a chain that the app did not configure', () => {
    const { adapter } = get()
    const chainId = `${adapter.namespace}:987654321` as const
    const network = adapter.unknownNetwork(chainId)
    expect(network).toMatchObject({ caipNetworkId: chainId, chainNamespace: adapter.namespace })
    expect(network.name).not.toBe('')
  })
}

function describeReading(get: () => AdapterWorld): void {
  test("reads balances in base units of the network's currency", async () => {
    const { adapter, connection, payment } = get()
    const [network] = adapter.networks
    const { value, decimals, symbol } = await adapter.getBalance(network, addressOf(connection))
    expect(value > payment).toBe(true)
    expect({ decimals, symbol }).toEqual({
      decimals: network.nativeCurrency.decimals,
      symbol: network.nativeCurrency.symbol,
    })
  })

  test('rejects when its chain is unreachable', async () => {
    const { adapter, connection, cutOff } = get()
    await cutOff()
    const reading = adapter.getBalance(adapter.networks[0], addressOf(connection))
    await expect(reading).rejects.toMatchObject({ code: 'rpc/unreachable' })
  })

  test('rejects with pending on timeout', async () => {
    const { adapter, unknownHash } = get()
    const waiting = adapter.waitForReceipt(adapter.networks[0], unknownHash, { timeout: 20 })
    await expect(waiting).rejects.toMatchObject({ code: 'transaction/pending', context: { hash: unknownHash } })
  })

  test('stops waiting for a transaction on abort', async () => {
    const { adapter, unknownHash } = get()
    const attempt = new AbortController()
    const options = { timeout: 3_600_000, signal: attempt.signal }
    const failure = getRejection(adapter.waitForReceipt(adapter.networks[0], unknownHash, options))
    attempt.abort()
    expect(await failure).toBeDefined()
  })
}

function describeRequests(get: () => AdapterWorld): void {
  test("verifies the wallet's signature, and rejects others", async () => {
    const { adapter, connection, otherAddress } = get()
    const [network] = adapter.networks
    const address = addressOf(connection)
    const message = 'Grüße 🗝️\nfrom a contract suite'
    const signature = await adapter.signMessage(connection, connection.accounts[0], message)
    expect(await adapter.verifyMessage(network, address, message, signature)).toBe(true)
    expect(await adapter.verifyMessage(network, address, `${message}!`, signature)).toBe(false)
    expect(await adapter.verifyMessage(network, otherAddress, message, signature)).toBe(false)
    for (const garbage of ['', '0x', 'garbage', `${signature}00`]) {
      expect([garbage, await adapter.verifyMessage(network, address, message, garbage)]).toEqual([garbage, false])
    }
  })

  test('rejects when the user declines to sign, send or switch', async () => {
    const { adapter, connection, otherAddress, payment, decline, needsApprovalToSwitch = true, sends = true } = get()
    const [account] = connection.accounts
    const [, other] = adapter.networks
    const calls = [
      () => adapter.signMessage(connection, account, 'Hello'),
      ...(sends ? [() => adapter.sendTransaction(connection, account, { to: otherAddress, value: payment })] : []),
      () => adapter.switchNetwork(connection, other ?? adapter.networks[0]),
    ].slice(0, needsApprovalToSwitch ? undefined : -1)
    for (const call of calls) {
      await decline()
      await expect(call()).rejects.toMatchObject({ code: 'request/rejected' })
    }
  })

  test('moves the wallet to another network', async () => {
    const { adapter, connection } = get()
    const [, other] = adapter.networks
    const chains: string[] = []
    const ignore = (): void => {}
    const stop = connection.listen({
      accountsChanged: ignore,
      chainChanged: (chainId) => void chains.push(chainId),
      disconnected: ignore,
    })
    await adapter.switchNetwork(connection, other ?? adapter.networks[0])
    await expect.poll(() => chains.at(-1)).toBe(other?.caipNetworkId)
    stop()
  })
}

function describePayments(get: () => AdapterWorld): void {
  test('sends a payment, and returns its receipt', async () => {
    const { adapter, connection, otherAddress, payment, sends = true } = get()
    if (!sends) return
    const [network] = adapter.networks
    const before = await adapter.getBalance(network, otherAddress)
    const request = { to: otherAddress, value: payment }
    const hash = await adapter.sendTransaction(connection, connection.accounts[0], request)
    const receipt = await adapter.waitForReceipt(network, hash, { timeout: 25_000 })
    expect(receipt.hash).toBe(hash)
    expect(receipt.blockNumber > 0n).toBe(true)
    const after = await adapter.getBalance(network, otherAddress)
    expect(after.value - before.value).toBe(payment)
  })

  test('rejects an invalid recipient', async () => {
    const { adapter, connection, notAddresses, payment, sends = true } = get()
    for (const to of sends ? ['', ...notAddresses] : []) {
      const sending = adapter.sendTransaction(connection, connection.accounts[0], { to, value: payment })
      await expect(sending).rejects.toMatchObject({ code: 'address/invalid' })
    }
  })

  test('waitForTransaction rejects with the reason of a reverted transaction [R8.3.8]', async () => {
    const { adapter, connection, reverting } = get()
    if (reverting === undefined) return
    const hash = await adapter.sendTransaction(connection, connection.accounts[0], reverting.request)
    const waiting = adapter.waitForReceipt(adapter.networks[0], hash, { timeout: 25_000 })
    await expect(waiting).rejects.toMatchObject({
      code: 'transaction/reverted',
      context: { hash, reason: expect.stringContaining(reverting.reason) },
    })
  })
}

function describeDiscovery(get: () => AdapterWorld): void {
  test('discovers wallets announced before and after the start, until it is stopped', async () => {
    const { adapter, announce } = get()
    expect(adapter.discover !== undefined).toBe(announce !== undefined)
    if (adapter.discover === undefined || announce === undefined) return
    const found: string[] = []
    const early = await announce()
    const stop = adapter.discover((connector) => found.push(connector.id))
    await expect.poll(() => found).toContain(early)
    const late = await announce()
    await expect.poll(() => found).toContain(late)
    stop()
    stop()
    const foundBefore = found.length
    await announce()
    expect(found.length).toBe(foundBefore)
  })
}

function addressOf({ accounts: [account] }: Connection): string {
  return account.slice(account.lastIndexOf(':') + 1)
}
