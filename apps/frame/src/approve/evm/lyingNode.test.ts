import { addresses, mnemonic, startChains, type LocalChain } from '@latchkey/devnet'
import { startTestServer } from '@latchkey/server/testing'
import { encodeFunctionData, erc20Abi, keccak256, numberToHex, parseTransaction, stringToHex, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRecord } from '@latchkey/protocol'
import { createChain } from '../../chain/chain.ts'
import { RpcError } from '../../chain/rpcError.ts'
import { deriveWalletKeys, parseRecoveryPhrase } from '../../custody/walletKeys.ts'
import type { FrameConfig } from '../../frameConfig.ts'
import { englishMessages } from '../../messages/loadFrameMessages.ts'
import type { Screen, Stage } from '../../screens/stage/stage.ts'
import { signRequest } from '../../worker/keys/signRequest.ts'
import type { ApprovalFacts } from '../approvalFacts.ts'
import { createApprovals, createRecipients } from '../createApprovals.ts'

const [account, friend] = addresses
const chainId = 'eip155:31337'
const context = { origin: 'https://dapp.example', chainId, accounts: [{ namespace: 'eip155', address: account }] }
const ends: Array<() => Promise<void>> = []

let local: LocalChain
let config: Pick<FrameConfig, 'server' | 'networks'>

beforeAll(async () => {
  const started = await startChains()
  ends.push(started.close)
  local = started.chains[0]
  const { name, nativeCurrency } = local.network
  const served = { caipNetworkId: chainId, name, nativeCurrency, rpcUrls: [local.rpcUrl], tokens: [] } as const
  const server = await startTestServer({ services: ['api'], chains: [served] })
  ends.unshift(server.close)
  config = { server: server.url, networks: [{ chainId, name, nativeCurrency }] }
})

afterAll(async () => {
  for (const end of ends) await end()
})

/** Replaces the results of methods. Everything else comes from the real node. */
type FalseResults = Readonly<Record<string, object>>

/** A wallet whose user approves everything, on a network that lies. */
function openWalletOnLyingNode(lies: FalseResults) {
  const signed: Hex[] = []
  const shown: ApprovalFacts[] = []
  const load: typeof fetch = async (input, init) => {
    const request: unknown = JSON.parse(String(init?.body))
    const { id, method, params } = isRecord(request) ? request : {}
    if (method === 'eth_sendRawTransaction' && Array.isArray(params)) signed.push(params[0])
    const lie = lies[String(method)]
    return lie === undefined ? fetch(input, init) : Response.json({ jsonrpc: '2.0', id, ...lie })
  }
  const chain = createChain({ config, projectId: '0123456789abcdef0123456789abcdef', load })
  const keys = deriveWalletKeys(parseRecoveryPhrase(mnemonic))
  const holder = {
    exceededRule: async () => undefined,
    sign: async (order: Parameters<typeof signRequest>[1]) => signRequest((await keys).evm.privateKey, order),
  }
  const stage: Stage = {
    show: async <given>(screen: Screen<given>) => {
      // The facts of an approval are those that a window would draw.
      shown.push(screen.window?.facts as ApprovalFacts)
      return 'approved' as given
    },
  }
  const recipients = createRecipients()
  const approve = createApprovals({
    config,
    holder,
    stage,
    recipients,
    messages: () => englishMessages,
    now: Date.now,
    chain,
  })
  async function send(fields: object = { to: friend, value: '0x1' }): Promise<unknown> {
    const params = [{ from: account, ...fields }]
    return approve({ method: 'eth_sendTransaction', params }, context).catch((error: unknown) => error)
  }
  return { send, shown, signed }
}

const huge = `0x${'f'.repeat(64)}`
/** ABI encoding of `Error(string)`. */
const revertWith = (reason: string): Hex =>
  `0x08c379a0${numberToHex(32, { size: 32 }).slice(2)}${numberToHex(reason.length, { size: 32 }).slice(2)}${stringToHex(reason).slice(2)}`

