import type { AccountId, Network } from '@latchkey/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Connection } from '../contracts/connector.ts'
import type { Asset, Transfer, Transfers } from '../money/transfers.ts'

type Awaitable<value> = value | Promise<value>

/** The transfers under test, with a running chain and funded wallets. */
export type TransfersWorld = {
  transfers: Transfers
  /** The network of the running chain. */
  network: Network
  /** A wallet on that network that approves everything; its selected account holds more than `amount` of each asset. */
  connection: Connection
  /** A wallet whose selected account the tests may empty. */
  spender: Connection
  /** Another account that the chain knows and that holds the token. */
  receiver: string
  native: Asset
  /** The address of a token, and its metadata. Omitted in namespaces without tokens. */
  token?: Asset & { address: string; name: string }
  /** Base units of either asset. */
  amount: bigint
  /** Invalid addresses of the namespace. */
  notAddresses: readonly string[]
  /** An address without a token. */
  notToken: string
  /** The hash of a transaction that was never sent. */
  unknownHash: string
  /** A transfer that fails, and its reason. Omitted if the chain gives no reasons. */
  failing?: { transfer: Transfer; reason: string }
  /** Makes the wallet reject the next request. */
  decline(): Awaitable<void>
  /** Disconnects the transfers from their chain. */
  cutOff(): Awaitable<void>
  end?(): Awaitable<void>
}

const followTimeoutMs = 25_000

/**
 * The contract suite of transfers.
 *
 * @param make creates the fixture of each test
 * @example describeTransfers('evm', async () => ({ transfers, network, connection, … }))
 */
export function describeTransfers(name: string, make: () => Awaitable<TransfersWorld>): void {
  describe(`${name} is Transfers`, () => {
    let world: TransfersWorld
    beforeEach(async () => {
      world = await make()
    })
    afterEach(() => world.end?.())

    describeReading(() => world)
    describePaying(() => world)
    describeRefusing(() => world)
    describeFollowing(() => world)
  })
}

function describeReading(get: () => TransfersWorld): void {
  test('reads the metadata of a token', async () => {
    const { transfers, network, token } = get()
    if (token === undefined) return
    expect(await transfers.readAsset(network, token.address)).toEqual(token)
  })

  test('rejects when there is no token', async () => {
    const { transfers, network, notToken, notAddresses } = get()
    for (const address of [notToken, ...notAddresses]) {
      await expect(transfers.readAsset(network, address)).rejects.toMatchObject({ code: 'address/invalid' })
    }
  })

  test('rejects when its chain is unreachable', async () => {
    const { transfers, network, connection, native, token, amount, receiver, cutOff } = get()
    const from = connection.accounts[0]
    await cutOff()
    for (const asset of token === undefined ? [native] : [native, token]) {
      const calls = [
        () => transfers.getBalance(network, addressOf(from), asset),
        () => transfers.estimateFee(network, { from, to: receiver, asset, amount }),
      ]
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'rpc/unreachable' })
    }
  })

  test('warns about the sender and invalid addresses, and not about a known recipient', async () => {
    const { transfers, network, connection, native, receiver, notAddresses } = get()
    const from = connection.accounts[0]
    const inspect = (to: string) => transfers.inspectReceiver(network, { from, to, asset: native })
    expect(await inspect(receiver)).toEqual([])
    expect(await inspect(addressOf(from))).toContain('oneself')
    for (const text of ['', ...notAddresses]) expect([text, await inspect(text)]).toEqual([text, ['invalid']])
  })
}

