import { hexToBytes } from '@noble/hashes/utils.js'
import { isRecord } from '@latchkey/protocol'
import type { Change } from '../approvalFacts.ts'
import { createCalldata } from './calls/calldata.ts'
import { isAddress, isHex, toQuantity } from './parseQuantity.ts'
import { getMember } from '../../platform/getMember.ts'

const topics = {
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  transferSingle: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  transferBatch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  approval: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  approvalForAll: '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
  permit2Approval: '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b',
  permit2Permit: '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec',
} as const

/** Assets and allowances beyond this number are ignored. */
const maxAssets = 8

/** Address that nodes use for transfers of the native currency. */
const nativeLog = /^0xe{40}$/i

/** The account's transfers in a simulation. */
export type SimulatedTransfers = {
  /** Change of the native currency, from the node's trace. */
  readonly native: bigint
  readonly contracts: readonly string[]
  readonly items: readonly Change[]
  /** True if more assets moved than are listed. */
  readonly isTruncated: boolean
}

/** An allowance: `spender` may move the account's assets. Its amount is read from the contract. */
export type Allowance =
  | { readonly kind: 'token'; readonly token: string; readonly spender: string }
  | { readonly kind: 'operator'; readonly token: string; readonly spender: string }
  | { readonly kind: 'permit2'; readonly permit2: string; readonly token: string; readonly spender: string }

type Log = { readonly address: string; readonly topics: readonly string[]; readonly data: string }

/** Collects the account's transfers from the logs of a simulation. An indexed id marks an NFT. */
export function collectTransfers(results: readonly unknown[], account: string): SimulatedTransfers {
  let native = 0n
  const contracts = new Set<string>()
  const items: Change[] = []
  const isOwn = isTopicOf(account)
  for (const log of results.flatMap(logsOf)) {
    const { address, data } = log
    const [topic, ...indexed] = log.topics
    const isErc1155 = topic === topics.transferSingle || topic === topics.transferBatch
    const [from, to, id] = isErc1155 ? indexed.slice(1) : indexed
    if ((topic !== topics.transfer && !isErc1155) || (!isOwn(from) && !isOwn(to))) continue
    const sign = isOwn(from) ? (isOwn(to) ? 0n : -1n) : 1n
    if (nativeLog.test(address)) native += sign * (toQuantity(data) ?? 0n)
    else if (isErc1155) items.push(...parseErc1155Log(topic === topics.transferBatch, log, sign))
    else if (id !== undefined) items.push(itemChange(address, id, sign))
    else contracts.add(address.toLowerCase())
  }
  const isTruncated = contracts.size > maxAssets || items.length > maxAssets
  return { native, contracts: [...contracts].slice(0, maxAssets), items: items.slice(0, maxAssets), isTruncated }
}

/** ERC-1155: one id and amount, or an array of each. */
function parseErc1155Log(isBatch: boolean, { address, data }: Log, sign: bigint): readonly Change[] {
  const words = createCalldata(hexToBytes(data.slice(2)))
  if (!isBatch) return [itemChange(address, `0x${words.number(0).toString(16)}`, sign * words.number(1))]
  const [ids, counts] = [words.list(0, 1, maxAssets + 1), words.list(1, 1, maxAssets + 1)]
  return ids.items.map((id, index) =>
    itemChange(address, `0x${id.number(0).toString(16)}`, sign * (counts.items[index]?.number(0) ?? 0n)),
  )
}

/**
 * Collects the spenders that gained or lost an allowance of the account.
 *
 * @param expected allowances that the calls grant, for contracts that emit no event
 */
export function collectSpenders(
  results: readonly unknown[],
  account: string,
  expected: readonly Allowance[],
): readonly Allowance[] {
  const isOwn = isTopicOf(account)
  const logged = results
    .flatMap(logsOf)
    .flatMap(({ address, topics: [topic, owner, ...rest] }): readonly Allowance[] => {
      if (!isOwn(owner)) return []
      const [first, second] = rest.map(addressOfTopic)
      if (first === undefined) return []
      // ERC-721: a third indexed value is a token id.
      if (topic === topics.approval && second === undefined) return [{ kind: 'token', token: address, spender: first }]
      if (topic === topics.approvalForAll) return [{ kind: 'operator', token: address, spender: first }]
      const isPermit2 = topic === topics.permit2Approval || topic === topics.permit2Permit
      return isPermit2 && second !== undefined
        ? [{ kind: 'permit2', permit2: address, token: first, spender: second }]
        : []
    })
  const unique = new Map([...expected, ...logged].map((each) => [JSON.stringify(each).toLowerCase(), each]))
  return [...unique.values()].slice(0, maxAssets)
}

function isTopicOf(account: string): (topic: unknown) => boolean {
  const own = account.slice(2).toLowerCase()
  return (topic) => isHex(topic) && topic.slice(-40).toLowerCase() === own
}

function addressOfTopic(topic: string): string {
  return `0x${topic.slice(-40)}`
}

function itemChange(asset: string, id: string, units: bigint): Change {
  return { asset, units, decimals: 0, item: `#${toQuantity(id) ?? id}` }
}

function logsOf(result: unknown): readonly Log[] {
  const logs = getMember(result, 'logs')
  return (Array.isArray(logs) ? logs : []).filter(isRecord).flatMap(({ address, topics: indexed, data }) => {
    const isLog =
      isAddress(address) && Array.isArray(indexed) && indexed.every(isHex) && isHex(data) && data.length % 2 === 0
    return isLog ? [{ address, topics: indexed.filter(isHex), data }] : []
  })
}
