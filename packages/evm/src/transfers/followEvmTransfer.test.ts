import type { Connection } from '@latchkey/core'
import type { Outcome, SubmittedTransaction, Transfer } from '@latchkey/core/money'
import { getRejection, manualClock } from '@latchkey/core/testing'
import { type AccountId, requestError } from '@latchkey/protocol'
import { isHex, numberToHex, parseEther, type Address, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { evm } from '../evm.ts'
import { startTestChain, type TestChain, type TestWallet } from '../testing/startTestChain.ts'

const pollTimeout = { timeout: 25_000 }
const otherAccount = '0x00000000000000000000000000000000000A11cE'

let chain: TestChain
let wallet: TestWallet
let receiver: TestWallet

beforeAll(async () => {
  chain = await startTestChain()
  ;[wallet, receiver] = [await chain.wallet(), await chain.wallet()]
  return () => chain.stop()
})

afterEach(async () => {
  chain.proxy.reconnect()
  await chain.request('evm_setAutomine', true)
  await chain.request('anvil_mine')
})

function accountOf(address: Address): AccountId {
  return `eip155:31337:${address}`
}

function createTransfer(amount: bigint, to: Address = receiver.address): Transfer {
  return { from: accountOf(wallet.address), to, asset: chain.native, amount }
}

async function send(amount: bigint, connection: Connection = wallet.connection): Promise<SubmittedTransaction> {
  return (await chain.transfers()).send(connection, chain.network, createTransfer(amount))
}

async function follow(sent: SubmittedTransaction, onFound?: (found: SubmittedTransaction) => void): Promise<Outcome> {
  const options = { ...pollTimeout, onFound }
  return (await chain.transfers()).follow(chain.network, accountOf(wallet.address), sent, options)
}

/** Follows a pending transaction. Resolves when its nonce is known: a replaced transaction can no longer be read. */
async function followPending(sent: SubmittedTransaction): Promise<{ outcome: Promise<Outcome> }> {
  let outcome: Promise<Outcome> | undefined
  await new Promise<void>((resolve, reject) => {
    outcome = follow(sent, ({ nonce }) => {
      if (nonce !== undefined) resolve()
    })
    outcome.then(() => reject(new Error('The transaction is not pending.')), reject)
  })
  return { outcome: outcome ?? expect.fail('it was not followed') }
}

async function replace(
  sent: SubmittedTransaction,
  how: 'faster' | 'cancel',
  connection = wallet.connection,
): Promise<SubmittedTransaction> {
  const transfers = await chain.transfers()
  if (transfers.replace === undefined) throw new Error('Nothing can be replaced.')
  return transfers.replace(connection, chain.network, accountOf(wallet.address), sent, how)
}

/** Stops the chain from mining, so that what is sent waits. */
const holdMining = (): Promise<unknown> => chain.request('evm_setAutomine', false)
const mineBlocks = (): Promise<unknown> => chain.request('anvil_mine')
const getTransactionCount = async (): Promise<unknown> =>
  chain.request('eth_getTransactionCount', wallet.address, 'latest')
const getHeldBalance = async (address: Address): Promise<bigint> =>
  BigInt(String(await chain.request('eth_getBalance', address, 'latest')))

/** A wallet that signs what it is asked to sign, as most extensions do not. */
function createSigningConnection(
  connection: Connection,
  change: (transaction: Record<string, unknown>) => object = (same) => same,
): Connection {
  const account = privateKeyToAccount(wallet.key)
  return {
    ...connection,
    provider: {
      async request({ method, params }) {
        if (method !== 'eth_signTransaction') return connection.provider.request({ method, params })
        const changed = change(Object(Array.isArray(params) ? params[0] : undefined))
        const number = (name: string): bigint => BigInt(String(Reflect.get(changed, name) ?? 0))
        const [to, data]: unknown[] = [Reflect.get(changed, 'to'), Reflect.get(changed, 'data')]
        return account.signTransaction({
          type: 'eip1559',
          chainId: 31_337,
          to: isHex(to) ? to : undefined,
          data: isHex(data) ? data : undefined,
          value: number('value'),
          nonce: Number(number('nonce')),
          gas: number('gas'),
          maxFeePerGas: number('maxFeePerGas'),
          maxPriorityFeePerGas: number('maxPriorityFeePerGas'),
        })
      },
    },
  }
}

describe('a transaction that was sent', () => {
  test('is reported as reverted with its reason', async () => {
    const grumbler = '0x00000000000000000000000000000000000090BE'
    // It reverts like `revert("out of order")`.
    const reason =
      '08c379a00000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000000c6f7574206f66206f7264657200000000000000000000000000000000000000000'
    await chain.request('anvil_setCode', grumbler, `0x6064600c60003960646000fd${reason.slice(0, 200)}`)
    const transfers = await chain.transfers()
    const sent = await transfers.send(wallet.connection, chain.network, createTransfer(1n, grumbler))
    expect(await follow(sent)).toEqual({ status: 'reverted', hash: sent.hash, reason: 'out of order' })
  })

  test('waits behind a nonce gap without failing, and is mined when the gap closes', async () => {
    const clock = manualClock()
    const transfers = await evm({ chains: [chain.chain], page: new EventTarget(), clock }).transfers?.()
    const next = Number(BigInt(String(await getTransactionCount())))
    const account = privateKeyToAccount(wallet.key)
    const order = (nonce: number): Promise<Hex> =>
      account.signTransaction({
        type: 'eip1559',
        chainId: 31_337,
        to: otherAccount,
        value: 1n,
        nonce,
        gas: 21_000n,
        maxFeePerGas: 10n ** 11n,
        maxPriorityFeePerGas: 1n,
      })
    const hash = String(await chain.request('eth_sendRawTransaction', await order(next + 1)))
    const from = accountOf(wallet.address)
    const early = transfers?.follow(chain.network, from, { hash }, pollTimeout)
    await expect.poll(() => clock.waiting()).toBe(2)
    clock.advance(25_000)
    expect(await early).toEqual({ status: 'unknown', hash })
    await chain.request('eth_sendRawTransaction', await order(next))
    expect(await follow({ hash })).toMatchObject({ status: 'mined', hash })
  })

  test('survives an endpoint that is down', async () => {
    await holdMining()
    const sent = await send(1n)
    chain.proxy.disconnect()
    const outcome = follow(sent)
    chain.proxy.reconnect()
    await mineBlocks()
    expect(await outcome).toMatchObject({ status: 'mined', hash: sent.hash })
  })
})

describe('a replaced transaction', () => {
  const takeOver = async (sent: SubmittedTransaction, change: { to?: Address; value?: bigint }): Promise<Outcome> => {
    const outcome = follow(sent)
    const { nonce } = Object(await chain.request('eth_getTransactionByHash', sent.hash))
    await chain.request('anvil_dropTransaction', sent.hash)
    const raw = await privateKeyToAccount(wallet.key).signTransaction({
      type: 'eip1559',
      chainId: 31_337,
      to: change.to ?? receiver.address,
      value: change.value ?? 77n,
      nonce: Number(BigInt(nonce)),
      gas: 21_000n,
      maxFeePerGas: parseEther('0.000001'),
      maxPriorityFeePerGas: parseEther('0.0000005'),
    })
    await chain.request('eth_sendRawTransaction', raw)
    await mineBlocks()
    return outcome
  }

  test.each([
    ['the same payment at a higher price', {}, 'repriced'],
    ['another payment', { to: otherAccount, value: 5n } as const, 'other'],
  ])('is reported if replaced by %s', async (_, change, how) => {
    await holdMining()
    const sent = await send(77n)
    const outcome = await takeOver({ ...sent, nonce: await nonceOf(sent) }, change)
    expect(outcome).toMatchObject({ status: 'replaced', hash: sent.hash, how })
    expect(outcome).not.toHaveProperty('by', sent.hash)
  })
})

describe('a transaction that no node of the app sees', () => {
  /** Describes a payment that the wallet sent elsewhere, with the position of the account before it. */
  const sendElsewhere = async (): Promise<SubmittedTransaction> => {
    const transfers = await chain.transfers()
    const call = { to: receiver.address, value: 77n }
    return { hash: `0x${'ab'.repeat(32)}`, ...(await transfers.readOrigin?.(chain.network, wallet.address, call)) }
  }
  const followOnce = async (sent: SubmittedTransaction): Promise<Outcome> =>
    (await chain.transfers()).follow(chain.network, accountOf(wallet.address), sent, { ...pollTimeout, once: true })
  /** Mines a payment with the next nonce of the account. */
  const mineOther = async (to: Address, value: bigint): Promise<string> => {
    const transfers = await chain.transfers()
    const { hash } = await transfers.send(wallet.connection, chain.network, createTransfer(value, to))
    await mineBlocks()
    return hash
  }

  test('is found by its content and its expected nonce after a speed-up', async () => {
    const sent = await sendElsewhere()
    expect(await followOnce(sent)).toEqual({ status: 'unknown', hash: sent.hash })
    const by = await mineOther(receiver.address, 77n)
    expect(await followOnce(sent)).toEqual({ status: 'replaced', hash: sent.hash, by, how: 'repriced' })
  })

  test('is found by its expected nonce after a cancellation', async () => {
    const sent = await sendElsewhere()
    const by = await mineOther(wallet.address, 0n)
    expect(await followOnce(sent)).toEqual({ status: 'replaced', hash: sent.hash, by, how: 'cancelled' })
  })

  test('stays unknown if another payment took the expected nonce, because its own may be later', async () => {
    const sent = await sendElsewhere()
    await mineOther(otherAccount, 5n)
    expect(await followOnce(sent)).toEqual({ status: 'unknown', hash: sent.hash })
  })

  test('has the count of the account before it as its expected nonce', async () => {
    const count = Number(BigInt(String(await getTransactionCount())))
    expect(await sendElsewhere()).toMatchObject({ expectedNonce: count, content: expect.stringMatching(/^0x/) })
    const { expectedNonce } = await send(1n)
    // A wallet that approves at once may respond before the chain.
    expect([undefined, count]).toContain(expectedNonce)
  })
})

async function nonceOf({ hash }: SubmittedTransaction): Promise<number> {
  return Number(BigInt(Object(await chain.request('eth_getTransactionByHash', hash)).nonce))
}

describe('a pending transaction', () => {
  test('can be cancelled, and the replacement is reported', async () => {
    const before = await getHeldBalance(receiver.address)
    await holdMining()
    const sent = await send(1_000n)
    const { outcome } = await followPending(sent)
    const cancelling = await replace(sent, 'cancel')
    expect(cancelling.nonce).toBe(await nonceOf(cancelling))
    await mineBlocks()
    expect(await outcome).toEqual({ status: 'replaced', hash: sent.hash, by: cancelling.hash, how: 'cancelled' })
    expect(await getHeldBalance(receiver.address)).toBe(before)
  })

  test('is not cancelled by a wallet that chooses the nonce itself, and is paid', async () => {
    const before = await getHeldBalance(receiver.address)
    await holdMining()
    const sent = await send(1_000n)
    const ignoring: Connection = {
      ...wallet.connection,
      provider: {
        request({ method, params }) {
          const [transaction] = Array.isArray(params) ? params : []
          const { nonce: _nonce, ...others } = Object(transaction)
          const changed = method === 'eth_sendTransaction' ? [others] : params
          return wallet.connection.provider.request({ method, params: changed })
        },
      },
    }
    const failure = await getRejection(replace(sent, 'cancel', ignoring))
    expect(failure).toMatchObject({ code: 'transaction/not-replaceable' })
    await mineBlocks()
    expect(await follow(sent)).toMatchObject({ status: 'mined' })
    expect(await getHeldBalance(receiver.address)).toBe(before + 1_000n)
  })

  test('can be sped up here only if the wallet reports that it signs without sending', async () => {
    const { canSpeedUp } = await chain.transfers()
    expect(canSpeedUp?.(wallet.connection)).toBe(false)
    expect(canSpeedUp?.({ ...wallet.connection, methods: ['eth_sendTransaction'] })).toBe(false)
    expect(canSpeedUp?.({ ...wallet.connection, methods: ['eth_signTransaction'] })).toBe(true)
  })

  test('can be sped up by a signing wallet, and is paid once', async () => {
    const before = await getHeldBalance(receiver.address)
    await holdMining()
    const sent = await send(1_000n)
    const { outcome } = await followPending(sent)
    const faster = await replace(sent, 'faster', createSigningConnection(wallet.connection))
    await mineBlocks()
    expect(await outcome).toEqual({ status: 'replaced', hash: sent.hash, by: faster.hash, how: 'repriced' })
    expect(await getHeldBalance(receiver.address)).toBe(before + 1_000n)
  })

  test.each([
    ['another nonce', (changed: object) => ({ ...changed, nonce: numberToHex(999) })],
    ['another amount', (changed: object) => ({ ...changed, value: numberToHex(7n) })],
  ])('is not sent again if the wallet signs it with %s', async (_, change) => {
    const before = await getHeldBalance(receiver.address)
    await holdMining()
    const sent = await send(1_000n)
    const failure = await getRejection(replace(sent, 'faster', createSigningConnection(wallet.connection, change)))
    expect(failure).toMatchObject({ code: 'transaction/not-replaceable' })
    await mineBlocks()
    expect(await follow(sent)).toMatchObject({ status: 'mined' })
    expect(await getHeldBalance(receiver.address)).toBe(before + 1_000n)
  })

  test('cannot be replaced by a wallet that cannot sign without sending', async () => {
    await holdMining()
    const sent = await send(1n)
    const refusing: Connection = {
      ...wallet.connection,
      provider: {
        request: async ({ method }) => {
          throw requestError('request/failed', { method, code: 4200, reason: 'no such method' })
        },
      },
    }
    expect(await getRejection(replace(sent, 'faster', refusing))).toMatchObject({ code: 'transaction/not-replaceable' })
  })

  test('cannot be replaced after it was mined', async () => {
    const sent = await send(1n)
    await follow(sent)
    for (const how of ['faster', 'cancel'] as const) {
      expect(await getRejection(replace(sent, how))).toMatchObject({ code: 'transaction/not-replaceable' })
    }
  })
})

describe('a wallet that fails', () => {
  test('after sending: the payment is found on the chain [P-02]', async () => {
    const before = await getHeldBalance(receiver.address)
    chain.proxy.loseNext('eth_sendRawTransaction')
    const sent = await send(4_321n)
    expect(await follow(sent)).toMatchObject({ status: 'mined', hash: sent.hash })
    expect(await getHeldBalance(receiver.address)).toBe(before + 4_321n)
    expect(wallet.extension.requests.filter(({ method }) => method === 'eth_sendTransaction').length).toBeGreaterThan(0)
  })

  test('without a trace: the outcome is unknown, not failed [P-02]', async () => {
    const failing: Connection = {
      ...wallet.connection,
      provider: {
        request: async ({ method }) => {
          throw requestError('request/failed', { method, code: -32_603, reason: 'Failed to fetch' })
        },
      },
    }
    expect(await getRejection(send(1n, failing))).toMatchObject({ code: 'request/unknown' })
  })

  test.each([
    [-32_000, 'insufficient funds for gas * price + value'],
    [-32_000, 'Nonce provided for the transaction is lower than the current nonce of the account.'],
    [4_200, 'The wallet has no method eth_sendTransaction.'],
  ])('before sending, with code %i: the transfer rejects as failed', async (code, reason) => {
    const failing: Connection = {
      ...wallet.connection,
      provider: {
        request: async ({ method }) => {
          throw requestError('request/failed', { method, code, reason })
        },
      },
    }
    expect(await getRejection(send(1n, failing))).toMatchObject({ code: 'request/failed' })
  })
})
