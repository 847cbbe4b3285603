import { createClient, custom, hexToBigInt, pad, RpcRequestError, toEventSelector, type Address, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { findApprovalLogs } from './findApprovalLogs.ts'

const owner: Address = `0x${'a'.repeat(40)}`
const [one, two]: readonly Address[] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`]
const approvalTopic = toEventSelector('Approval(address,address,uint256)')

type Log = { block: bigint; address: unknown; topics: readonly unknown[] }

function approvalBy(by: Address, token: unknown, block: bigint): Log {
  return { block, address: token, topics: [approvalTopic, pad(by), pad(`0x${'e'.repeat(40)}`)] }
}

/** A node that searches at most `limit` blocks at once, and records the ranges. */
function nodeWith(logs: readonly Log[], limit: bigint) {
  const ranges: Array<readonly [bigint, bigint]> = []
  const client = createClient({
    transport: custom(
      {
        async request({ params }: { params: readonly [{ fromBlock: Hex; toBlock: Hex }] }) {
          const [from, to] = [hexToBigInt(params[0].fromBlock), hexToBigInt(params[0].toBlock)]
          ranges.push([from, to])
          if (to - from >= limit) {
            const error = { code: -32602, message: 'the range is too large' }
            throw new RpcRequestError({ body: {}, error, url: 'http://node.invalid' })
          }
          return logs.filter(({ block }) => block >= from && block <= to)
        },
      },
      { retryCount: 0 },
    ),
  })
  return { client, ranges }
}

test('a node without a limit gets one request', async () => {
  const { client, ranges } = nodeWith([approvalBy(owner, one, 1n), approvalBy(owner, two, 20_000_000n)], 2n ** 62n)
  const { logged, isComplete } = await findApprovalLogs(client, { owner, latest: 22_000_000n })
  expect(logged.map(({ token }) => token)).toEqual([two, one])
  expect(isComplete).toBe(true)
  expect(ranges).toEqual([[0n, 22_000_000n]])
})

test('a node with a limit is searched in smaller ranges without gaps, back to the first block', async () => {
  const logs = [approvalBy(owner, one, 0n), approvalBy(owner, two, 9_999n)]
  const { client, ranges } = nodeWith(logs, 10_000n)
  const { logged, isComplete } = await findApprovalLogs(client, { owner, latest: 49_999n })
  expect(logged).toHaveLength(2)
  expect(isComplete).toBe(true)
  expect(ranges.slice(-5)).toEqual([4n, 3n, 2n, 1n, 0n].map((part) => [part * 10_000n, part * 10_000n + 9_999n]))
})

test('the number of requests is bounded, and the list is then incomplete', async () => {
  const { client, ranges } = nodeWith([approvalBy(owner, one, 1n), approvalBy(owner, two, 22_000_000n)], 500n)
  const { logged, isComplete } = await findApprovalLogs(client, { owner, latest: 22_000_000n })
  expect(logged.map(({ token }) => token)).toEqual([two])
  expect(isComplete).toBe(false)
  expect(ranges).toHaveLength(32)
})

test('a node that refuses every range is an error', async () => {
  const { client } = nodeWith([], 1n)
  await expect(findApprovalLogs(client, { owner, latest: 1_000n })).rejects.toThrow(/too large/)
})

test('logs of other accounts, repeated logs and invalid logs are dropped', async () => {
  const odd: Log[] = [
    { block: 1n, address: 'x', topics: [approvalTopic, pad(owner), pad(owner)] },
    { block: 1n, address: one, topics: [approvalTopic, pad(owner), '0x1'] },
    { block: 1n, address: one, topics: ['0x0', pad(owner), pad(owner)] },
    { block: 1n, address: one, topics: [] },
  ]
  const logs = [approvalBy(two ?? owner, one, 1n), ...odd, approvalBy(owner, one, 2n), approvalBy(owner, one, 3n)]
  const { client } = nodeWith(logs, 2n ** 62n)
  expect((await findApprovalLogs(client, { owner, latest: 5n })).logged).toHaveLength(1)
})

test('a contract that floods the account with approvals can not make the list endless', async () => {
  const flood = Array.from({ length: 5_000 }, (_, index) =>
    approvalBy(owner, `0x${index.toString(16).padStart(40, '0')}`, 1n),
  )
  const { client } = nodeWith(flood, 2n ** 62n)
  const { logged, isComplete } = await findApprovalLogs(client, { owner, latest: 5n })
  expect(logged).toHaveLength(200)
  expect(isComplete).toBe(false)
})
