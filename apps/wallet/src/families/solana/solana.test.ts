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
import type { Question } from '../family.ts'
import { askNetwork, askValue } from './rpc.ts'
import { solana } from './solana.ts'

const [, own, other] = solanaAddresses as readonly string[] as readonly [string, string, string]
const mint = 'F7tozZD6SBLifJMFSePpFvKnSGsvxQqjsrro5K4DM7cp'
const system = address('11111111111111111111111111111111')
const family = solana()

let chain: LocalSolana

beforeAll(async () => {
  const started = await startSolana()
  if (started === undefined) throw new Error('The Solana runtime is not installed.')
  chain = started
  return () => chain.close()
})

/** An app asks, in a session that shares one account. */
function ask(method: string, params: unknown, shared: readonly string[] = [own]): Question {
  const { network } = chain
  const accounts = family.accounts.filter((each) => shared.includes(each.address))
  const tokens = chain.tokens.map((token) => ({ ...token, caipNetworkId: network.caipNetworkId }))
  return family.read({ method, params, network, accounts, networks: [network], tokens })
}

async function transactionOf(instructions: readonly Instruction[]): Promise<string> {
  const value = (await askValue(chain.network, 'getLatestBlockhash', [])) as { blockhash: string }
  const lifetime = { blockhash: blockhash(value.blockhash), lastValidBlockHeight: 0n }
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(address(own), empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (living) => appendTransactionMessageInstructions(instructions, living),
  )
  return base64.encode(new Uint8Array(getTransactionEncoder().encode(compileTransaction(message))))
}

function payment(lamports: bigint, from = own): Instruction {
  const data = new Uint8Array(12)
  new DataView(data.buffer).setUint32(0, 2, true)
  new DataView(data.buffer).setBigUint64(4, lamports, true)
  const accounts = [
    { address: address(from), role: AccountRole.WRITABLE_SIGNER },
    { address: address(other), role: AccountRole.WRITABLE },
  ]
  return { programAddress: system, accounts, data }
}

/** What becomes of a question that is answered with yes. */
async function yes(question: Question): Promise<unknown> {
  if (question.kind === 'switchNetwork' || question.kind === 'addNetwork') throw new Error('Nothing of that was asked.')
  return question.answer()
}

test('has the accounts 1, 2 and 3 of the phrase that all development chains share', () => {
  expect(family.accounts.map((account) => account.address)).toEqual(solanaAddresses.slice(1, 4))
})

test('reads SOL and the known tokens of an account', async () => {
  const tokens = chain.tokens.map((token) => ({ ...token, caipNetworkId: chain.network.caipNetworkId }))
  const balances = await family.balances(chain.network, tokens, other)
  expect(balances.map(({ symbol, amount }) => [symbol, amount])).toEqual([
    ['SOL', 10_000n * 10n ** 9n],
    ['LUSD', 10_000n * 10n ** 6n],
  ])
})

test('shows a message as the text that it is, and signs its bytes', async () => {
  const bytes = new TextEncoder().encode('Grüße')
  const question = ask('solana_signMessage', { message: base58.encode(bytes), pubkey: own })
  expect(question).toMatchObject({
    kind: 'message',
    message: { kind: 'text', text: 'Grüße' },
    account: { address: own },
  })
  const { signature } = (await yes(question)) as { signature: string }
  expect(ed25519.verify(base58.decode(signature), bytes, base58.decode(own))).toBe(true)
})

test('shows bytes that are no text as bytes', () => {
  const question = ask('solana_signMessage', { message: base58.encode(Uint8Array.of(255, 254)) })
  expect(question).toMatchObject({ message: { kind: 'bytes', hex: '0xfffe' } })
})

test('tells a payment, what it costs, and sends it', async () => {
  const question = ask('solana_signAndSendTransaction', { transaction: await transactionOf([payment(2_000n)]) })
  if (question.kind !== 'transaction') throw new Error('This is no transaction.')
  expect(question.transaction).toMatchObject({ action: { kind: 'send', to: other }, value: 2_000n, data: '0x' })
  expect(await question.estimate()).toEqual({ atMost: 5_000n })
  const { signature } = (await yes(question)) as { signature: string }
  const statuses = await askValue(chain.network, 'getSignatureStatuses', [[signature]])
  expect(statuses).toMatchObject([{ err: null }])
})

