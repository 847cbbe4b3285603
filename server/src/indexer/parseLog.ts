import { getField } from '../kit/runtime/getField.ts'
import { transferKinds, zeroAddress, type Hex, type TransferKind, type Transfer } from './block.ts'

/** A transfer without its position, which `parseBlock` assigns. */
type LogTransfer = Omit<Transfer, 'ordinal'>

type Log = { address: Hex; topics: readonly string[]; words: readonly string[] }

/** The signatures of the events of transfers and approvals: the first topic of their logs. */
export const eventSignatures = {
  /** Transfer(address,address,uint256): the third is indexed in ERC-721 and not in ERC-20. */
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  /** TransferSingle(address,address,address,uint256,uint256) */
  transferSingle: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  /** TransferBatch(address,address,address,uint256[],uint256[]) */
  transferBatch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  /** Approval(address,address,uint256) */
  approval: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  /** ApprovalForAll(address,address,bool) */
  approvalForAll: '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
} as const

type Reader = (log: Log) => readonly LogTransfer[]

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    eventSignatures.transfer,
    (log) => {
      const [, from, to, id] = log.topics
      if (id !== undefined) return [toLogTransfer(log, transferKinds.erc721, from, to, 1n, parseWord(id))]
      return [toLogTransfer(log, transferKinds.erc20, from, to, parseWord(log.words[0]))]
    },
  ],
  [
    eventSignatures.transferSingle,
    (log) => {
      const [, , from, to] = log.topics
      return [toLogTransfer(log, transferKinds.erc1155, from, to, parseWord(log.words[1]), parseWord(log.words[0]))]
    },
  ],
  [
    eventSignatures.transferBatch,
    (log) => {
      const [, , from, to] = log.topics
      const [ids, amounts] = [parseArray(log, 0), parseArray(log, 1)]
      if (ids.length !== amounts.length) return []
      return ids.map((id, index) => toLogTransfer(log, transferKinds.erc1155, from, to, amounts[index] ?? 0n, id))
    },
  ],
  [
    eventSignatures.approval,
    (log) => {
      const [, owner, spender, id] = log.topics
      if (id !== undefined) return [toLogTransfer(log, transferKinds.permission, owner, spender, 1n, parseWord(id))]
      return [toLogTransfer(log, transferKinds.approval, owner, spender, parseWord(log.words[0]))]
    },
  ],
  [
    eventSignatures.approvalForAll,
    (log) => {
      const [, owner, operator] = log.topics
      return [toLogTransfer(log, transferKinds.permission, owner, operator, parseWord(log.words[0]))]
    },
  ],
])

const zeroTopic = `0x${'0'.repeat(64)}`
const batchLimit = 1_000

class MismatchError extends Error {}

/**
 * Parses the transfers and approvals of a log. Returns an empty list if the log does not match the signature of its event,
 * because contracts can write any log.
 */
export function parseLog(input: unknown): readonly LogTransfer[] {
  // Most logs are of other events, and checking their fields takes longer than this.
  const reader = findReader(input)
  if (reader === undefined) return []
  const log = toLog(input)
  if (log === undefined) return []
  try {
    return reader(log)
  } catch (error) {
    if (error instanceof MismatchError) return []
    throw error
  }
}

function findReader(input: unknown): Reader | undefined {
  const signature = getField(input, 'topics', '0')
  if (typeof signature !== 'string') return undefined
  return readers.get(signature) ?? readers.get(signature.toLowerCase())
}

const addressPattern = /^0x[0-9a-f]{40}$/i
const dataPattern = /^0x[0-9a-f]*$/i
const topicPattern = /^0x[0-9a-f]{64}$/i
const wordDigits = 64

function toLog(input: unknown): Log | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const { address, topics, data } = input as Readonly<Record<string, unknown>>
  if (typeof address !== 'string' || !Array.isArray(topics) || typeof data !== 'string') return undefined
  if (!addressPattern.test(address) || !dataPattern.test(data)) return undefined
  if (!topics.every((topic): topic is string => typeof topic === 'string' && topicPattern.test(topic))) return undefined
  return {
    address: address.toLowerCase() as Hex,
    topics: topics.map((topic) => topic.toLowerCase()),
    words: toWords(data),
  }
}

function toWords(data: string): readonly string[] {
  const count = Math.floor((data.length - 2) / wordDigits)
  const words: string[] = []
  for (let index = 0; index < count; index += 1) {
    words.push(data.slice(2 + index * wordDigits, 2 + (index + 1) * wordDigits))
  }
  return words
}

function toLogTransfer(
  { address }: Log,
  kind: TransferKind,
  from: string | undefined,
  to: string | undefined,
  amount: bigint,
  tokenId?: bigint,
): LogTransfer {
  return { kind, token: address, sender: parseAccountTopic(from), receiver: parseAccountTopic(to), tokenId, amount }
}

function parseAccountTopic(topic: string | undefined): Hex {
  if (topic === undefined || !topic.startsWith(`0x${'0'.repeat(24)}`)) throw new MismatchError()
  return topic === zeroTopic ? zeroAddress : `0x${topic.slice(26)}`
}

function parseWord(word: string | undefined): bigint {
  if (word === undefined) throw new MismatchError()
  return BigInt(word.startsWith('0x') ? word : `0x${word}`)
}

/** Parses a dynamic array of numbers (ABI encoding), whose offset is in a word of the head. */
function parseArray({ words }: Log, head: number): readonly bigint[] {
  const start = Number(parseWord(words[head])) / 32
  const length = Number(parseWord(words[start]))
  if (!Number.isSafeInteger(start) || length > batchLimit || start + length >= words.length) throw new MismatchError()
  return words.slice(start + 1, start + 1 + length).map(parseWord)
}