function describePaying(get: () => TransfersWorld): void {
  test('sends exactly the amount, for at most the estimated fee', async () => {
    const { transfers, network, connection, native, receiver, amount } = get()
    const from = connection.accounts[0]
    const transfer = { from, to: receiver, asset: native, amount }
    const held = () => getBalances(get(), native, addressOf(from), receiver)
    const [mineBefore, hisBefore] = await held()
    const fee = await transfers.estimateFee(network, transfer)
    const sent = await transfers.send(connection, network, transfer)
    expect(await follow(get(), from, sent)).toMatchObject({ status: 'mined', hash: sent.hash })
    const [mine, his] = await held()
    expect(his - hisBefore).toBe(amount)
    const cost = mineBefore - mine - amount
    expect(cost > 0n && cost <= fee.value + (fee.deposit ?? 0n)).toBe(true)
  })

  test('sends exactly the amount of a token', async () => {
    const { transfers, network, connection, token, receiver, amount } = get()
    if (token === undefined) return
    const from = connection.accounts[0]
    const held = () => getBalances(get(), token, addressOf(from), receiver)
    const [mineBefore, hisBefore] = await held()
    const sent = await transfers.send(connection, network, { from, to: receiver, asset: token, amount })
    expect(await follow(get(), from, sent)).toMatchObject({ status: 'mined' })
    expect(await held()).toEqual([mineBefore - amount, hisBefore + amount])
  })

  test('sends the whole balance minus the fee', async () => {
    const { transfers, network, spender, native, receiver } = get()
    const from = spender.accounts[0]
    const all = await transfers.getBalance(network, addressOf(from), native)
    const fee = await transfers.estimateFee(network, { from, to: receiver, asset: native, amount: all })
    const kept = fee.kept?.amount ?? 0n
    const amount = all - fee.value - (fee.deposit ?? 0n) - kept
    const sent = await transfers.send(spender, network, { from, to: receiver, asset: native, amount }, fee)
    expect(await follow(get(), from, sent)).toMatchObject({ status: 'mined' })
    const left = await transfers.getBalance(network, addressOf(from), native)
    expect(left >= kept && left <= kept + fee.value).toBe(true)
  })
}

function describeRefusing(get: () => TransfersWorld): void {
  test('rejects when the user declines', async () => {
    const { transfers, network, connection, native, token, receiver, amount, decline } = get()
    for (const asset of token === undefined ? [native] : [native, token]) {
      await decline()
      const sending = transfers.send(connection, network, { from: connection.accounts[0], to: receiver, asset, amount })
      await expect(sending).rejects.toMatchObject({ code: 'request/rejected' })
    }
  })

  test('rejects negative amounts and invalid recipients without a wallet request', async () => {
    const { transfers, network, connection, native, token, receiver, notAddresses, amount } = get()
    const from = connection.accounts[0]
    for (const asset of token === undefined ? [native] : [native, token]) {
      const sending = transfers.send(connection, network, { from, to: receiver, asset, amount: -1n })
      await expect(sending).rejects.toMatchObject({ code: 'amount/invalid' })
      for (const to of notAddresses) {
        const paying = transfers.send(connection, network, { from, to, asset, amount })
        await expect(paying).rejects.toMatchObject({ code: 'address/invalid' })
      }
    }
  })

  test('rejects a failing transfer with its reason before it is sent', async () => {
    const { transfers, network, failing } = get()
    if (failing === undefined) return
    await expect(transfers.estimateFee(network, failing.transfer)).rejects.toMatchObject({
      code: 'transaction/reverted',
      context: { reason: expect.stringContaining(failing.reason) },
    })
  })
}

function describeFollowing(get: () => TransfersWorld): void {
  test('returns unknown for an unsent transaction, and stops on abort', async () => {
    const { transfers, network, connection, unknownHash: hash } = get()
    const from = connection.accounts[0]
    const unknown = { status: 'unknown', hash }
    expect(await transfers.follow(network, from, { hash }, { timeout: 20 })).toEqual(unknown)
    const attempt = new AbortController()
    const following = transfers.follow(network, from, { hash }, { timeout: 3_600_000, signal: attempt.signal })
    attempt.abort()
    expect(await following).toEqual(unknown)
  })

  test('never reports a failure when the chain is unreachable', async () => {
    const { transfers, network, connection, native, receiver, amount, cutOff } = get()
    const from = connection.accounts[0]
    // A different amount: some chains treat two identical payments as one.
    const sent = await transfers.send(connection, network, { from, to: receiver, asset: native, amount: amount + 1n })
    await cutOff()
    const outcome = await transfers.follow(network, from, sent, { timeout: 20 })
    expect(outcome).toEqual({ status: 'unknown', hash: sent.hash })
  })
}

function follow({ transfers, network }: TransfersWorld, from: AccountId, sent: { hash: string }): Promise<unknown> {
  return transfers.follow(network, from, sent, { timeout: followTimeoutMs })
}

async function getBalances(
  { transfers, network }: TransfersWorld,
  asset: Asset,
  mine: string,
  his: string,
): Promise<readonly [bigint, bigint]> {
  return Promise.all([transfers.getBalance(network, mine, asset), transfers.getBalance(network, his, asset)])
}

function addressOf(account: AccountId): string {
  return account.slice(account.lastIndexOf(':') + 1)
}