test('tells in advance that a payment would fail, and why', async () => {
  const question = ask('solana_signAndSendTransaction', { transaction: await transactionOf([payment(10n ** 17n)]) })
  if (question.kind !== 'transaction') throw new Error('This is no transaction.')
  await expect(question.estimate()).rejects.toThrow('insufficient lamports')
  await expect(question.answer()).rejects.toMatchObject({ code: -32_002 })
})

test('tells which token moves, and how much of it', async () => {
  const data = new Uint8Array(10)
  data.set([12])
  new DataView(data.buffer).setBigUint64(1, 2_500_000n, true)
  const accounts = [own, mint, other].map((each) => ({ address: address(each), role: AccountRole.WRITABLE }))
  const programAddress = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
  const transaction = await transactionOf([{ programAddress, accounts, data }])
  expect(ask('solana_signAndSendTransaction', { transaction })).toMatchObject({
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

test('claims to know what happens only where one step is all that happens', async () => {
  const transaction = await transactionOf([payment(1n), payment(10n ** 12n)])
  expect(ask('solana_signAndSendTransaction', { transaction })).toMatchObject({
    transaction: { value: 0n, action: { kind: 'call', to: system, selector: '2 instructions: System, System' } },
  })
})

test('shows every step of what is only signed, and sends nothing', async () => {
  const question = ask('solana_signTransaction', { transaction: await transactionOf([payment(1n), payment(9n)]) })
  expect(question).toMatchObject({
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
  const { transaction, signature } = (await yes(question)) as { transaction: string; signature: string }
  const { messageBytes } = getTransactionDecoder().decode(base64.decode(transaction))
  expect(ed25519.verify(base58.decode(signature), new Uint8Array(messageBytes), base58.decode(own))).toBe(true)
  expect(await askNetwork(chain.network, 'getTransaction', [signature])).toBeNull()
})

test('signs several transactions in their order', async () => {
  const transactions = [await transactionOf([payment(1n)]), await transactionOf([payment(2n)])]
  const question = ask('solana_signAllTransactions', { transactions })
  expect(question).toMatchObject({ data: { primaryType: '2 transactions' } })
  const signed = (await yes(question)) as { transactions: string[] }
  const messageOf = (wire: string) => getTransactionDecoder().decode(base64.decode(wire)).messageBytes
  expect(signed.transactions.map(messageOf)).toEqual(transactions.map(messageOf))
})

test.each([
  ['an account that the session does not share', 'solana_signMessage', { message: '2', pubkey: other }, 4100],
  ['no message', 'solana_signMessage', {}, -32_602],
  ['a message that is not base58', 'solana_signMessage', { message: '0' }, -32_602],
  ['no transaction', 'solana_signTransaction', {}, -32_602],
  ['a transaction that cannot be read', 'solana_signTransaction', { transaction: 'AQ==' }, -32_602],
  ['no transactions', 'solana_signAllTransactions', { transactions: [] }, -32_602],
  ['what it cannot do', 'solana_signEverything', {}, 4200],
])('refuses %s', (_, method, params, code) => {
  expect(() => ask(method, params)).toThrow(expect.objectContaining({ code }))
})

test('refuses a transaction that is not the account’s to sign', async () => {
  const transaction = await transactionOf([payment(1n)])
  const asking = () => ask('solana_signTransaction', { transaction, pubkey: other }, [own, other])
  expect(asking).toThrow(expect.objectContaining({ code: -32_602 }))
})

test('says that a network that nobody runs cannot be reached', async () => {
  const network = { ...chain.network, rpcUrls: { default: { http: ['http://127.0.0.1:1'] } } }
  await expect(family.balances(network, [], own)).rejects.toThrow('Solana Local cannot be reached.')
})
