import { addresses, mnemonic, startChains, type LocalChain } from '@latchkey/devnet'
import { startTestServer } from '@latchkey/server/testing'
import {
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  http,
  maxUint256,
  numberToHex,
  parseEther,
  stringToHex,
  verifyMessage,
  verifyTypedData,
  type Hex,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChain, type Chain } from '../../chain/chain.ts'
import { RpcError } from '../../chain/rpcError.ts'
import type { FrameConfig } from '../../frameConfig.ts'
import { deriveWalletKeys, parseRecoveryPhrase } from '../../custody/walletKeys.ts'
import type { Screen, Stage } from '../../screens/stage/stage.ts'
import { englishMessages } from '../../messages/loadFrameMessages.ts'
import type { SignRequest } from '../../worker/keyHolder.ts'
import { signRequest } from '../../worker/keys/signRequest.ts'
import type { ApprovalFacts } from '../approvalFacts.ts'
import { createApprovals, createRecipients, type ApprovalsDependencies } from '../createApprovals.ts'
import { createRandom, mutateCall } from './calls/mutateCall.ts'
import { describeCall } from './describeCall.ts'
import { createTokens } from './tokens.ts'
import { getMember } from '../../platform/getMember.ts'

const [account, friend] = addresses
const chainId = 'eip155:31337'
const origin = 'https://dapp.example'
const context = { origin, chainId, accounts: [{ namespace: 'eip155', address: account }] }

let local: LocalChain
let chain: Chain
let config: Pick<FrameConfig, 'server' | 'networks'>
const ends: Array<() => Promise<void>> = []

beforeAll(async () => {
  const started = await startChains()
  ends.push(started.close)
  local = started.chains[0]
  const { name, nativeCurrency } = local.network
  const served = { caipNetworkId: chainId, name, nativeCurrency, rpcUrls: [local.rpcUrl], tokens: [] } as const
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

/** Decides on each screen and records its facts. */
function approvalsThatReturn(response: 'approved' | 'rejected', signer: ApprovalsDependencies['holder'] = holder) {
  const shown: ApprovalFacts[] = []
  const stage: Stage = {
    show: async <given>(screen: Screen<given>) => {
      // The facts of an approval are those that a window would draw.
      shown.push(screen.window?.facts as ApprovalFacts)
      return response as given
    },
  }
  const recipients = createRecipients()
  const dependencies = { config, holder: signer, stage, recipients, messages: () => englishMessages, now: Date.now }
  return {
    shown,
    recipients,
    approve: createApprovals({ ...dependencies, chain }),
    with: (other: Chain) => createApprovals({ ...dependencies, chain: other }),
  }
}

const getTokenAddress = (symbol: string): Hex => local.tokens.find((each) => each.symbol === symbol)?.address ?? '0x'
const getRpcError = async (requested: Promise<unknown>) => {
  const error: unknown = await requested.catch((thrown: unknown) => thrown)
  return error instanceof RpcError ? [error.code, error.message] : error
}
const createSendRequest = (fields: object) => ({
  method: 'eth_sendTransaction',
  params: [{ from: account, ...fields }],
})

test('signs the shown message, and does not sign after a rejection', async () => {
  const params = [stringToHex('Hello'), account]
  const yes = approvalsThatReturn('approved')
  const signature = (await yes.approve({ method: 'personal_sign', params }, context)) as Hex
  expect(await verifyMessage({ address: account, message: 'Hello', signature })).toBe(true)
  expect(yes.shown).toMatchObject([{ action: 'message', origin, account, banners: [] }])
  expect(
    await getRpcError(approvalsThatReturn('rejected').approve({ method: 'personal_sign', params }, context)),
  ).toEqual([4001, 'User rejected the request'])
})

test('signs typed data exactly as it was shown', async () => {
  const data = {
    types: {
      Mail: [
        { name: 'to', type: 'address' },
        { name: 'text', type: 'string' },
      ],
    },
    primaryType: 'Mail',
    domain: { name: 'Post', chainId: 31337 },
    message: { to: friend, text: 'Hi', hidden: 'not of the type' },
  } as const
  const { approve, shown } = approvalsThatReturn('approved')
  const params = [account, JSON.stringify(data)]
  const signature = (await approve({ method: 'eth_signTypedData_v4', params }, context)) as Hex
  expect(await verifyTypedData({ ...data, address: account, signature })).toBe(true)
  expect(shown[0]?.sections[0]?.rows[1]?.value).toEqual({
    kind: 'fields',
    fields: [
      { name: 'to', type: 'address', value: friend },
      { name: 'text', type: 'string', value: 'Hi' },
    ],
  })
  expect(shown[0]?.banners).toEqual([])
})

test('sends the shown transaction with its fee and changes', async () => {
  const { approve, shown, recipients } = approvalsThatReturn('approved')
  const hash = await approve(createSendRequest({ to: friend, value: numberToHex(parseEther('1.5')) }), context)
  const client = createPublicClient({ transport: http(local.rpcUrl) })
  const receipt = await client.waitForTransactionReceipt({ hash: hash as Hex, pollingInterval: 20 })
  expect(receipt.status).toBe('success')
  const [facts] = shown
  expect(facts).toMatchObject({
    action: 'send',
    banners: [],
    sections: [{ rows: [{ label: 'to' }, { label: 'amount' }] }],
  })
  expect(facts?.changes).toEqual({
    kind: 'known',
    list: [{ units: -parseEther('1.5'), decimals: 18, symbol: 'ETH' }],
    allowances: [],
  })
  expect(facts?.fee?.units).toBeGreaterThanOrEqual(receipt.gasUsed * receipt.effectiveGasPrice)
  expect(await recipients.list()).toEqual([friend])
})

test('shows the rule that the request exceeds before the approval, and then signs just that request [L-01]', async () => {
  const [previewed, signed]: SignRequest[][] = [[], []]
  const limited = {
    async exceededRule(requests: readonly SignRequest[]) {
      previewed?.push(...requests)
      return { rule: 'daily' as const, limits: [{ asset: chainId, units: 1n }], spent: [] }
    },
    async sign(order: SignRequest) {
      signed?.push(order)
      return holder.sign(order)
    },
  }
  const { approve, shown } = approvalsThatReturn('approved', limited)
  await approve(createSendRequest({ to: friend, value: '0x2' }), context)
  await approve({ method: 'personal_sign', params: [stringToHex('Hello'), account] }, context)
  expect(shown.map(({ limit }) => limit?.rule)).toEqual(['daily', 'daily'])
  expect(shown[0]?.limit?.assets).toContainEqual(expect.objectContaining({ asset: chainId, symbol: 'ETH' }))
  expect(signed).toHaveLength(2)
  expect(previewed).toEqual(signed)
})

test('shows no rule if none is known, and leaves the decision to the worker [L-01]', async () => {
  const unavailable = {
    exceededRule: () => Promise.reject(new Error('The services do not respond.')),
    sign: () => Promise.reject(new Error('refused')),
  }
  const { approve, shown } = approvalsThatReturn('approved', unavailable)
  await expect(approve({ method: 'personal_sign', params: [stringToHex('Hello'), account] }, context)).rejects.toThrow(
    'refused',
  )
  expect(shown[0]?.limit).toBeUndefined()
})

test('describes a token transfer with the token’s metadata and its balance changes', async () => {
  const { approve, shown } = approvalsThatReturn('approved')
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 2_500_000n] })
  await approve(createSendRequest({ to: getTokenAddress('LUSD'), data }), context)
  const amount = { units: 2_500_000n, decimals: 6, symbol: 'LUSD' }
  expect(shown[0]?.action).toBe('send')
  expect(shown[0]?.sections[0]?.rows).toContainEqual({ label: 'amount', value: { kind: 'amount', amount } })
  expect(shown[0]?.changes).toEqual({
    kind: 'known',
    list: [{ ...amount, units: -2_500_000n, asset: getTokenAddress('LUSD') }],
    allowances: [],
  })
})

