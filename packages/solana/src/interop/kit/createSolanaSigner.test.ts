import { createLatchkey, disconnect, memoryStorage, waitForTransaction } from '@latchkey/core'
import type { LocalSolana } from '@latchkey/devnet'
import type { SimulatedSolanaOptions } from '@latchkey/testkit'
import { verifySolanaBytes } from '@latchkey/verify/solana'
import {
  blockhash,
  compileTransaction,
  createNoopSigner,
  createSignableMessage,
  createSolanaRpc,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  isMessagePartialSigner,
  isTransactionModifyingSigner,
  isTransactionSendingSigner,
  partiallySignTransactionMessageWithSigners,
  setTransactionMessageLifetimeUsingBlockhash,
  signAndSendTransactionMessageWithSigners,
  signTransactionMessageWithSigners,
  type Transaction,
} from '@solana/kit'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { solana } from '../../solana.ts'
import {
  alice,
  bob,
  bobKey,
  createKeySigner,
  createPaymentMessage,
  createSolanaWorld,
  listSigningRequests,
  readBalance,
  startLocalSolana,
} from '../../testing/solanaTestWorld.ts'
import { createSolanaSigner } from './createSolanaSigner.ts'

let chain: LocalSolana

beforeAll(async () => {
  chain = await startLocalSolana()
  return () => chain.close()
})

/** A connected wallet and the signer of its selected account. */
async function setUp(options: Partial<SimulatedSolanaOptions> = {}) {
  const world = createSolanaWorld(chain, options)
  onTestFinished(world.stop)
  await world.connect()
  return { ...world, signer: createSolanaSigner(world.latchkey) }
}

/** A transaction as a wallet of the page returns it. */
function respondWith(...transactions: readonly Transaction[]) {
  return { kind: 'response', value: transactions.map(getBase64EncodedWireTransaction) } as const
}

describe('a signer of kit', () => {
  test('has the selected address, signs, sends and signs messages', async () => {
    const { signer } = await setUp()
    expect(signer.address).toBe(alice)
    expect(isTransactionModifyingSigner(signer)).toBe(true)
    expect(isTransactionSendingSigner(signer)).toBe(true)
    expect(isMessagePartialSigner(signer)).toBe(true)
  })

  test('sends a transaction message', async () => {
    const { latchkey, signer, wallet } = await setUp()
    const before = await readBalance(chain, bob)
    const signature = await signAndSendTransactionMessageWithSigners(await createPaymentMessage(chain, signer, 1_001n))
    const hash = getBase58Decoder().decode(signature)
    expect(await waitForTransaction(latchkey, hash)).toMatchObject({ hash })
    expect(await readBalance(chain, bob)).toBe(before + 1_001n)
    expect(listSigningRequests(wallet)).toEqual(['solana:signAndSendTransaction'])
  })

  test('signs a transaction message that the chain accepts, and sends nothing', async () => {
    const { signer, wallet } = await setUp()
    const before = await readBalance(chain, bob)
    const message = await createPaymentMessage(chain, signer, 1_002n)
    const signed = await signTransactionMessageWithSigners(message)
    expect(signed.lifetimeConstraint).toEqual(message.lifetimeConstraint)
    expect(await readBalance(chain, bob)).toBe(before)
    await createSolanaRpc(chain.rpcUrl)
      .sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' })
      .send()
    expect(await readBalance(chain, bob)).toBe(before + 1_002n)
    expect(listSigningRequests(wallet)).toEqual(['solana:signTransaction'])
  })

  test('signs and sends together with signers of the app', async () => {
    const { latchkey, signer } = await setUp()
    const before = await readBalance(chain, bob)
    const cosigner = await createKeySigner(3)
    const signed = await signTransactionMessageWithSigners(await createPaymentMessage(chain, signer, 1n, cosigner))
    expect(Object.values(signed.signatures)).not.toContain(null)
    const signature = await signAndSendTransactionMessageWithSigners(
      await createPaymentMessage(chain, signer, 1_003n, cosigner),
    )
    await waitForTransaction(latchkey, getBase58Decoder().decode(signature))
    expect(await readBalance(chain, bob)).toBe(before + 1_003n)
  })

  test('sends through the endpoint of the network if the wallet can only sign', async () => {
    const { signer, wallet } = await setUp({ info: { without: ['solana:signAndSendTransaction'] } })
    const before = await readBalance(chain, bob)
    await signAndSendTransactionMessageWithSigners(await createPaymentMessage(chain, signer, 1_004n))
    expect(await readBalance(chain, bob)).toBe(before + 1_004n)
    expect(listSigningRequests(wallet)).toEqual(['solana:signTransaction'])
  })

  test('signs several transactions with one approval, in order', async () => {
    const { signer, wallet } = await setUp()
    const messages = [await createPaymentMessage(chain, signer, 1n), await createPaymentMessage(chain, signer, 2n)]
    const given = messages.map((message) => compileTransaction(message))
    const signed = await signer.modifyAndSignTransactions(given)
    expect(signed.map(({ messageBytes }) => messageBytes)).toEqual(given.map(({ messageBytes }) => messageBytes))
    expect(listSigningRequests(wallet)).toEqual(['solana:signTransaction'])
    expect(await signer.modifyAndSignTransactions([])).toEqual([])
  })

  test('signs messages of bytes', async () => {
    const { signer } = await setUp()
    const messages = [Uint8Array.of(255, 0, 1), 'Hello'].map((content) => createSignableMessage(content))
    const signed = await signer.signMessages(messages)
    for (const [index, { content }] of messages.entries()) {
      const signature = signed[index]?.[alice] ?? new Uint8Array()
      expect(verifySolanaBytes(alice, content, new Uint8Array(signature))).toBe(true)
    }
  })

  test('passes its send options and the slot of the message to the wallet', async () => {
    const { latchkey, wallet } = await setUp()
    const signer = createSolanaSigner(latchkey, { sendOptions: { preflightCommitment: 'recent', maxRetries: 2 } })
    await signAndSendTransactionMessageWithSigners(await createPaymentMessage(chain, signer, 1_005n), {
      minContextSlot: 1n,
    })
    expect(wallet.requests.at(-1)?.params).toMatchObject({
      options: { preflightCommitment: 'processed', maxRetries: 2, minContextSlot: 1 },
    })
    const wrong = { sendOptions: { maxRetries: -1 } }
    expect(() => createSolanaSigner(latchkey, wrong)).toThrow(expect.objectContaining({ code: 'config/invalid' }))
  })

  test('can be another account that the wallet shares', async () => {
    const { latchkey } = await setUp()
    const signer = createSolanaSigner(latchkey, { address: bob })
    const [signatures] = await signer.signMessages([createSignableMessage('Hello')])
    const bytes = new TextEncoder().encode('Hello')
    expect(verifySolanaBytes(bob, bytes, new Uint8Array(signatures?.[bob] ?? []))).toBe(true)
  })
})

