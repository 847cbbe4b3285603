import { mnemonic, solanaAddresses, startSolana, type LocalSolana } from '@latchkey/devnet'
import { startTestServer } from '@latchkey/server/testing'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, base64 } from '@scure/base'
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createSolanaRpc,
  createTransactionMessage,
  getAddressEncoder,
  getCompiledTransactionMessageDecoder,
  getProgramDerivedAddress,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Address,
  type Instruction,
} from '@solana/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChain, type Chain } from '../../chain/chain.ts'
import { RpcError } from '../../chain/rpcError.ts'
import type { FrameConfig } from '../../frameConfig.ts'
import { deriveWalletKeys, parseRecoveryPhrase } from '../../custody/walletKeys.ts'
import type { Screen, Stage } from '../../screens/stage/stage.ts'
import { englishMessages } from '../../messages/loadFrameMessages.ts'
import { signRequest } from '../../worker/keys/signRequest.ts'
import type { ApprovalFacts } from '../approvalFacts.ts'
import { createApprovals, createRecipients } from '../createApprovals.ts'
import { parseMessage, parseTransaction, serializeTransaction } from './solanaMessage.ts'

const [me, friend = me] = solanaAddresses
const stranger = address(base58.encode(new Uint8Array(32).fill(7)))
const system = address('11111111111111111111111111111111')
const tokenProgram = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const openingProgram = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')

let local: LocalSolana
let chain: Chain
let config: Pick<FrameConfig, 'server' | 'networks'>
let chainId: string
const ends: Array<() => Promise<void>> = []

beforeAll(async () => {
  const started = await startSolana()
  if (started === undefined) throw new Error('LiteSVM is not installed for this platform.')
  local = started
  ends.push(started.close)
  const { name, nativeCurrency, caipNetworkId } = local.network
  chainId = caipNetworkId
  const served = { caipNetworkId, name, nativeCurrency, rpcUrls: [local.rpcUrl], tokens: [] }
  const server = await startTestServer({ services: ['api'], chains: [served] })
  ends.unshift(server.close)
  config = { server: server.url, networks: [{ chainId, name, nativeCurrency }] }
  chain = createChain({ config, projectId: '0123456789abcdef0123456789abcdef' })
})

afterAll(async () => {
  for (const end of ends) await end()
})

const entropy = parseRecoveryPhrase(mnemonic)
const keys = deriveWalletKeys(entropy)
const holder = {
  exceededRule: async () => undefined,
  sign: async (order: Parameters<typeof signRequest>[1]) =>
    signRequest(order.kind === 'solana' ? (await keys).solana.privateKey : (await keys).evm.privateKey, order),
}

function approvalsThatReturn(response: 'approved' | 'rejected', over: Chain = chain) {
  const shown: ApprovalFacts[] = []
  const stage: Stage = {
    show: async <given>(screen: Screen<given>) => {
      shown.push(screen.window?.facts as ApprovalFacts)
      return response as given
    },
  }
  const dependencies = {
    config,
    holder,
    stage,
    recipients: createRecipients(),
    messages: () => englishMessages,
    now: Date.now,
  }
  const approve = createApprovals({ ...dependencies, chain: over })
  const context = { origin: 'https://dapp.example', chainId, accounts: [{ namespace: 'solana', address: me }] }
  const request = (method: string, params: object) => approve({ method, params: { pubkey: me, ...params } }, context)
  return { shown, request }
}

function createPayment(from: Address, to: Address, lamports: bigint): Instruction {
  const data = new Uint8Array(12)
  new DataView(data.buffer).setUint32(0, 2, true)
  new DataView(data.buffer).setBigUint64(4, lamports, true)
  const accounts = [
    { address: from, role: AccountRole.WRITABLE_SIGNER },
    { address: to, role: AccountRole.WRITABLE },
  ]
  return { programAddress: system, accounts, data }
}

async function holdingOf(owner: Address, mint: Address): Promise<Address> {
  const { encode } = getAddressEncoder()
  const seeds = [encode(owner), encode(tokenProgram), encode(mint)]
  return (await getProgramDerivedAddress({ programAddress: openingProgram, seeds }))[0]
}