test('warns of an unlimited allowance [I-16]', async () => {
  const { approve, shown } = approvalsThatReturn('rejected')
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [friend, maxUint256] })
  await getRpcError(approve(createSendRequest({ to: getTokenAddress('KEY'), data }), context))
  expect(shown).toMatchObject([{ action: 'allow', banners: [{ kind: 'unlimited' }] }])
})

test(
  'every mutated call that sets an unlimited allowance on the chain shows the warning [I-18]',
  { tags: 'abuse' },
  async () => {
    const target = getTokenAddress('LUSD')
    const random = createRandom(4)
    const allowance = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [account, friend] })
    const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [friend, maxUint256] })
    let granted = 0
    for (let round = 0; round < 120; round += 1) {
      const data = mutateCall(approval, random)
      const calls = [data, allowance].map((each) => ({ from: account, to: target, data: each }))
      const result = await chain.request(chainId, 'eth_simulateV1', [{ blockStateCalls: [{ calls }] }, 'latest'])
      const returned = getMember(getMember(getMember(getMember(result, 0), 'calls'), 1), 'returnData')
      if (typeof returned !== 'string' || BigInt(returned) < 2n ** 128n) continue
      granted += 1
      const native = { symbol: 'ETH', decimals: 18 }
      const { banners } = await describeCall({ to: target, value: 0n, data }, native, createTokens(chain, chainId))
      expect({ data, banners }).toEqual({ data, banners: [{ kind: 'unlimited' }] })
    }
    expect(granted).toBeGreaterThan(30)
  },
)

