import { solanaAddresses, startSolana, type LocalSolana } from '@latchkey/devnet'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, base64 } from '@scure/base'
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionDecoder,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Instruction,
} from '@solana/kit'
import { beforeAll, expect, test } from 'vitest'
import type { DecodedRequest } from '../namespaceAdapter.ts'
import { requestSolana, requestSolanaValue } from './requestSolana.ts'
import { createSolanaAdapter } from './createSolanaAdapter.ts'

const [, own, other] = solanaAddresses as readonly string[] as readonly [string, string, string]
const mint = 'F7tozZD6SBLifJMFSePpFvKnSGsvxQqjsrro5K4DM7cp'
const system = address('11111111111111111111111111111111')
const adapter = createSolanaAdapter()

let chain: LocalSolana

beforeAll(async () => {
  const started = await startSolana()
  if (started === undefined) throw new Error('The Solana runtime is not installed.')
  chain = started
  return () => chain.close()
})

/** Decodes a request from a session that shares one account. */
function createRequest(method: string, params: unknown, shared: readonly string[] = [own]): DecodedRequest {
  const { network } = chain
  const accounts = adapter.accounts.filter((each) => shared.includes(each.address))
  const tokens = chain.tokens.map((token) => ({ ...token, caipNetworkId: network.caipNetworkId }))
  return adapter.decode({ method, params, network, accounts, networks: [network], tokens })
}

async function transactionOf(instructions: readonly Instruction[]): Promise<string> {
  const value = (await requestSolanaValue(chain.network, 'getLatestBlockhash', [])) as { blockhash: string }
  const lifetime = { blockhash: blockhash(value.blockhash), lastValidBlockHeight: 0n }
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(address(own), empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (living) => appendTransactionMessageInstructions(instructions, living),
  )
  return base64.encode(new Uint8Array(getTransactionEncoder().encode(compileTransaction(message))))
}

function createPayment(lamports: bigint, from = own): Instruction {
  const data = new Uint8Array(12)
  new DataView(data.buffer).setUint32(0, 2, true)
  new DataView(data.buffer).setBigUint64(4, lamports, true)
  const accounts = [
    { address: address(from), role: AccountRole.WRITABLE_SIGNER },
    { address: address(other), role: AccountRole.WRITABLE },
  ]
  return { programAddress: system, accounts, data }
}

/** Approves a request and returns its result. */
async function approveRequest(decoded: DecodedRequest): Promise<unknown> {
  if (decoded.kind === 'switchNetwork' || decoded.kind === 'addNetwork')
    throw new Error('The request is not a signing request.')
  return decoded.execute()
}

test('accounts are numbers 1, 2 and 3 of the shared development mnemonic', () => {
  expect(adapter.accounts.map((account) => account.address)).toEqual(solanaAddresses.slice(1, 4))
})

test('getBalances reads SOL and the known tokens of an account', async () => {
  const tokens = chain.tokens.map((token) => ({ ...token, caipNetworkId: chain.network.caipNetworkId }))
  const balances = await adapter.getBalances(chain.network, tokens, other)
  expect(balances.map(({ symbol, amount }) => [symbol, amount])).toEqual([
    ['SOL', 10_000n * 10n ** 9n],
    ['LUSD', 10_000n * 10n ** 6n],
  ])
})

test('solana_signMessage shows a UTF-8 message as text and signs its bytes', async () => {
  const bytes = new TextEncoder().encode('Grüße')
  const decoded = createRequest('solana_signMessage', { message: base58.encode(bytes), pubkey: own })
  expect(decoded).toMatchObject({
    kind: 'message',
    message: { kind: 'text', text: 'Grüße' },
    account: { address: own },
  })
  const { signature } = (await approveRequest(decoded)) as { signature: string }
  expect(ed25519.verify(base58.decode(signature), bytes, base58.decode(own))).toBe(true)
})

test('solana_signMessage shows invalid UTF-8 as bytes', () => {
  const decoded = createRequest('solana_signMessage', { message: base58.encode(Uint8Array.of(255, 254)) })
  expect(decoded).toMatchObject({ message: { kind: 'bytes', hex: '0xfffe' } })
})

test('solana_signAndSendTransaction shows a payment with its fee and sends it after approval', async () => {
  const decoded = createRequest('solana_signAndSendTransaction', {
    transaction: await transactionOf([createPayment(2_000n)]),
  })
  if (decoded.kind !== 'transaction') throw new Error('The request is not a transaction.')
  expect(decoded.transaction).toMatchObject({ action: { kind: 'send', to: other }, value: 2_000n, data: '0x' })
  expect(await decoded.estimate()).toEqual({ maximum: 5_000n })
  const { signature } = (await approveRequest(decoded)) as { signature: string }
  const statuses = await requestSolanaValue(chain.network, 'getSignatureStatuses', [[signature]])
  expect(statuses).toMatchObject([{ err: null }])
})