/** Creates the receiver's token account and transfers tokens to it. */
async function giveToken(to: Address, mint: Address, units: bigint, decimals: number): Promise<readonly Instruction[]> {
  const [from, into] = [await holdingOf(me, mint), await holdingOf(to, mint)]
  const data = new Uint8Array([12, 0, 0, 0, 0, 0, 0, 0, 0, decimals])
  new DataView(data.buffer).setBigUint64(1, units, true)
  const { READONLY, READONLY_SIGNER, WRITABLE, WRITABLE_SIGNER } = AccountRole
  const opening = [
    [me, WRITABLE_SIGNER],
    [into, WRITABLE],
    [to, READONLY],
    [mint, READONLY],
    [system, READONLY],
    [tokenProgram, READONLY],
  ] as const
  const moving = [
    [from, WRITABLE],
    [mint, READONLY],
    [into, WRITABLE],
    [me, READONLY_SIGNER],
  ] as const
  const listed = (list: typeof opening | typeof moving) => list.map(([each, role]) => ({ address: each, role }))
  return [
    { programAddress: openingProgram, accounts: listed(opening), data: new Uint8Array([1]) },
    { programAddress: tokenProgram, accounts: listed(moving), data },
  ]
}

async function compileInstructions(
  instructions: readonly Instruction[],
  version: 0 | 'legacy' = 0,
  payer: Address = me,
) {
  const { value } = await createSolanaRpc(local.rpcUrl).getLatestBlockhash().send()
  return compileTransaction(
    pipe(
      createTransactionMessage({ version }),
      (empty) => setTransactionMessageFeePayer(payer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(value, paid),
      (living) => appendTransactionMessageInstructions(instructions, living),
    ),
  )
}

async function wireOf(
  instructions: readonly Instruction[],
  version: 0 | 'legacy' = 0,
  payer: Address = me,
): Promise<string> {
  return base64.encode(
    new Uint8Array(getTransactionEncoder().encode(await compileInstructions(instructions, version, payer))),
  )
}

const getRpcError = async (requested: Promise<unknown>) => {
  const error: unknown = await requested.catch((thrown: unknown) => thrown)
  return error instanceof RpcError ? [error.code, error.message] : error
}

test.each([0, 'legacy'] as const)(
  'parses messages of version %s like the reference implementation',
  async (version) => {
    const { messageBytes } = await compileInstructions(
      [createPayment(me, friend, 5n), ...(await giveToken(stranger, mintOf(0), 1n, 6))],
      version,
    )
    const expected = getCompiledTransactionMessageDecoder().decode(messageBytes)
    if (expected.version === 1) throw new Error('The reference read another version.')
    const read = parseMessage(new Uint8Array(messageBytes))
    expect(read.accounts).toEqual(expected.staticAccounts)
    expect([read.signers, read.readonlySigners, read.readonlyOthers]).toEqual([
      expected.header.numSignerAccounts,
      expected.header.numReadonlySignerAccounts,
      expected.header.numReadonlyNonSignerAccounts,
    ])
    expect(read.blockhash).toBe(expected.lifetimeToken)
    expect(read.instructions.map(({ program, accounts, data }) => [program, accounts, [...data]])).toEqual(
      expected.instructions.map(({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => [
        programAddressIndex,
        accountIndices,
        [...data],
      ]),
    )
  },
)

const mintOf = (index: number): Address => address(local.tokens[index]?.address ?? '')

test('serialises a parsed transaction unchanged', async () => {
  const wire = base64.decode(await wireOf([createPayment(me, friend, 5n)]))
  expect(serializeTransaction(parseTransaction(wire))).toEqual(wire)
})

test('signs a message in Solana’s response format', async () => {
  const message = new TextEncoder().encode('Hello')
  const { request, shown } = approvalsThatReturn('approved')
  const result = await request('solana_signMessage', { message: base58.encode(message) })
  const { signature } = result as { signature: string }
  expect(ed25519.verify(base58.decode(signature), message, base58.decode(me))).toBe(true)
  expect(shown).toMatchObject([{ action: 'message', sections: [{ rows: [{ value: { text: 'Hello' } }] }] }])
})

test('refuses to sign a message that is a transaction', async () => {
  const { messageBytes } = await compileInstructions([createPayment(me, friend, 5n)])
  const { request, shown } = approvalsThatReturn('approved')
  const message = base58.encode(new Uint8Array(messageBytes))
  expect(await getRpcError(request('solana_signMessage', { message }))).toEqual([
    -32602,
    'Invalid parameters: the message is a transaction.',
  ])
  expect(shown).toEqual([])
})

test('shows changes and fee of a payment, then sends it', async () => {
  const { request, shown } = approvalsThatReturn('approved')
  const transaction = await wireOf([createPayment(me, stranger, 2_000_000n)])
  const { signature } = (await request('solana_signAndSendTransaction', { transaction })) as { signature: string }
  const { value } = await createSolanaRpc(local.rpcUrl).getBalance(stranger).send()
  expect(value).toBe(2_000_000n)
  expect(base58.decode(signature)).toHaveLength(64)
  expect(shown).toMatchObject([{ action: 'send', banners: [], fee: { units: 5_000n } }])
  expect(shown[0]?.changes).toEqual({ kind: 'known', list: [{ units: -2_000_000n, decimals: 9, symbol: 'SOL' }] })
  expect(shown[0]?.sections[0]?.rows.map(({ label }) => label)).toEqual(['from', 'to', 'amount'])
})

test('shows the owner of a receiving token account, even of a new one', async () => {
  const { request, shown } = approvalsThatReturn('rejected')
  const [token] = local.tokens
  const transaction = await wireOf(await giveToken(stranger, mintOf(0), 1_500_000n, token?.decimals ?? 0))
  expect(await getRpcError(request('solana_signTransaction', { transaction }))).toEqual([
    4001,
    'User rejected the request',
  ])
  const [facts] = shown
  expect(facts?.action).toBe('send')
  expect(facts?.sections[1]?.rows).toContainEqual({
    label: 'who',
    value: { kind: 'address', address: stranger, name: undefined },
  })
  expect(facts?.changes).toMatchObject({
    kind: 'known',
    list: [{ units: expect.any(BigInt) }, { units: -1_500_000n, asset: mintOf(0) }],
  })
})

test('returns the signature and the signed transaction', async () => {
  const { request } = approvalsThatReturn('approved')
  const transaction = await wireOf([createPayment(me, friend, 1n)])
  const reply = await request('solana_signTransaction', { transaction })
  const { signature, transaction: signed } = reply as { signature: string; transaction: string }
  const { signatures, message } = parseTransaction(base64.decode(signed))
  expect(base58.encode(signatures[0] ?? new Uint8Array())).toBe(signature)
  expect(ed25519.verify(base58.decode(signature), message, base58.decode(me))).toBe(true)
})

test('signs several transactions after one approval that shows all of them', async () => {
  const { request, shown } = approvalsThatReturn('approved')
  const transactions = [await wireOf([createPayment(me, friend, 1n)]), await wireOf([createPayment(me, stranger, 2n)])]
  const { transactions: signed } = (await request('solana_signAllTransactions', { transactions })) as {
    transactions: string[]
  }
  expect(signed).toHaveLength(2)
  expect(shown).toMatchObject([{ action: 'transactions', sections: [{ title: 'step' }, { title: 'step' }] }])
})

test('warns of instructions that transfer the ownership of an account [I-16]', async () => {
  const { request, shown } = approvalsThatReturn('rejected')
  const assign: Instruction = {
    programAddress: system,
    accounts: [{ address: me, role: AccountRole.WRITABLE_SIGNER }],
    data: new Uint8Array([1, 0, 0, 0, ...base58.decode(tokenProgram)]),
  }
  await getRpcError(request('solana_signAndSendTransaction', { transaction: await wireOf([assign]) }))
  const authority: Instruction = {
    programAddress: tokenProgram,
    accounts: [
      { address: await holdingOf(me, mintOf(0)), role: AccountRole.WRITABLE },
      { address: me, role: AccountRole.READONLY_SIGNER },
    ],
    data: new Uint8Array([6, 2, 1, ...base58.decode(stranger)]),
  }
  await getRpcError(request('solana_signTransaction', { transaction: await wireOf([authority]) }))
  expect(shown.map(({ banners }) => banners.map(({ kind }) => kind))).toEqual([['delegates'], ['delegates']])
})

const createAdvanceInstruction = (...more: readonly number[]): Instruction => ({
  programAddress: system,
  accounts: [
    { address: friend, role: AccountRole.WRITABLE },
    { address: stranger, role: AccountRole.READONLY },
    { address: me, role: AccountRole.READONLY_SIGNER },
  ],
  data: new Uint8Array([4, 0, 0, 0, ...more]),
})

test.each<[string, readonly Instruction[], boolean]>([
  ['that advances a nonce account first', [createAdvanceInstruction(), createPayment(me, friend, 5n)], true],
  ['with bytes behind the nonce instruction', [createAdvanceInstruction(7, 7), createPayment(me, friend, 5n)], true],
  ['that advances a nonce account later', [createPayment(me, friend, 5n), createAdvanceInstruction()], false],
  ['with a recent blockhash', [createPayment(me, friend, 5n)], false],
])('a transaction %s shows the right expiry warning [I-20]', async (_what, instructions, isWarned) => {
  const { request, shown } = approvalsThatReturn('rejected')
  await getRpcError(request('solana_signTransaction', { transaction: await wireOf([...instructions]) }))
  await getRpcError(
    request('solana_signAllTransactions', {
      transactions: [await wireOf([createPayment(me, friend, 1n)]), await wireOf([...instructions])],
    }),
  )
  for (const { banners } of shown) expect(banners.some(({ kind }) => kind === 'durableNonce')).toBe(isWarned)
})

test('shows that a transaction would fail, and why [I-16]', async () => {
  const { request, shown } = approvalsThatReturn('rejected')
  await getRpcError(
    request('solana_signTransaction', { transaction: await wireOf([createPayment(me, friend, 10n ** 18n)]) }),
  )
  expect(shown).toMatchObject([
    { banners: [{ kind: 'fails' }], changes: { kind: 'fails', reason: expect.stringMatching(/\w/) } },
  ])
})

test('shows that the simulation is unavailable if the node lacks it', async () => {
  const unable: Chain = {
    request: async (id, method, params, options) => {
      if (method === 'simulateTransaction') throw new RpcError(-32601, 'no such method')
      return chain.request(id, method, params, options)
    },
  }
  const { request, shown } = approvalsThatReturn('rejected', unable)
  await getRpcError(request('solana_signTransaction', { transaction: await wireOf([createPayment(me, friend, 1n)]) }))
  expect(shown).toMatchObject([{ changes: { kind: 'unknown' } }])
})

test('a transaction with a lost response counts as sent once the network has it', async () => {
  const deaf: Chain = {
    request: async (id, method, params, options) => {
      const received = await chain.request(id, method, params, options)
      if (method === 'sendTransaction') throw new RpcError(-32603, 'cannot be reached')
      return received
    },
  }
  const { request } = approvalsThatReturn('approved', deaf)
  const transaction = await wireOf([createPayment(me, stranger, 3_000_000n)])
  expect(await request('solana_signAndSendTransaction', { transaction })).toMatchObject({
    signature: expect.any(String),
  })
})

test('refuses transactions that don’t need the account’s signature, and malformed ones', async () => {
  const { request, shown } = approvalsThatReturn('approved')
  const foreign = await wireOf([createPayment(friend, me, 1n)], 0, friend)
  for (const transaction of [foreign, '', 'AAAA', 7, undefined, `${foreign}AA`]) {
    expect(await getRpcError(request('solana_signTransaction', { transaction }))).toMatchObject([
      -32602,
      expect.any(String),
    ])
  }
  expect(await getRpcError(request('solana_signTransaction', { pubkey: friend }))).toMatchObject([
    4100,
    expect.any(String),
  ])
  expect(shown).toEqual([])
})

test('throws only refusals for changed bytes [G-07]', async () => {
  const message = new Uint8Array(
    (await compileInstructions([createPayment(me, friend, 5n), ...(await giveToken(stranger, mintOf(0), 1n, 6))]))
      .messageBytes,
  )
  let seed = 1
  const random = (below: number): number => (seed = (seed * 48_271) % 0x7fff_ffff) % below
  for (let round = 0; round < 3_000; round += 1) {
    const changed = message.slice(0, random(4) === 0 ? random(message.length) : message.length)
    for (let count = random(4); count >= 0; count -= 1) changed[random(changed.length + 1)] = random(256)
    try {
      parseMessage(changed)
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError)
    }
  }
})
