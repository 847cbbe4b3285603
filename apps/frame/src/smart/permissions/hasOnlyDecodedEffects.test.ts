import { encodeAbiParameters, encodeEventTopics, erc20Abi, pad, parseAbi, toHex, type Hex } from 'viem'
import { expect, test } from 'vitest'
import type { Chain } from '../../chain/chain.ts'
import { RpcError } from '../../chain/rpcError.ts'
import { hasOnlyDecodedEffects, isTokenContract } from './hasOnlyDecodedEffects.ts'

const account = '0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2'
const thief = '0xc3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3'
const shop = '0xd4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4'
const token = '0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1'
const native = { symbol: 'ETH', decimals: 18 }

type Log = { address: Hex; topics: readonly unknown[]; data: Hex }
const itemsAbi = parseAbi([
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
])
const createTransferLog = (units: bigint, from: Hex = account, address: Hex = token): Log => ({
  address,
  topics: encodeEventTopics({
    abi: erc20Abi,
    eventName: 'Transfer',
    args: { from, to: from === account ? thief : account },
  }),
  data: pad(toHex(units)),
})
const approved: Log = {
  address: token,
  topics: encodeEventTopics({ abi: erc20Abi, eventName: 'Approval', args: { owner: account, spender: thief } }),
  data: pad('0x05'),
}
const operated: Log = {
  address: token,
  topics: encodeEventTopics({ abi: itemsAbi, eventName: 'ApprovalForAll', args: { owner: account, operator: thief } }),
  data: pad('0x01'),
}
const batch: Log = {
  address: token,
  topics: encodeEventTopics({
    abi: itemsAbi,
    eventName: 'TransferBatch',
    args: { operator: shop, from: account, to: thief },
  }),
  data: encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [[7n], [3n]]),
}

/** A node whose simulation has the logs, and whose reads return `before` and then `after`. */
function nodeWith(logs: readonly Log[], [before, after]: readonly [bigint, bigint] = [0n, 0n]): Chain {
  return {
    async request(_chain, method, [parameter]) {
      if (method !== 'eth_simulateV1') return '0x'
      const { blockStateCalls } = parameter as { blockStateCalls: readonly { calls: readonly { data: Hex }[] }[] }
      const calls = blockStateCalls[0]?.calls ?? []
      const isRead = ({ data }: { data: Hex }): boolean => /^0x(70a08231|dd62ed3e|e985e9c5)/.test(data)
      const first = calls.findIndex((call) => !isRead(call))
      return [
        {
          calls: calls.map((call, at) =>
            isRead(call)
              ? { status: '0x1', logs: [], returnData: pad(toHex(at < first ? before : after)) }
              : { status: '0x1', logs: at === first ? logs : [], returnData: '0x' },
          ),
        },
      ]
    },
  }
}
const callerOf = (chain: Chain) => ({ chain, chainId: 'eip155:1', account, native })
const buy = { to: shop, value: 0n, data: '0xd96a094a' } as const

test.each<[string, Chain, boolean]>([
  ['that changes nothing', nodeWith([]), true],
  ['that pays the account', nodeWith([createTransferLog(5n, thief)], [5n, 10n]), true],
  ['that withdraws a token', nodeWith([createTransferLog(5n)], [10n, 5n]), false],
  ['that grants an allowance', nodeWith([approved], [0n, 5n]), false],
  ['that revokes an allowance', nodeWith([approved], [5n, 0n]), true],
  ['that appoints an operator', nodeWith([operated], [0n, 1n]), false],
  ['that moves items in a batch', nodeWith([batch]), false],
  [
    'that moves more assets than are listed',
    nodeWith(
      Array.from({ length: 9 }, (_, at) => createTransferLog(1n, thief, `0x${String(at + 1).repeat(40)}`)),
      [1n, 2n],
    ),
    false,
  ],
  ['that can’t be simulated', { request: async () => Promise.reject(new RpcError(-32_601, 'no such method')) }, false],
])(
  'a call of an unknown function %s is allowed only within the decoded amounts [I-21]',
  async (_what, chain, isAllowed) => {
    expect(await hasOnlyDecodedEffects(callerOf(chain), [buy])).toBe(isAllowed)
  },
)

test('a decoded transfer allows its own amount next to a contract call [I-21]', async () => {
  const data: Hex = `0xa9059cbb${pad(thief).slice(2)}${pad('0x05').slice(2)}`
  const transfer = { to: token, value: 0n, data } as const
  expect(await hasOnlyDecodedEffects(callerOf(nodeWith([createTransferLog(5n)], [9n, 4n])), [transfer, buy])).toBe(true)
  expect(await hasOnlyDecodedEffects(callerOf(nodeWith([createTransferLog(6n)], [9n, 3n])), [transfer, buy])).toBe(
    false,
  )
})

test.each<[string, Chain['request'], boolean]>([
  ['with balances', async () => pad('0x05'), true],
  ['with an unreadable response', async () => 7, true],
  ['without balances', async () => '0x', false],
  ['that reverts', async () => Promise.reject(new RpcError(3, 'execution reverted')), false],
])('a contract %s is recognised as a token or not [I-21]', async (_what, request, isToken) => {
  expect(await isTokenContract(callerOf({ request }), shop)).toBe(isToken)
})

test('a contract does not count as harmless while the network is unreachable [I-21]', async () => {
  const unreachable: Chain = { request: async () => Promise.reject(new RpcError(-32_603, 'cannot be reached')) }
  await expect(isTokenContract(callerOf(unreachable), shop)).rejects.toMatchObject({ code: -32_603 })
})
