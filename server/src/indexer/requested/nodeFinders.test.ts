import { afterAll, beforeAll, expect, test } from 'vitest'
import { ChainRequestError } from '../../kit/chain/chainRpc.ts'
import { NoEndpointError } from '../../kit/chain/postJsonRpc.ts'
import { describeTransactionFinder, type KnownSource } from '../../testing/describeTransactionFinder.ts'
import { startTransferChain, type TransferChain } from '../../testing/transferChain.ts'
import type { Hex } from '../block.ts'
import { eventSignatures } from '../parseLog.ts'
import { createLogFinder } from './logFinder.ts'
import { createOtterscanFinder } from './otterscanFinder.ts'
import { joinFinders, type TransactionFinder } from './transactionFinder.ts'
import { toQuantity, type TransactionReference } from './createLogRequests.ts'

const account: Hex = `0x${'a7'.repeat(20)}`
let chain: TransferChain
let payments: readonly TransactionReference[]
let tokens: readonly TransactionReference[]
let range: { from: number; to: number }

beforeAll(async () => {
  chain = await startTransferChain()
  const from = await chain.head()
  const sent = []
  for (let each = 0; each < 4; each += 1) {
    sent.push({ payment: await chain.pay(account), token: await chain.sendToken(account) })
  }
  payments = sent.map(({ payment }) => payment)
  tokens = sent.map(({ token }) => token)
  range = { from, to: await chain.head() }
})
afterAll(() => chain.close())

const open = async (
  finder: TransactionFinder,
  transactions: readonly TransactionReference[],
): Promise<KnownSource> => ({
  finder,
  address: account,
  transactions,
  range,
})

describeTransactionFinder('the logs of a node', () => open(createLogFinder(chain.rpc), tokens))
describeTransactionFinder('the Otterscan API of a node', () => open(createOtterscanFinder(chain.rpc), payments))
describeTransactionFinder('logs and the Otterscan API together', () =>
  open(joinFinders([createLogFinder(chain.rpc), createOtterscanFinder(chain.rpc)]), [...payments, ...tokens]),
)

/** A node that accepts few blocks per request for logs. */
function createLimitedRpc(blocks: number): { rpc: TransferChain['rpc']; refusals(): number } {
  let refusals = 0
  return {
    refusals: () => refusals,
    rpc: {
      ...chain.rpc,
      async batch(requests) {
        const [filter] = requests[0]?.[1] ?? []
        const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string }
        if (Number(toBlock) - Number(fromBlock) + 1 <= blocks) return chain.rpc.batch(requests)
        refusals += 1
        throw new ChainRequestError('block range is too large')
      },
    },
  }
}

describeTransactionFinder('the logs of a node that accepts two blocks per request', () =>
  open(createLogFinder(createLimitedRpc(2).rpc), tokens),
)

test('the window of logs stays small after a refusal, so that few requests are refused', async () => {
  const { rpc, refusals } = createLimitedRpc(2)
  const finder = createLogFinder(rpc)
  for (let to = range.to; to >= range.from; to = (await finder.find(account, { from: range.from, to })).from - 1);
  expect(refusals()).toBeLessThan(10)
})

test('addresses that are searched at the same time share the requests for logs, and each one gets its own', async () => {
  const others = [chain.sender, `0x${'b7'.repeat(20)}`] as const
  let requests = 0
  const counting = {
    ...chain.rpc,
    batch(...args: Parameters<typeof chain.rpc.batch>) {
      requests += 1
      return chain.rpc.batch(...args)
    },
  }
  const alone = await Promise.all([account, ...others].map((each) => createLogFinder(chain.rpc).find(each, range)))
  const finder = createLogFinder(counting)
  const together = await Promise.all([account, ...others].map((each) => finder.find(each, range)))
  expect(requests).toBe(1)
  expect(together).toEqual(alone)
  expect(together.map(({ references }) => references.length > 0)).toEqual([true, true, false])
})

test('a token id that ends like an address is not a transfer of that address', async () => {
  const [sender, receiver, other] = ['b1', 'b2', 'b3'].map((byte): Hex => `0x${byte.repeat(20)}`) as [Hex, Hex, Hex]
  const toTopic = (address: Hex, padding = '0'): Hex => `0x${address.slice(2).padStart(64, padding)}`
  const transfer = {
    address: account,
    blockNumber: toQuantity(range.from),
    transactionHash: `0x${'c1'.repeat(32)}`,
    topics: [eventSignatures.transfer, toTopic(sender), toTopic(receiver), toTopic(other, 'f')],
  }
  const finder = createLogFinder({ ...chain.rpc, batch: async () => [[transfer]] })
  const found = await Promise.all([receiver, other].map((each) => finder.find(each, range)))
  expect(found.map(({ references }) => references.length)).toEqual([1, 0])
})

test('several addresses that share a refused request make the window smaller once', async () => {
  const { rpc, refusals } = createLimitedRpc(2)
  const finder = createLogFinder(rpc)
  const found = await Promise.all([1, 2, 3, 4].map(() => finder.find(account, range)))
  expect(new Set(found.map(({ from }) => from))).toEqual(new Set([range.to - 1]))
  expect(refusals()).toBeLessThan(3)
})

test('nodes that do not respond are not asked again at once', async () => {
  let requests = 0
  const away = {
    ...chain.rpc,
    batch: () => {
      requests += 1
      return Promise.reject(new NoEndpointError('No endpoint responds.'))
    },
  }
  await expect(createLogFinder(away).find(account, range)).rejects.toThrow('No endpoint responds.')
  expect(requests).toBe(1)
})

test('a node without the Otterscan API is asked for it once', async () => {
  let requests = 0
  const finder = createOtterscanFinder({
    ...chain.rpc,
    tryBatch: async () => {
      requests += 1
      return [undefined]
    },
  })
  for (let each = 0; each < 3; each += 1) {
    expect(await finder.find(account, range)).toEqual({ references: [], from: range.from })
  }
  expect(requests).toBe(1)
})