test('solana_signAndSendTransaction shows the reason if the simulation of a payment fails', async () => {
  const decoded = createRequest('solana_signAndSendTransaction', {
    transaction: await transactionOf([createPayment(10n ** 17n)]),
  })
  if (decoded.kind !== 'transaction') throw new Error('The request is not a transaction.')
  await expect(decoded.estimate()).rejects.toThrow('insufficient lamports')
  await expect(decoded.execute()).rejects.toMatchObject({ code: -32_002 })
})

test('token transfer is shown with token and amount', async () => {
  const data = new Uint8Array(10)
  data.set([12])
  new DataView(data.buffer).setBigUint64(1, 2_500_000n, true)
  const accounts = [own, mint, other].map((each) => ({ address: address(each), role: AccountRole.WRITABLE }))
  const programAddress = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
  const transaction = await transactionOf([{ programAddress, accounts, data }])
  expect(createRequest('solana_signAndSendTransaction', { transaction })).toMatchObject({
    transaction: {
      value: 0n,
      action: {
        kind: 'tokenTransfer',
        token: { address: mint, known: { symbol: 'LUSD', decimals: 6 } },
        to: other,
        amount: 2_500_000n,
      },
    },
  })
})

test('transaction with several instructions is not shown as a single payment', async () => {
  const transaction = await transactionOf([createPayment(1n), createPayment(10n ** 12n)])
  expect(createRequest('solana_signAndSendTransaction', { transaction })).toMatchObject({
    transaction: { value: 0n, action: { kind: 'call', to: system, selector: '2 instructions: System, System' } },
  })
})

test('solana_signTransaction shows every instruction and sends nothing', async () => {
  const decoded = createRequest('solana_signTransaction', {
    transaction: await transactionOf([createPayment(1n), createPayment(9n)]),
  })
  expect(decoded).toMatchObject({
    kind: 'typedData',
    data: {
      primaryType: 'Transaction',
      domain: [{ name: 'feePayer', value: own }],
      message: [
        {
          name: 'instructions',
          members: [
            { name: '1. System', members: expect.arrayContaining([{ name: 'lamports', type: 'bigint', value: '1' }]) },
            { name: '2. System', members: expect.arrayContaining([{ name: 'lamports', type: 'bigint', value: '9' }]) },
          ],
        },
      ],
    },
  })
  const { transaction, signature } = (await approveRequest(decoded)) as { transaction: string; signature: string }
  const { messageBytes } = getTransactionDecoder().decode(base64.decode(transaction))
  expect(ed25519.verify(base58.decode(signature), new Uint8Array(messageBytes), base58.decode(own))).toBe(true)
  expect(await requestSolana(chain.network, 'getTransaction', [signature])).toBeNull()
})

test('solana_signAllTransactions signs the transactions in order', async () => {
  const transactions = [await transactionOf([createPayment(1n)]), await transactionOf([createPayment(2n)])]
  const decoded = createRequest('solana_signAllTransactions', { transactions })
  expect(decoded).toMatchObject({ data: { primaryType: '2 transactions' } })
  const signed = (await approveRequest(decoded)) as { transactions: string[] }
  const toMessageRequest = (wire: string) => getTransactionDecoder().decode(base64.decode(wire)).messageBytes
  expect(signed.transactions.map(toMessageRequest)).toEqual(transactions.map(toMessageRequest))
})

test.each([
  ['an account that the session does not share', 'solana_signMessage', { message: '2', pubkey: other }, 4100],
  ['no message', 'solana_signMessage', {}, -32_602],
  ['a message that is not base58', 'solana_signMessage', { message: '0' }, -32_602],
  ['no transaction', 'solana_signTransaction', {}, -32_602],
  ['a transaction that cannot be read', 'solana_signTransaction', { transaction: 'AQ==' }, -32_602],
  ['no transactions', 'solana_signAllTransactions', { transactions: [] }, -32_602],
  ['what it cannot do', 'solana_signEverything', {}, 4200],
])('request with %s is rejected', (_, method, params, code) => {
  expect(() => createRequest(method, params)).toThrow(expect.objectContaining({ code }))
})

test('transaction without the account among its signers is rejected', async () => {
  const transaction = await transactionOf([createPayment(1n)])
  const request = () => createRequest('solana_signTransaction', { transaction, pubkey: other }, [own, other])
  expect(request).toThrow(expect.objectContaining({ code: -32_602 }))
})

test('getBalances rejects with a readable message if the network is unreachable', async () => {
  const network = { ...chain.network, rpcUrls: { default: { http: ['http://127.0.0.1:1'] } } }
  await expect(adapter.getBalances(network, [], own)).rejects.toThrow('Solana Local cannot be reached.')
})
