import fc from 'fast-check'
import { encodeAbiParameters, encodeEventTopics, parseAbi, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { transferKinds, zeroAddress } from './block.ts'
import { parseLog } from './parseLog.ts'

const abi = parseAbi([
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
])
const address = `0x${'a1'.repeat(20)}` as const
const from = `0x${'b2'.repeat(20)}` as const
const to = `0x${'c3'.repeat(20)}` as const
const batchTypes = [{ type: 'uint256[]' }, { type: 'uint256[]' }] as const

function encodeBatchLog(
  ids: readonly bigint[],
  values: readonly bigint[],
): { address: Hex; topics: unknown; data: Hex } {
  const topics = encodeEventTopics({ abi, eventName: 'TransferBatch', args: { operator: from, from, to } })
  return { address, topics, data: encodeAbiParameters(batchTypes, [ids, values]) }
}

test('parseLog reads single and batch transfers of ERC-1155', () => {
  const topics = encodeEventTopics({
    abi,
    eventName: 'TransferSingle',
    args: { operator: from, from: zeroAddress, to },
  })
  const data = encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [7n, 3n])
  const common = { kind: transferKinds.erc1155, token: address, receiver: to }
  expect(parseLog({ address, topics, data })).toEqual([{ ...common, sender: zeroAddress, tokenId: 7n, amount: 3n }])
  expect(parseLog(encodeBatchLog([1n, 2n], [10n, 20n]))).toEqual([
    { ...common, sender: from, tokenId: 1n, amount: 10n },
    { ...common, sender: from, tokenId: 2n, amount: 20n },
  ])
})

test('parseLog reads approvals for a collection and their revocation', () => {
  const topics = encodeEventTopics({ abi, eventName: 'ApprovalForAll', args: { owner: from, operator: to } })
  const data = encodeAbiParameters([{ type: 'bool' }], [false])
  expect(parseLog({ address, topics, data })).toMatchObject([
    { kind: transferKinds.permission, sender: from, amount: 0n },
  ])
})

test('parseLog ignores arrays with different lengths or outside of the log', () => {
  expect(parseLog(encodeBatchLog([1n], [1n, 2n]))).toEqual([])
  const { data, ...log } = encodeBatchLog([1n], [1n])
  expect(parseLog({ ...log, data: data.slice(0, 200) })).toEqual([])
  expect(parseLog({ ...log, data: `0x${'f'.repeat(64 * 4)}` })).toEqual([])
})

test('parseLog returns valid transfers or none for arbitrary logs', () => {
  const { topics } = encodeBatchLog([], [])
  const signatures = [...(topics as Hex[]), '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef']
  const hex = (bytes: number) =>
    fc.uint8Array({ maxLength: bytes }).map((each) => `0x${Buffer.from(each).toString('hex')}`)
  const topic = fc.oneof(fc.constantFrom(...signatures), hex(40), fc.constant(`0x${'0'.repeat(24)}${'d4'.repeat(20)}`))
  const log = fc.record({
    address: fc.oneof(fc.constant<unknown>(address), fc.anything()),
    topics: fc.oneof(fc.array(topic, { maxLength: 5 }), fc.anything()),
    data: fc.oneof(hex(300), fc.anything()),
  })
  fc.assert(
    fc.property(fc.oneof(log, fc.anything()), (value) => {
      for (const { sender, receiver, amount } of parseLog(value)) {
        expect([sender, receiver].every((each) => /^0x[0-9a-f]{40}$/.test(each)) && amount >= 0n).toBe(true)
      }
    }),
  )
})