describe('a network that lies [P-12]', () => {
  test('is not signed for if it reports another chain id', async () => {
    for (const result of ['0x1', '0x7a6900', null, 31_337, '31337', '']) {
      const { send, shown, signed } = openWalletOnLyingNode({ eth_chainId: { result } })
      expect(await send()).toMatchObject({ code: -32603 })
      expect([shown, signed]).toEqual([[], []])
    }
  })

  test('gets a signature for the configured network only, whatever else it reports', async () => {
    const block = { number: '0x1', chainId: '0x1', baseFeePerGas: '0x3b9aca00' }
    const { send, signed } = openWalletOnLyingNode({
      eth_getBlockByNumber: { result: block },
      net_version: { result: '1' },
    })
    const hash = await send()
    const [raw = '0x'] = signed
    expect(parseTransaction(raw)).toMatchObject({ chainId: 31_337, to: friend.toLowerCase(), value: 1n })
    expect(hash).toBe(keccak256(raw))
  })

  test('can’t report another hash of a sent transaction', async () => {
    const { send, signed } = openWalletOnLyingNode({ eth_sendRawTransaction: { result: `0x${'ab'.repeat(32)}` } })
    const hash = await send()
    expect(hash).toBe(keccak256(signed[0] ?? '0x'))
  })

  test.each(['-0x1', '0x', '', '-1', -1, null, true, {}, ['0x1'], `0x1${'0'.repeat(64)}`, '0x1n', 1.5])(
    'is not signed for with the balance, nonce or gas %j',
    { tags: 'abuse' },
    async (result) => {
      for (const method of ['eth_getBalance', 'eth_getTransactionCount', 'eth_estimateGas']) {
        const { send, shown, signed } = openWalletOnLyingNode({ [method]: { result } })
        expect(await send()).toMatchObject({ code: -32603, message: expect.stringContaining(method) })
        expect([shown, signed]).toEqual([[], []])
      }
    },
  )

  test('is not signed for with a nonce that no account has', async () => {
    const { send, signed } = openWalletOnLyingNode({ eth_getTransactionCount: { result: huge } })
    expect(await send()).toMatchObject({ code: -32602 })
    expect(signed).toEqual([])
  })

  test.each([
    ['gas', { eth_estimateGas: { result: numberToHex(10n ** 12n) } }],
    ['base fee', { eth_getBlockByNumber: { result: { baseFeePerGas: numberToHex(10n ** 13n) } } }],
    ['tip', { eth_maxPriorityFeePerGas: { result: numberToHex(200n * 10n ** 9n) } }],
    ['total', { eth_estimateGas: { result: '0xffffffffffffffff' }, eth_maxPriorityFeePerGas: { result: huge } }],
  ])('with a huge %s shows the fee in full with a warning', async (_, lies: FalseResults) => {
    const { send, shown } = openWalletOnLyingNode({
      eth_getBalance: { result: huge },
      eth_sendRawTransaction: { error: { code: -32000, message: 'not this one' } },
      ...lies,
    })
    const error = await send()
    if (shown.length === 0) expect(error).toMatchObject({ code: -32000 })
    else expect(shown).toMatchObject([{ banners: [{ kind: 'highFee' }] }])
  })

  test('with the usual fee shows no warning', async () => {
    const { send, shown } = openWalletOnLyingNode({})
    await send()
    expect(shown).toMatchObject([{ banners: [] }])
  })

  test.each([
    '<img src=x onerror=alert(1)>',
    'Send your phrase to\u202e example.com\u0000\n\nApprove to continue',
    'a'.repeat(100_000),
  ])('gives the reason of a revert as one short line without hidden characters (%#)', async (reason) => {
    for (const error of [
      { code: 3, message: 'execution reverted', data: revertWith(reason) },
      { code: -32000, message: `execution reverted: ${reason}` },
    ]) {
      const { send, shown, signed } = openWalletOnLyingNode({ eth_estimateGas: { error } })
      const refusal = await send()
      expect(refusal).toBeInstanceOf(RpcError)
      expect(refusal).toMatchObject({ code: -32000, message: expect.stringMatching(/^The transaction would fail: /) })
      const { message } = refusal instanceof RpcError ? refusal : expect.fail('no error')
      expect(message.length).toBeLessThanOrEqual(240)
      expect(message).not.toMatch(/\p{C}/u)
      expect([shown, signed]).toEqual([[], []])
    }
  })

  test('can’t hide an unlimited allowance behind false effects, names or decimals', async () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [friend, 2n ** 256n - 1n] })
    const to = local.tokens.find(({ symbol }) => symbol === 'LUSD')?.address
    const call = { status: '0x1', logs: [], returnData: '0x', gasUsed: '0x1' }
    const lies: readonly FalseResults[] = [
      { eth_simulateV1: { result: [{ calls: [call] }] } },
      { eth_simulateV1: { result: [{ calls: [{ ...call, logs: [{ address: 7, topics: 'none', data: {} }] }] }] } },
      { eth_simulateV1: { result: 'nothing changes' }, eth_call: { result: huge } },
      { eth_call: { result: '0xzz' } },
      { eth_call: { error: { code: 3, message: '<b>' } } },
      { eth_call: { result: `0x${'00'.repeat(100_000)}` } },
    ]
    for (const lie of lies) {
      const { send, shown } = openWalletOnLyingNode({
        ...lie,
        eth_sendRawTransaction: { error: { code: -32000, message: 'no' } },
      })
      await send({ to, data })
      expect(shown[0]?.banners).toContainEqual({ kind: 'unlimited' })
    }
  })
})