test('an approval shows the simulated allowance of the spender [I-17]', async () => {
  const { approve, shown } = approvalsThatReturn('rejected')
  const approval = (amount: bigint): Hex =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [friend, amount] })
  await getRpcError(approve(createSendRequest({ to: getTokenAddress('LUSD'), data: approval(maxUint256) }), context))
  await getRpcError(approve(createSendRequest({ to: getTokenAddress('LUSD'), data: approval(2_000_000n) }), context))
  const base = { spender: friend.toLowerCase(), asset: getTokenAddress('LUSD'), symbol: 'LUSD' }
  const amount = { units: 2_000_000n, decimals: 6, symbol: 'LUSD' }
  expect(shown.map(({ changes }) => changes)).toEqual([
    { kind: 'known', list: [], allowances: [{ ...base, kind: 'unlimited' }] },
    { kind: 'known', list: [], allowances: [{ ...base, kind: 'amount', amount }] },
  ])
})

test('shows a delegation and never signs it [I-16]', async () => {
  const { approve, shown } = approvalsThatReturn('approved')
  const requested = approve(createSendRequest({ to: friend, value: '0x1', authorizationList: [] }), context)
  expect(await getRpcError(requested)).toEqual([4200, 'This wallet does not support delegations.'])
  expect(shown).toMatchObject([{ action: 'delegate', isRefused: true, banners: [{ kind: 'delegation' }] }])
})

test('warns of a recipient that looks like a known one [I-16]', async () => {
  const { approve, shown, recipients } = approvalsThatReturn('rejected')
  await recipients.add(friend)
  const twin = `${friend.slice(0, 6)}${'0'.repeat(32)}${friend.slice(-4)}`
  await getRpcError(approve(createSendRequest({ to: twin, value: '0x1' }), context))
  expect(shown[0]?.banners).toEqual([{ kind: 'lookAlike', address: twin, known: friend }])
  await getRpcError(approve(createSendRequest({ to: friend, value: '0x1' }), context))
  expect(shown[1]?.banners).toEqual([])
})

test('refuses accounts and networks that were not granted to the page', async () => {
  const { approve, shown } = approvalsThatReturn('approved')
  const code = async (request: Parameters<typeof approve>[0]) =>
    ((await getRpcError(approve(request, context))) as [number])[0]
  expect(await code({ method: 'personal_sign', params: ['0x00', friend] })).toBe(4100)
  expect(await code(createSendRequest({ from: friend, to: account, value: '0x1' }))).toBe(4100)
  expect(await code({ ...createSendRequest({ to: friend, value: '0x1' }), chainId: 1 })).toBe(4902)
  expect(await code(createSendRequest({ to: friend, value: '0x1', chainId: '0x1' }))).toBe(4902)
  expect(await code({ method: 'eth_sign', params: [account, '0x00'] })).toBe(4200)
  expect(await code({ method: 'constructor', params: [] })).toBe(4200)
  expect(shown).toEqual([])
})

test('reports why a transaction would fail, without asking the user [R8.3.8]', async () => {
  const { approve, shown } = approvalsThatReturn('approved')
  const tooMuch = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 10n ** 30n] })
  const [code, message] = (await getRpcError(
    approve(createSendRequest({ to: getTokenAddress('LUSD'), data: tooMuch }), context),
  )) as [number, string]
  expect(code).toBe(-32000)
  expect(message).toMatch(/^The transaction would fail: \S/)
  const [, poor] = (await getRpcError(
    approve(createSendRequest({ to: friend, value: numberToHex(10n ** 30n) }), context),
  )) as [number, string]
  expect(poor).toMatch(/less than|insufficient|fail/i)
  expect(shown).toEqual([])
})

test('shows that the simulation is unavailable if the node lacks it', async () => {
  const { with: approvalsOn, shown } = approvalsThatReturn('approved')
  const unable: Chain = {
    request: async (id, method, params, options) => {
      if (method === 'eth_simulateV1') throw new RpcError(-32601, 'no such method')
      return chain.request(id, method, params, options)
    },
  }
  await approvalsOn(unable)(createSendRequest({ to: friend, value: '0x1' }), context)
  expect(shown[0]?.changes).toEqual({ kind: 'unknown' })
})

test('a transaction with a lost response counts as sent once the network has it', async () => {
  const { with: approvalsOn } = approvalsThatReturn('approved')
  const deaf: Chain = {
    request: async (id, method, params, options) => {
      const reply = await chain.request(id, method, params, options)
      if (method === 'eth_sendRawTransaction') throw new RpcError(-32603, 'cannot be reached')
      return reply
    },
  }
  const hash = await approvalsOn(deaf)(createSendRequest({ to: friend, value: '0x7' }), context)
  expect(await chain.request(chainId, 'eth_getTransactionByHash', [hash])).toMatchObject({ value: '0x7' })
})

test('reads the next request after the previous one has ended, so that both can be sent', async () => {
  const { approve, shown } = approvalsThatReturn('approved')
  const hashes = await Promise.all(
    [1, 2, 3].map((wei) => approve(createSendRequest({ to: friend, value: numberToHex(wei) }), context)),
  )
  expect(new Set(hashes).size).toBe(3)
  expect(shown.map(({ waiting }) => waiting)).toEqual([2, 1, 0])
})
