import { memoryStorage, type Connection } from '@latchkey/core'
import type { Outcome, SubmittedTransaction, Transfer, Transfers } from '@latchkey/core/money'
import { startPolkadotChain, type PolkadotChain } from '@latchkey/devnet'
import { getField, type Network } from '@latchkey/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatSs58Address, parseSs58Address } from '../address/ss58Address.ts'
import { polkadot } from '../polkadot.ts'
import { createWalletOpener, type OpenWallet } from '../testing/openWallet.ts'
import { startRpcProxy, type RpcProxy } from '../testing/startRpcProxy.ts'

let chain: PolkadotChain
let proxy: RpcProxy
let network: Network
let transfers: Transfers
let payer: OpenWallet
let receiver: OpenWallet
beforeAll(async () => void (chain = await startPolkadotChain()))
afterAll(() => chain.close())

const openWallet = createWalletOpener(() => chain)
const asset = { symbol: 'ROC', decimals: 12 }
const amount = 50_000_000_000n

beforeEach(async () => {
  proxy = await startRpcProxy(chain.rpcUrl)
  network = { ...chain.network, rpcUrls: { default: { http: [proxy.url] } } }
  const adapter = polkadot({ networks: [{ ...chain.network, ...network }], storage: memoryStorage() })
  const loaded = await adapter.transfers?.()
  if (loaded === undefined) throw new Error('Nothing can be transferred.')
  transfers = loaded
  payer = await openWallet(network)
  receiver = await openWallet(network)
})
afterEach(() => proxy.close())

function createPayment(changes: Partial<Transfer> = {}): Transfer {
  return { from: payer.connection.accounts[0], to: receiver.address, asset, amount, ...changes }
}

function send(
  changes: Partial<Transfer> = {},
  connection: Connection = payer.connection,
): Promise<SubmittedTransaction> {
  return transfers.send(connection, network, createPayment(changes))
}

function follow(sent: SubmittedTransaction): Promise<Outcome> {
  return transfers.follow(network, createPayment().from, sent, { timeout: 60_000 })
}

function followPayment(sent: SubmittedTransaction): Promise<Outcome> {
  return transfers.follow(network, createPayment().from, sent, { timeout: 60_000, once: true })
}

const balanceOf = ({ address }: OpenWallet): Promise<bigint> => transfers.getBalance(network, address, asset)

/** The payloads that the wallet was asked to sign. */
const listSignedPayloads = (): readonly unknown[] =>
  payer.extension.requests.filter(({ method }) => method === 'signPayload').map(({ params }) => params)

const countSubmissions = (): number => proxy.requests.filter((method) => method === 'author_submitExtrinsic').length

/** Lets the wallet respond to requests for transactions with something else. */
function createRespondingConnection(respond: (response: unknown, params: unknown) => unknown): Connection {
  const { connection } = payer
  return {
    ...connection,
    accounts: connection.accounts,
    chainId: connection.chainId,
    provider: {
      request: async (request) => respond(await connection.provider.request(request), request.params),
    },
  }
}

