import { getField, isLatchkeyError } from '@latchkey/protocol'
import {
  getAddress,
  isAddress,
  isAddressEqual,
  isHex,
  numberToHex,
  pad,
  size,
  type Address,
  type Client,
  type Hex,
  zeroAddress,
} from 'viem'
import { findLatchkeyError } from '../chain/evmClients.ts'
import { permit2Address } from './approvalAbi.ts'

/** An approval that a log reports. It may have been changed since. */
export type LoggedApproval = { readonly token: Address; readonly spender: Address } & (
  | { readonly kind: 'token' | 'collection' | 'permit2' }
  | { readonly kind: 'nft'; readonly tokenId: bigint }
)

/** `Approval(address,address,uint256)` of ERC-20 and ERC-721, which indexes the third value, too. */
const approvalTopic = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
/** `ApprovalForAll(address,address,bool)` of ERC-721 and ERC-1155. */
const approvalForAllTopic = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31'

/** `Approval(address,address,address,uint160,uint48)` of Permit2: an allowance that the owner gave with a transaction. */
const permit2ApprovalTopic = '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b'
/** `Permit(address,address,address,uint160,uint48,uint48)` of Permit2: one that the owner gave with a signature. */
const permit2PermitTopic = '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec'

/** Ranges of blocks to try: nodes refuse ranges above a limit of their own. */
const spans: readonly bigint[] = [2n ** 62n, 100_000n, 10_000n, 2_000n, 500n]
const maxRequests = 32
/** The maximum number of approvals that are read from the chain. */
const maxApprovals = 200

/**
 * Searches the logs of a chain for approvals of an account, newest blocks first. The number of requests is bounded, so a
 * node that accepts small ranges only is searched for the latest blocks.
 *
 * @param latest the number of the latest block
 * @throws LatchkeyError `rpc/unreachable`, and the node's error if it refuses every range
 */
export async function findApprovalLogs(
  client: Client,
  { owner, latest, signal }: { owner: Address; latest: bigint; signal?: AbortSignal },
): Promise<{ logged: readonly LoggedApproval[]; isComplete: boolean }> {
  const found = new Map<string, LoggedApproval>()
  let to = latest
  let level = 0
  for (let requests = 0; to >= 0n && requests < maxRequests && found.size <= maxApprovals; requests += 1) {
    signal?.throwIfAborted()
    const span = spans[level] ?? 1n
    const from = to < span ? 0n : to - span + 1n
    try {
      const logs = await requestLogs(client, { owner, from, to })
      for (const log of logs.toReversed()) addLog(found, log, owner)
      to = from - 1n
    } catch (error) {
      if (level === spans.length - 1 || isOffline(error)) throw error
      level += 1
    }
  }
  return { logged: [...found.values()].slice(0, maxApprovals), isComplete: to < 0n && found.size <= maxApprovals }
}

/** True if no endpoint was reached. An endpoint that reports its own failure may accept a smaller range. */
function isOffline(error: unknown): boolean {
  const failure = findLatchkeyError(error)
  return isLatchkeyError(failure, 'rpc/unreachable') && getField(failure.cause, 'code') === undefined
}

async function requestLogs(
  client: Client,
  { owner, from, to }: { owner: Address; from: bigint; to: bigint },
): Promise<readonly unknown[]> {
  const topics: [Hex[], Hex] = [
    [approvalTopic, approvalForAllTopic, permit2ApprovalTopic, permit2PermitTopic],
    pad(owner),
  ]
  const filter = { fromBlock: numberToHex(from), toBlock: numberToHex(to), topics } as const
  const logs: unknown = await client.request({ method: 'eth_getLogs', params: [filter] })
  return Array.isArray(logs) ? logs : []
}

function addLog(found: Map<string, LoggedApproval>, log: unknown, owner: Address): void {
  const logged = parseApprovalLog(log, owner)
  if (logged === undefined) return
  const id = logged.kind === 'nft' ? logged.tokenId : ''
  const key = `${logged.kind} ${logged.token} ${id} ${logged.spender}`
  if (!found.has(key)) found.set(key, logged)
}

/** Parses a log. A node may return anything, including logs of other accounts. */
function parseApprovalLog(log: unknown, owner: Address): LoggedApproval | undefined {
  const [token, topics] = [getField(log, 'address'), getField(log, 'topics')]
  if (typeof token !== 'string' || !isAddress(token, { strict: false }) || !Array.isArray(topics)) return undefined
  const [event, by, spender, id]: readonly unknown[] = topics
  if (!isWord(by) || !isWord(spender) || by.toLowerCase() !== pad(owner).toLowerCase()) return undefined
  if (event === permit2ApprovalTopic || event === permit2PermitTopic) {
    // Any contract can emit these events. The third and the fourth value are the token and the spender.
    if (!isAddressEqual(token, permit2Address) || !isWord(id)) return undefined
    return { kind: 'permit2', token: parseAddressWord(spender), spender: parseAddressWord(id) }
  }
  const base = { token: getAddress(token), spender: parseAddressWord(spender) }
  if (event === approvalForAllTopic) return { ...base, kind: 'collection' }
  // The address zero means that an approval ended.
  if (event !== approvalTopic || base.spender === zeroAddress) return undefined
  return isWord(id) ? { ...base, kind: 'nft', tokenId: BigInt(id) } : { ...base, kind: 'token' }
}

function parseAddressWord(word: Hex): Address {
  return getAddress(`0x${word.slice(26)}`)
}

function isWord(value: unknown): value is Hex {
  return isHex(value) && size(value) === 32
}
