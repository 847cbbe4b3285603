import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  airdropFactory,
  AccountRole,
  address,
  appendTransactionMessageInstruction,
  assertIsTransactionWithBlockhashLifetime,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  devnet,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  isSolanaError,
  lamports,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  type Address,
  type KeyPairSigner,
} from '@solana/kit'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { solanaAddresses } from './solanaAddresses.ts'
import { solanaTokens, systemProgram, tokenAccountOf, tokenProgram } from './genesis.ts'
import { startSolana, type LocalSolana } from './startSolana.ts'
import { readTransactionError } from './transactionError.ts'

// The key of the first account of the shared development phrase.
const userSeed = Buffer.from('a01c67efb5cb8f62f15907a9fcf124c73d2695c8a9a31f21c05742a31ca1dc72', 'hex')
const [, other] = solanaAddresses as readonly [Address, Address]
const mint = address(solanaTokens[0].address)

let time = Date.UTC(2026, 0, 1)
let solana: LocalSolana
let user: KeyPairSigner

beforeAll(async () => {
  const started = await startSolana({ now: () => time })
  if (started === undefined) throw new Error('The Solana runtime is not installed.')
  solana = started
  user = await createKeyPairSignerFromPrivateKeyBytes(userSeed)
  return () => solana.close()
})

const createRpc = () => createSolanaRpc(devnet(solana.rpcUrl))
const createClients = () => ({ rpc: createRpc(), rpcSubscriptions: createSolanaRpcSubscriptions(devnet(solana.wsUrl)) })

type Instruction = { programAddress: Address; accounts: { address: Address; role: AccountRole }[]; data: Uint8Array }

async function sign(instruction: Instruction) {
  const { value: lifetime } = await createRpc().getLatestBlockhash().send()
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(user, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (living) => appendTransactionMessageInstruction(instruction, living),
  )
  const signed = await signTransactionMessageWithSigners(message)
  assertIsTransactionWithBlockhashLifetime(signed)
  return signed
}

function transferOf(amount: bigint): Instruction {
  const data = new Uint8Array(12)
  new DataView(data.buffer).setUint32(0, 2, true)
  new DataView(data.buffer).setBigUint64(4, amount, true)
  const accounts = [
    { address: user.address, role: AccountRole.WRITABLE_SIGNER },
    { address: other, role: AccountRole.WRITABLE },
  ]
  return { programAddress: systemProgram, accounts, data }
}

async function send(signed: Awaited<ReturnType<typeof sign>>): Promise<void> {
  await sendAndConfirmTransactionFactory(createClients())(signed, { commitment: 'confirmed' })
}

test('the accounts derive from the shared development phrase', () => {
  expect(user.address).toBe(solanaAddresses[0])
})

test('every funded account has SOL and tokens of a real mint', async () => {
  for (const owner of solanaAddresses) {
    const { value } = await createRpc().getBalance(owner).send()
    expect(value >= 9_000n * 1_000_000_000n).toBe(true)
    const { value: held } = await createRpc()
      .getTokenAccountsByOwner(owner, { mint }, { encoding: 'jsonParsed' })
      .send()
    expect(held.map(({ account }) => account.data.parsed.info.tokenAmount.uiAmountString)).toEqual(['10000'])
  }
  const { value: supply } = await createRpc().getTokenSupply(mint).send()
  expect(supply).toMatchObject({ amount: '100000000000', decimals: 6 })
})

test('a signed transfer is executed and confirmed over the websocket', async () => {
  const { value: before } = await createRpc().getBalance(other).send()
  const signed = await sign(transferOf(1_500_000_000n))
  await send(signed)
  const { value: after } = await createRpc().getBalance(other).send()
  expect(after - before).toBe(1_500_000_000n)
  const signature = getSignatureFromTransaction(signed)
  const response = await createRpc()
    .getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 0 })
    .send()
  expect(response?.transaction.message.accountKeys.slice(0, 2)).toEqual([user.address, other])
  expect(response?.meta).toMatchObject({ err: null, fee: 5_000n })
  const [latest] = await createRpc().getSignaturesForAddress(other, { limit: 1 }).send()
  expect(latest?.signature).toBe(signature)
})

test('token transfers run the real token program', async () => {
  const [from, to] = [await tokenAccountOf(user.address, mint), await tokenAccountOf(other, mint)]
  const data = new Uint8Array(10)
  data.set([12])
  new DataView(data.buffer).setBigUint64(1, 2_500_000n, true)
  data.set([6], 9)
  const accounts = [
    { address: from, role: AccountRole.WRITABLE },
    { address: mint, role: AccountRole.READONLY },
    { address: to, role: AccountRole.WRITABLE },
    { address: user.address, role: AccountRole.READONLY_SIGNER },
  ]
  await send(await sign({ programAddress: tokenProgram, accounts, data }))
  const { value } = await createRpc().getTokenAccountBalance(to).send()
  expect(value.uiAmountString).toBe('10002.5')
})

test('a transaction that would fail is rejected with the reason and without a fee', async () => {
  const { value: before } = await createRpc().getBalance(user.address).send()
  const failure: unknown = await send(await sign(transferOf(10n ** 16n))).catch((error: unknown) => error)
  expect(isSolanaError(failure, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)).toBe(true)
  expect(failure).toMatchObject({
    context: { logs: expect.arrayContaining([expect.stringContaining('insufficient')]) },
  })
  expect((await createRpc().getBalance(user.address).send()).value).toBe(before)
})

