import {
  connect,
  createLatchkey,
  memoryStorage,
  sendTransaction,
  start,
  waitForTransaction,
  type Connection,
  type Latchkey,
} from '@latchkey/core'
import { solanaAddresses, startSolana, type LocalSolana } from '@latchkey/devnet'
import { createSimulatedSolanaWallet, registerSolanaWallet, type SimulatedSolanaOptions } from '@latchkey/testkit'
import {
  address,
  AccountRole,
  appendTransactionMessageInstruction,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase58Decoder,
  getTransactionDecoder,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { requestSignature, requestSignatures } from '../wallet/requestSignature.ts'
import { getFailureReason } from '../chain/failureReason.ts'
import { commitments } from './sendOptions.ts'
import { signAllTransactions } from './signAllTransactions.ts'
import { signAndSendTransaction } from './signAndSendTransaction.ts'
import { signTransaction } from './signTransaction.ts'
import { solana } from '../solana.ts'

// Account 1 of the phrase that all development chains share. It is funded there only.
const aliceKey = '3f25626cf245c8dd65a2b91a70e6f4c285182489fda230e2553c3752aa962b61'
const [, alice, bob] = solanaAddresses as readonly string[] as readonly [string, string, string]

let chain: LocalSolana

beforeAll(async () => {
  const started = await startSolana()
  if (started === undefined) throw new Error('The Solana runtime is not installed.')
  chain = started
  return () => chain.close()
})

/** An instance that is connected to a wallet on the local chain. */
async function setUp(options: Partial<SimulatedSolanaOptions> = {}) {
  const page = new EventTarget()
  const rpcUrls = { 'solana:localnet': chain.rpcUrl }
  const wallet = createSimulatedSolanaWallet({ privateKeys: [aliceKey], rpcUrls, ...options })
  registerSolanaWallet(wallet, page)
  const latchkey = createLatchkey({ adapters: [solana({ networks: [chain.network], page })], storage: memoryStorage() })
  onTestFinished(start(latchkey))
  await connect(latchkey, `solana/${wallet.info.name}`)
  return { wallet, latchkey }
}

async function request(method: string, ...params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  // The local chain responds in this form.
  return ((await (await fetch(chain.rpcUrl, { method: 'POST', body })).json()) as { result: unknown }).result
}

async function balanceOf(owner: string): Promise<number> {
  return ((await request('getBalance', owner)) as { value: number }).value
}

/** An unsigned payment of Alice to Bob, as an app would build it. */
async function createPayment(lamports: bigint): Promise<Uint8Array> {
  const { value } = (await request('getLatestBlockhash')) as { value: { blockhash: string } }
  const data = new Uint8Array(12)
  new DataView(data.buffer).setUint32(0, 2, true)
  new DataView(data.buffer).setBigUint64(4, lamports, true)
  const accounts = [
    { address: address(alice), role: AccountRole.WRITABLE_SIGNER },
    { address: address(bob), role: AccountRole.WRITABLE },
  ]
  const programAddress = address('11111111111111111111111111111111')
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(address(alice), empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash(value.blockhash), lastValidBlockHeight: 0n },
        paid,
      ),
    (living) => appendTransactionMessageInstruction({ programAddress, accounts, data }, living),
  )
  return new Uint8Array(getTransactionEncoder().encode(compileTransaction(message)))
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

describe('signing', () => {
  test('returns a transaction that the chain accepts, and sends nothing', async () => {
    const { latchkey } = await setUp()
    const before = await balanceOf(bob)
    const signed = await signTransaction(latchkey, await createPayment(1_000n))
    expect(await balanceOf(bob)).toBe(before)
    expect(await request('sendTransaction', base64(signed), { encoding: 'base64' })).toMatch(/^\w{80,}$/)
    expect(await balanceOf(bob)).toBe(before + 1_000)
  })

  test('signs several transactions with one approval, in order', async () => {
    const { wallet, latchkey } = await setUp()
    const unsigned = [await createPayment(1n), await createPayment(2n), await createPayment(3n)]
    const signed = await signAllTransactions(latchkey, unsigned)
    const messageOf = (wire: Uint8Array): string =>
      base64(new Uint8Array(getTransactionDecoder().decode(wire).messageBytes))
    expect(signed.map(messageOf)).toEqual(unsigned.map(messageOf))
    expect(wallet.requests.filter(({ method }) => method === 'solana:signTransaction')).toHaveLength(1)
  })

  test('rejects when the user declines', async () => {
    const { wallet, latchkey } = await setUp()
    wallet.rejectNext()
    await expect(signTransaction(latchkey, await createPayment(1n))).rejects.toMatchObject({
      code: 'request/rejected',
      context: { method: 'solana_signTransaction' },
    })
  })

  test('rejects without a connected wallet', async () => {
    const latchkey: Latchkey = createLatchkey({ adapters: [solana()], storage: memoryStorage() })
    await expect(signTransaction(latchkey, await createPayment(1n))).rejects.toMatchObject({
      code: 'connection/not-connected',
    })
  })
})