describe('a signer of kit rejects', () => {
  test('without a connected wallet', () => {
    const latchkey = createLatchkey({ adapters: [solana()], storage: memoryStorage() })
    expect(() => createSolanaSigner(latchkey)).toThrow(expect.objectContaining({ code: 'connection/not-connected' }))
  })

  test('an address that no wallet shares', async () => {
    const { latchkey } = await setUp({ privateKeys: [bobKey] })
    expect(() => createSolanaSigner(latchkey, { address: alice })).toThrow(
      expect.objectContaining({ code: 'account/not-found' }),
    )
    expect(() => createSolanaSigner(latchkey, { address: 'text' })).toThrow(
      expect.objectContaining({ code: 'account/not-found' }),
    )
  })

  test('after the wallet disconnected', async () => {
    const { latchkey, signer, wallet } = await setUp()
    const message = await createPaymentMessage(chain, signer, 1n)
    await disconnect(latchkey)
    for (const sign of [signTransactionMessageWithSigners, signAndSendTransactionMessageWithSigners]) {
      await expect(sign(message)).rejects.toMatchObject({ code: 'connection/not-connected' })
    }
    expect(listSigningRequests(wallet)).toEqual([])
  })

  test('once the wallet no longer shares the account', async () => {
    const { signer, wallet } = await setUp()
    wallet.removeAccount(alice)
    await expect(signer.signMessages([createSignableMessage('Hello')])).rejects.toMatchObject({
      code: 'account/not-found',
      context: { account: expect.stringContaining(alice) },
    })
    expect(listSigningRequests(wallet)).toEqual([])
  })

  test('if the user declines', async () => {
    const { signer, wallet } = await setUp()
    const before = await readBalance(chain, bob)
    const message = await createPaymentMessage(chain, signer, 1n)
    for (const sign of [signTransactionMessageWithSigners, signAndSendTransactionMessageWithSigners]) {
      wallet.rejectNext()
      await expect(sign(message)).rejects.toMatchObject({ code: 'request/rejected' })
    }
    wallet.rejectNext()
    await expect(signer.signMessages([createSignableMessage('Hello')])).rejects.toMatchObject({
      code: 'request/rejected',
    })
    expect(await readBalance(chain, bob)).toBe(before)
  })

  test('if the account leaves while the wallet waits for approval', async () => {
    const { signer, wallet } = await setUp()
    wallet.hold()
    const signing = signTransactionMessageWithSigners(await createPaymentMessage(chain, signer, 1n))
    await expect.poll(() => listSigningRequests(wallet)).toHaveLength(1)
    wallet.setAccounts([bobKey])
    wallet.approve()
    await expect(signing).rejects.toMatchObject({ code: 'request/failed', context: { code: 4100 } })
  })

  test('when its signal is aborted, before and during the approval', async () => {
    const { signer, wallet } = await setUp()
    const message = await createPaymentMessage(chain, signer, 1n)
    const reason = new Error('The user left the page.')
    const late = new AbortController()
    wallet.hold()
    const signing = signer.modifyAndSignTransactions([compileTransaction(message)], { abortSignal: late.signal })
    const messageSigning = signer.signMessages([createSignableMessage('Hello')], { abortSignal: late.signal })
    await expect.poll(() => listSigningRequests(wallet)).toHaveLength(2)
    late.abort(reason)
    await expect(signing).rejects.toBe(reason)
    await expect(messageSigning).rejects.toBe(reason)
    const sending = signer.signAndSendTransactions([compileTransaction(message)], { abortSignal: late.signal })
    await expect(sending).rejects.toBe(reason)
    expect(listSigningRequests(wallet)).toHaveLength(2)
  })
})