test('with skipPreflight a failing transaction is recorded and pays its fee', async () => {
  const signed = await sign(transferOf(10n ** 16n))
  const signature = getSignatureFromTransaction(signed)
  const wire = getBase64EncodedWireTransaction(signed)
  await createRpc().sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send()
  const { value } = await createRpc().getSignatureStatuses([signature]).send()
  expect(value[0]?.err).toEqual({ InstructionError: [0n, { Custom: 1n }] })
})

test('a transaction that is sent repeatedly is executed once', async () => {
  const signed = await sign(transferOf(1n))
  const wire = getBase64EncodedWireTransaction(signed)
  const sending = () => createRpc().sendTransaction(wire, { encoding: 'base64' }).send()
  await sending()
  await expect(sending()).rejects.toMatchObject({ cause: { message: expect.stringContaining('already') } })
})

test('a blockhash is valid for 150 slots of 400 milliseconds', async () => {
  const [first, second] = [await sign(transferOf(2n)), await sign(transferOf(3n))]
  time += 150 * 400
  await send(first)
  time += 400
  await expect(send(second)).rejects.toBeDefined()
  const { value } = await createRpc()
    .getSignatureStatuses([getSignatureFromTransaction(second)])
    .send()
  expect(value).toEqual([null])
})

test('the faucet sends SOL up to its limit', async () => {
  const { address: poor } = await generateKeyPairSigner()
  const airdrop = airdropFactory(createClients())
  await airdrop({ commitment: 'confirmed', lamports: lamports(7n * 10n ** 9n), recipientAddress: poor })
  expect((await createRpc().getBalance(poor).send()).value).toBe(7n * 10n ** 9n)
})

test('the chain is the same after a restart, even after a kill during a write', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-solana-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const stateFile = join(folder, 'data/solana.jsonl')
  const openAgain = async (): Promise<LocalSolana> => {
    const started = await startSolana({ stateFile, now: () => time })
    if (started === undefined) throw new Error('The Solana runtime is not installed.')
    onTestFinished(started.close)
    return started
  }
  const first = createSolanaRpc(devnet((await openAgain()).rpcUrl))
  const { address: poor } = await generateKeyPairSigner()
  const signature = await first.requestAirdrop(poor, lamports(3_000_000_000n)).send()
  time += 4_000
  await appendFile(stateFile, '{"slot":"1","blockT')
  const second = createSolanaRpc(devnet((await openAgain()).rpcUrl))
  expect(await second.getSlot().send()).toBe(11n)
  expect((await second.getBalance(poor).send()).value).toBe(3_000_000_000n)
  await second.requestAirdrop(poor, lamports(4_000_000_000n)).send()
  const third = createSolanaRpc(devnet((await openAgain()).rpcUrl))
  expect((await third.getBalance(poor).send()).value).toBe(7_000_000_000n)
  const { value } = await third.getSignatureStatuses([signature]).send()
  expect(value[0]).toMatchObject({ slot: 1n, err: null })
})

test('the chain survives clients that disconnect during a request', async () => {
  const socket = createConnection(Number(new URL(solana.rpcUrl).port), '127.0.0.1')
  const gone = new Promise((resolve) => socket.once('close', resolve))
  socket.write('POST / HTTP/1.1\r\nhost: chain\r\ncontent-length: 100\r\n\r\n{"jsonrpc"', () => socket.destroy())
  await gone
  // The chain responds in its next turn of the event loop.
  expect(await createRpc().getHealth().send()).toBe('ok')
})

test('any origin may send requests, and unknown methods return an error', async () => {
  const preflight = await fetch(solana.rpcUrl, { method: 'OPTIONS' })
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  const request = async (body: unknown): Promise<unknown> =>
    (await fetch(solana.rpcUrl, { method: 'POST', body: JSON.stringify(body) })).json()
  expect(await request({ jsonrpc: '2.0', id: 1, method: 'noSuchMethod' })).toMatchObject({ error: { code: -32_601 } })
  expect(await request([{ jsonrpc: '2.0', id: 1, method: 'getHealth' }])).toEqual([
    { jsonrpc: '2.0', id: 1, result: 'ok' },
  ])
  expect(await request({ jsonrpc: '2.0', id: 1, method: 'getBalance', params: ['0x'] })).toMatchObject({
    error: { code: -32_602 },
  })
})

test.each([
  ['InsufficientFundsForFee', 'InsufficientFundsForFee'],
  ['InstructionError(2, Custom(17))', { InstructionError: [2, { Custom: 17 }] }],
  ['InstructionError(0, InvalidArgument)', { InstructionError: [0, 'InvalidArgument'] }],
  ['DuplicateInstruction(3)', { DuplicateInstruction: 3 }],
  ['InsufficientFundsForRent { account_index: 1 }', { InsufficientFundsForRent: { account_index: 1 } }],
])('parses the error %s as nodes report it', (printed, expected) => {
  expect(readTransactionError(printed)).toEqual(expected)
})