describe('a payment on a real chain', () => {
  test('moves exactly the amount, and its outcome is final', async () => {
    const [mine, his] = [await balanceOf(payer), await balanceOf(receiver)]
    const fee = await transfers.estimateFee(network, createPayment())
    const sent = await transfers.send(payer.connection, network, createPayment(), fee)
    expect(await follow(sent)).toEqual({ status: 'mined', hash: sent.hash, blockNumber: expect.any(BigInt) })
    expect((await balanceOf(receiver)) - his).toBe(amount)
    const cost = mine - (await balanceOf(payer)) - amount
    expect(cost > 0n && cost <= fee.value).toBe(true)
  })

  test('that the runtime refuses is reported as failed, with its reason', { tags: 'faults' }, async () => {
    const all = await balanceOf(payer)
    const sent = await send({ amount: all })
    expect(await follow(sent)).toEqual({
      status: 'reverted',
      hash: sent.hash,
      reason: 'insufficient balance: Balances.InsufficientBalance',
    })
    expect(await balanceOf(receiver)).toBe(10n ** 12n)
  })

  test('never closes the account: the existential deposit stays', { tags: 'faults' }, async () => {
    const fee = await transfers.estimateFee(network, createPayment())
    expect(fee.kept).toEqual({ amount: 3_333_333n, reason: 'existential-deposit' })
    const sent = await send({ amount: (await balanceOf(payer)) - fee.value })
    expect(await follow(sent)).toMatchObject({
      status: 'reverted',
      reason: expect.stringMatching(/KeepAlive|Insufficient/),
    })
    expect(await balanceOf(payer)).toBeGreaterThan(3_333_333n)
  })

  test('to an account that does not exist needs the existential deposit', { tags: 'faults' }, async () => {
    const to = formatSs58Address(new Uint8Array(32).fill(9), 42)
    expect(await transfers.inspectReceiver(network, createPayment({ to }))).toEqual(['unused'])
    const little = createPayment({ to, amount: 3_333_332n })
    await expect(transfers.estimateFee(network, little)).rejects.toMatchObject({
      code: 'transaction/reverted',
      context: { reason: expect.stringMatching(/^dust/) },
    })
    const sent = await send({ to, amount: 3_333_332n })
    expect(await follow(sent)).toMatchObject({ status: 'reverted', reason: expect.stringMatching(/^dust: /) })
  })

  test('to an address in the format of another network pays the same key, with a note', async () => {
    const to = formatSs58Address(parseSs58Address(receiver.address), 0)
    expect(await transfers.inspectReceiver(network, createPayment({ to }))).toEqual(['other-format'])
    const before = await balanceOf(receiver)
    const sent = await send({ to })
    expect(await follow(sent)).toMatchObject({ status: 'mined' })
    expect((await balanceOf(receiver)) - before).toBe(amount)
  })

  test('follows another payment of the account', { tags: 'faults' }, async () => {
    for (const nonce of [0, 1, 2]) {
      const sent = await send({ amount: amount + BigInt(nonce) })
      expect(sent.nonce).toBe(nonce)
      expect(await follow(sent)).toMatchObject({ status: 'mined' })
    }
  })
})

describe('a payment with a lost or missing response', () => {
  test('of the node counts as sent, and is found on the chain', { tags: 'faults' }, async () => {
    proxy.replace('author_submitExtrinsic', 'lost')
    const sent = await send()
    proxy.respondTruthfully()
    expect(await follow(sent)).toMatchObject({ status: 'mined', hash: sent.hash })
  })

  test('is unknown until it can no longer be included', { tags: 'faults' }, async () => {
    proxy.replace('author_submitExtrinsic', 'dropped')
    const sent = await send()
    const { block = 0n } = sent
    await chain.build(2)
    expect(await followPayment(sent)).toEqual({ status: 'unknown', hash: sent.hash })
    const reason = 'the transaction expired before the network included it'
    expect(await followPayment({ ...sent, lastBlock: block + 2n })).toEqual({
      status: 'reverted',
      hash: sent.hash,
      reason,
    })
  })

  test('is replaced if another payment used its nonce', { tags: 'faults' }, async () => {
    proxy.replace('author_submitExtrinsic', 'dropped')
    const lost = await send()
    proxy.respondTruthfully()
    const other = await send({ amount: amount + 1n })
    expect(other.nonce).toBe(lost.nonce)
    expect(await follow(other)).toMatchObject({ status: 'mined' })
    expect(await followPayment(lost)).toEqual({ status: 'replaced', hash: lost.hash, by: other.hash, how: 'other' })
    expect(await followPayment({ ...lost, content: other.content ?? '' })).toMatchObject({ how: 'repriced' })
  })

  test('is found without the state of old blocks', { tags: 'faults' }, async () => {
    const sent = await send()
    await follow(sent)
    proxy.replace('state_getStorage', (result, [key]) => (String(key).includes('b99d880ec681799c') ? 'pruned' : result))
    expect(await followPayment(sent)).toMatchObject({ status: 'mined' })
  })

  test('stays unknown without the events of its block', { tags: 'faults' }, async () => {
    const sent = await send()
    expect(await follow(sent)).toMatchObject({ status: 'mined' })
    proxy.replace('state_getStorage', (result, [key]) => (String(key).includes('80d41e5e16056765') ? null : result))
    const outcome = await transfers.follow(network, createPayment().from, sent, { timeout: 2_000 })
    expect(outcome).toEqual({ status: 'unknown', hash: sent.hash })
  })
})