describe('signing and sending', () => {
  test('sends the payment and returns its signature', async () => {
    const { latchkey } = await setUp()
    const before = await balanceOf(bob)
    const signature = await signAndSendTransaction(latchkey, await createPayment(5_000n))
    expect(await waitForTransaction(latchkey, signature)).toMatchObject({ hash: signature })
    expect(await balanceOf(bob)).toBe(before + 5_000)
  })

  test('sends the transaction itself if the wallet can only sign', async () => {
    const { wallet, latchkey } = await setUp({ info: { without: ['solana:signAndSendTransaction'] } })
    const signature = await signAndSendTransaction(latchkey, await createPayment(7_000n))
    expect(await waitForTransaction(latchkey, signature)).toMatchObject({ hash: signature })
    expect(wallet.requests.at(-1)?.method).toBe('solana:signTransaction')
  })

  test('rejects with the chain’s reason if the chain refuses the transaction', async () => {
    const { latchkey } = await setUp({ info: { without: ['solana:signAndSendTransaction'] } })
    await expect(signAndSendTransaction(latchkey, await createPayment(10n ** 17n))).rejects.toMatchObject({
      code: 'transaction/reverted',
      context: { hash: undefined, reason: expect.stringContaining('insufficient lamports') },
    })
  })

  test('rejects with the reason if the transaction fails on the chain [R8.3.8]', async () => {
    const { latchkey } = await setUp()
    const sending = signAndSendTransaction(latchkey, await createPayment(10n ** 17n), { skipPreflight: true })
    const signature = await sending
    await expect(waitForTransaction(latchkey, signature)).rejects.toMatchObject({
      code: 'transaction/reverted',
      context: { hash: signature, reason: expect.stringContaining('insufficient lamports') },
    })
  })

  const known = Object.keys(commitments) as readonly (keyof typeof commitments)[]
  test.each(known)('accepts the commitment %s and sends its current name to the wallet [R5.3.4]', async (name) => {
    const { wallet, latchkey } = await setUp()
    // Two payments of one amount in one slot would be one payment.
    const transaction = await createPayment(BigInt(100 + known.indexOf(name)))
    await signAndSendTransaction(latchkey, transaction, { preflightCommitment: name })
    expect(wallet.requests.at(-1)?.params).toMatchObject({ options: { preflightCommitment: commitments[name] } })
    expect(['processed', 'confirmed', 'finalized']).toContain(commitments[name])
  })

  test.each([
    [{ preflightCommitment: 'safe' }],
    [{ preflightCommitment: 'toString' }],
    [{ preflightCommitment: 1 }],
    [{ skipPreflight: 'yes' }],
    [{ maxRetries: -1 }],
    [{ minContextSlot: 0.5 }],
  ])('refuses %j before the wallet receives it [R5.3.4]', async (options) => {
    const { wallet, latchkey } = await setUp()
    const requestCount = wallet.requests.length
    // Options that an app without types could pass.
    const sending = signAndSendTransaction(latchkey, await createPayment(1n), options as object)
    await expect(sending).rejects.toMatchObject({ code: 'config/invalid' })
    expect(wallet.requests).toHaveLength(requestCount)
  })

  test('refuses data, because programs are called by whole transactions', async () => {
    const { latchkey } = await setUp()
    await expect(sendTransaction(latchkey, { to: bob, value: 1n, data: '0x01' })).rejects.toMatchObject({
      code: 'request/not-allowed',
    })
  })

  test.each([-1n, 2n ** 64n])('refuses to send %i lamports', async (value) => {
    const { latchkey } = await setUp()
    await expect(sendTransaction(latchkey, { to: bob, value })).rejects.toMatchObject({ code: 'amount/invalid' })
  })
})

describe('a wallet’s response', () => {
  const account = `solana:local:${alice}` as const

  /** A wallet that returns the same response to every request, like one on a phone could. */
  function walletWithResponse(response: unknown): Connection {
    return {
      namespace: 'solana',
      accounts: [account],
      chainId: 'solana:local',
      approvedChains: 'all',
      provider: { request: async () => response },
      wallet: { name: 'Wallet' },
      listen: () => () => {},
    }
  }

  test('may be only the signature, which is added to the transaction', async () => {
    const signature = new Uint8Array(64).fill(7)
    const signed = await requestSignature(
      walletWithResponse({ signature: getBase58Decoder().decode(signature) }),
      account,
      await createPayment(1n),
    )
    expect(getTransactionDecoder().decode(signed).signatures[address(alice)]).toEqual(signature)
  })

  test.each([undefined, {}, { signature: '1' }, { transaction: 'AQ==' }, { transaction: 7 }, 'signed'])(
    'is rejected as a signed transaction: %j',
    async (response) => {
      await expect(
        requestSignature(walletWithResponse(response), account, await createPayment(1n)),
      ).rejects.toMatchObject({
        code: 'wallet/invalid-response',
        context: { wallet: 'Wallet', method: 'solana_signTransaction' },
      })
    },
  )

  test('is refused without the account’s signature', async () => {
    const unsigned = await createPayment(1n)
    const same = walletWithResponse({ transaction: base64(unsigned), transactions: [base64(unsigned)] })
    await expect(requestSignature(same, account, unsigned)).rejects.toMatchObject({ code: 'wallet/invalid-response' })
    await expect(requestSignatures(same, account, [unsigned])).rejects.toMatchObject({
      code: 'wallet/invalid-response',
    })
  })
})

test.each([
  [
    ['Program log: Error: too late', 'Program 1111 failed: custom program error: 0x1'],
    'Error: too late: custom program error: 0x1',
  ],
  [['Program 1111 invoke [1]', 'Program 1111 failed: invalid account data'], 'invalid account data'],
  [undefined, 'InstructionError: 0 Custom: 1'],
])('returns the reason of a failed transaction from %j', (logs, reason) => {
  expect(getFailureReason(logs, { InstructionError: [0, { Custom: 1 }] })).toBe(reason)
})