describe('a wallet that returns another transaction than the given one', () => {
  /** The signed payment that the wallet returns, whatever it receives. */
  async function setUpSwap(lamports: bigint) {
    const world = await setUp()
    const message = await createPaymentMessage(chain, world.signer, lamports)
    const lifetime = { blockhash: blockhash(alice), lastValidBlockHeight: 1n }
    const other = await signTransactionMessageWithSigners(
      setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    )
    world.wallet.faults.set('solana:signTransaction', respondWith(other))
    return { ...world, other }
  }

  test('has changed it, and the app receives the change with its lifetime', async () => {
    const { signer, other } = await setUpSwap(77n)
    const signed = await signTransactionMessageWithSigners(await createPaymentMessage(chain, signer, 1n))
    expect(signed.messageBytes).toEqual(other.messageBytes)
    expect(signed.lifetimeConstraint).toMatchObject({ blockhash: alice })
  })

  test('is refused if others have signed the given one', async () => {
    const { signer } = await setUpSwap(78n)
    const cosigner = await createKeySigner(3)
    const noop = createNoopSigner(alice)
    const message = await createPaymentMessage(chain, noop, 1n, cosigner)
    const given = await partiallySignTransactionMessageWithSigners(message)
    await expect(signer.modifyAndSignTransactions([given])).rejects.toMatchObject({
      code: 'wallet/invalid-response',
      context: { method: 'solana_signTransaction' },
    })
  })

  test('is refused if it moved the signature of another transaction to it', async () => {
    const { signer, wallet, other } = await setUpSwap(79n)
    const given = compileTransaction(await createPaymentMessage(chain, signer, 1n))
    wallet.faults.set('solana:signTransaction', respondWith({ ...given, signatures: other.signatures }))
    await expect(signer.modifyAndSignTransactions([given])).rejects.toMatchObject({ code: 'wallet/invalid-response' })
  })

  test('is refused if the account is not a signer of it', async () => {
    const { signer, wallet } = await setUpSwap(80n)
    const stranger = await createKeySigner(4)
    const other = await signTransactionMessageWithSigners(await createPaymentMessage(chain, stranger, 1n))
    wallet.faults.set('solana:signTransaction', respondWith(other))
    const given = compileTransaction(await createPaymentMessage(chain, signer, 1n))
    await expect(signer.modifyAndSignTransactions([given])).rejects.toMatchObject({ code: 'wallet/invalid-response' })
    wallet.faults.set('solana:signTransaction', respondWith(other, other))
    await expect(signer.modifyAndSignTransactions([given, given])).rejects.toMatchObject({
      code: 'wallet/invalid-response',
    })
  })

  test('is refused if it signed another message', async () => {
    const { signer, wallet } = await setUp()
    const [signatures] = await signer.signMessages([createSignableMessage('Hello')])
    const signature = Buffer.from(signatures?.[alice] ?? []).toString('base64')
    wallet.faults.set('solana:signMessage', { kind: 'response', value: [signature] })
    await expect(signer.signMessages([createSignableMessage('Goodbye')])).rejects.toMatchObject({
      code: 'wallet/invalid-response',
      context: { method: 'solana_signMessage' },
    })
  })
})