describe('a hostile endpoint', () => {
  test.each<readonly [string, string, (result: unknown) => unknown]>([
    ['of another chain', 'chain_getBlockHash', () => `0x${'ab'.repeat(32)}`],
    ['with metadata that is not hex', 'state_getMetadata', () => 'metadata'],
    ['with empty metadata', 'state_getMetadata', () => '0x'],
    ['with random metadata', 'state_getMetadata', () => `0x6d6574610e${'ff'.repeat(5_000)}`],
    ['with cut metadata', 'state_getMetadata', (result) => String(result).slice(0, 100_000)],
    ['with metadata of 30 MB', 'state_getMetadata', () => `0x${'00'.repeat(15_000_000)}`],
    ['with a version that is not a number', 'state_getRuntimeVersion', () => ({ specVersion: '900' })],
    ['with a negative nonce', 'system_accountNextIndex', () => -1],
    ['with a nonce that is not a number', 'system_accountNextIndex', () => '0'],
    ['with a finalized block that is not a hash', 'chain_getFinalizedHead', () => '0x00'],
    ['with a block without a number', 'chain_getHeader', () => ({})],
  ])('%s is not used, and the wallet is not asked', { tags: 'faults' }, async (_, method, by) => {
    proxy.replace(method, by)
    await expect(send()).rejects.toMatchObject({ code: 'rpc/unreachable' })
    expect(listSignedPayloads()).toEqual([])
    const second = { ...network, rpcUrls: { default: { http: [proxy.url, chain.rpcUrl] } } }
    const sent = await transfers.send(payer.connection, second, createPayment())
    proxy.respondTruthfully()
    expect(await follow(sent)).toMatchObject({ status: 'mined' })
  })

  test('can’t raise the fee above what the user saw', async () => {
    const sending = transfers.send(payer.connection, network, createPayment(), { value: 1_000n })
    await expect(sending).rejects.toMatchObject({ code: 'request/failed' })
    expect(listSignedPayloads()).toEqual([])
  })

  test('with a fee that is not a number reports none', async () => {
    proxy.replace('state_call', () => '0x00')
    await expect(transfers.estimateFee(network, createPayment())).rejects.toMatchObject({ code: 'rpc/unreachable' })
  })

  test(
    'that reports an upgrade between review and approval gets a payment for the new runtime',
    { tags: 'faults' },
    async () => {
      const fee = await transfers.estimateFee(network, createPayment())
      const read = (): number => proxy.requests.filter((method) => method === 'state_getMetadata').length
      expect(read()).toBe(1)
      proxy.replace('state_getRuntimeVersion', (result) => ({ ...Object(result), specVersion: 901 }))
      // The real chain still has version 900, so it refuses the signature.
      const sending = transfers.send(payer.connection, network, createPayment(), fee)
      await expect(sending).rejects.toMatchObject({ code: 'rpc/failed' })
      expect(listSignedPayloads()).toMatchObject([{ specVersion: '0x00000385' }])
      expect(read()).toBe(2)
    },
  )
})

describe('a hostile wallet', () => {
  test.each<readonly [string, (response: unknown) => unknown]>([
    ['no signature', () => ({})],
    ['a string', () => ({ signature: 'signed' })],
    [
      'a signature without its scheme',
      (response) => ({ signature: `0x${String(getField(response, 'signature')).slice(4)}` }),
    ],
    [
      'a signature of an unknown scheme',
      (response) => ({ signature: `0x07${String(getField(response, 'signature')).slice(4)}` }),
    ],
  ])('with %s is not believed, and nothing is sent', async (_, respond) => {
    await expect(send({}, createRespondingConnection(respond))).rejects.toMatchObject({
      code: 'wallet/invalid-response',
    })
    expect(countSubmissions()).toBe(0)
  })

  test('with a signature of other data is not sent', async () => {
    const other = await openWallet(network)
    const asOther = (_: unknown, params: unknown): Promise<unknown> =>
      other.connection.provider.request({
        method: 'polkadot_signTransaction',
        params: { ...Object(params), address: other.address },
      })
    await expect(send({}, createRespondingConnection(asOther))).rejects.toMatchObject({ code: 'transaction/changed' })
    const zeros = createRespondingConnection(() => ({ signature: `0x01${'00'.repeat(64)}` }))
    await expect(send({}, zeros)).rejects.toMatchObject({ code: 'transaction/changed' })
    expect(countSubmissions()).toBe(0)
  })

  test('can’t replace the transaction', { tags: 'faults' }, async () => {
    const replacing = createRespondingConnection((response) => ({ ...Object(response), signedTransaction: '0x1234' }))
    expect(await follow(await send({}, replacing))).toMatchObject({ status: 'mined' })
  })

  test('without a method for transactions is named', async () => {
    payer.extension.faults.once('signPayload', { kind: 'fail', code: -32_601, message: 'no such method' })
    await expect(send()).rejects.toMatchObject({ code: 'wallet/payments-unsupported' })
    expect(countSubmissions()).toBe(0)
  })
})

test('a declined payment is neutral, and nothing is sent', async () => {
  payer.extension.rejectNext()
  await expect(send()).rejects.toMatchObject({ code: 'request/rejected' })
  expect(countSubmissions()).toBe(0)
})
