import { kinds, nobody, type Hex, type Kind, type Transfer } from './block.ts'

/** A movement that was read from a log; its place among the others is given by who reads all logs. */
type Found = Omit<Transfer, 'ordinal'>

type Log = { address: Hex; topics: readonly string[]; words: readonly string[] }

/** The events that move or allow something, by the hash of their signature. */
const readers: Readonly<Record<string, (log: Log) => readonly Found[]>> = {
  // Transfer(address,address,uint256): the third is indexed in ERC-721 and not in ERC-20.
  '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef': (log) => {
    const [, from, to, id] = log.topics
    if (id !== undefined) return [moved(log, kinds.erc721, from, to, 1n, number(id))]
    return [moved(log, kinds.erc20, from, to, number(log.words[0]))]
  },
  // TransferSingle(address,address,address,uint256,uint256)
  '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62': (log) => {
    const [, , from, to] = log.topics
    return [moved(log, kinds.erc1155, from, to, number(log.words[1]), number(log.words[0]))]
  },
  // TransferBatch(address,address,address,uint256[],uint256[])
  '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb': (log) => {
    const [, , from, to] = log.topics
    const [ids, amounts] = [array(log, 0), array(log, 1)]
    if (ids.length !== amounts.length) return []
    return ids.map((id, index) => moved(log, kinds.erc1155, from, to, amounts[index] ?? 0n, id))
  },
  // Approval(address,address,uint256)
  '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925': (log) => {
    const [, owner, spender, id] = log.topics
    if (id !== undefined) return [moved(log, kinds.permission, owner, spender, 1n, number(id))]
    return [moved(log, kinds.approval, owner, spender, number(log.words[0]))]
  },
  // ApprovalForAll(address,address,bool)
  '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31': (log) => {
    const [, owner, operator] = log.topics
    return [moved(log, kinds.permission, owner, operator, number(log.words[0]))]
  },
}

const nobodyTopic = `0x${'0'.repeat(64)}`
const batchLimit = 1_000

class NotThis extends Error {}

/**
 * What a log moved or allowed. Contracts may write what they like into logs, so one that does not fit its event's
 * signature tells nothing.
 */
export function readLog(told: unknown): readonly Found[] {
  const log = logOf(told)
  const reader = log === undefined ? undefined : readers[log.topics[0] ?? '']
  if (log === undefined || reader === undefined) return []
  try {
    return reader(log)
  } catch (error) {
    if (error instanceof NotThis) return []
    throw error
  }
}

function logOf(told: unknown): Log | undefined {
  if (typeof told !== 'object' || told === null) return undefined
  const { address, topics, data } = told as Readonly<Record<string, unknown>>
  if (typeof address !== 'string' || !Array.isArray(topics) || typeof data !== 'string') return undefined
  if (!/^0x[0-9a-f]{40}$/i.test(address) || !/^0x[0-9a-f]*$/i.test(data)) return undefined
  if (!topics.every((topic): topic is string => typeof topic === 'string' && /^0x[0-9a-f]{64}$/i.test(topic)))
    return undefined
  return {
    address: address.toLowerCase() as Hex,
    topics: topics.map((topic) => topic.toLowerCase()),
    words: data.slice(2).toLowerCase().match(/.{64}/g) ?? [],
  }
}

function moved(
  { address }: Log,
  kind: Kind,
  from: string | undefined,
  to: string | undefined,
  amount: bigint,
  tokenId?: bigint,
): Found {
  return { kind, token: address, sender: account(from), receiver: account(to), tokenId, amount }
}

function account(topic: string | undefined): Hex {
  if (topic === undefined || !topic.startsWith(`0x${'0'.repeat(24)}`)) throw new NotThis()
  return topic === nobodyTopic ? nobody : `0x${topic.slice(26)}`
}

function number(word: string | undefined): bigint {
  if (word === undefined) throw new NotThis()
  return BigInt(word.startsWith('0x') ? word : `0x${word}`)
}

/** A dynamic array of numbers, whose place is written in a word of the head. */
function array({ words }: Log, head: number): readonly bigint[] {
  const place = Number(number(words[head])) / 32
  const length = Number(number(words[place]))
  if (!Number.isSafeInteger(place) || length > batchLimit || place + length >= words.length) throw new NotThis()
  return words.slice(place + 1, place + 1 + length).map(number)
}
