import type { ChainRpc } from '../../kit/chain/chainRpc.ts'
import type { Token } from '../../kit/chain/chains.ts'
import { getField } from '../../kit/runtime/getField.ts'
import { Problem } from '../../kit/http/problem.ts'
import { fromUnixSeconds, toAmount } from '../http/toAmount.ts'
import { tokenPrograms } from './solanaBalances.ts'

/** A transaction of an account, as the list of its signatures describes it. */
export type SolanaSignature = { signature: string; slot: number; minedAt: number | undefined; failed: boolean }

export type SolanaSignaturePage = { signatures: readonly SolanaSignature[]; next: string | null }

type SignatureRequest = { address: string; tokens: readonly Token[]; cursor: string | undefined; size: number }

const signaturePattern = /^[1-9A-HJ-NP-Za-km-z]{64,90}$/
/** Owners can have thousands of token accounts, most of them spam. */
const maxTokenAccounts = 60
/** The most signatures that nodes return at once, for a slot with more transactions of an account than a page holds. */
const maxSignatures = 1_000

/**
 * Gets a page of the transactions of an owner and of its token accounts, the newest first. A transfer of tokens names the
 * token account of its receiver, and not the receiver. A page ends with a slot, because the order of transactions of
 * different accounts is only known by their slots; it may be a few transactions longer than `size`.
 *
 * @throws Problem 400 `cursor` if it was not created here
 */
export async function getSignaturePage(rpc: ChainRpc, request: SignatureRequest): Promise<SolanaSignaturePage> {
  const { address, tokens, cursor, size } = request
  const after = cursor === undefined ? undefined : parseCursor(cursor)
  const accounts = [address, ...(await getTokenAccounts(rpc, address, tokens))]
  const getMerged = async (limit: number): Promise<MergedSignatures> => {
    const options = { limit, commitment: 'confirmed', ...(after === undefined ? {} : { before: after.signature }) }
    const lists = await rpc.batch(accounts.map((each) => ['getSignaturesForAddress', [each, options]] as const))
    return mergeLists(
      lists.map((list) => parseSignatures(list, after?.slot)),
      { size, limit },
    )
  }
  // One more than the page holds shows whether another page follows.
  const merged = await getMerged(size + 1)
  const { shown, hasMore } = merged.shown.length === 0 && merged.hasMore ? await getMerged(maxSignatures) : merged
  const last = shown.at(-1)
  return {
    signatures: shown,
    next: hasMore && last !== undefined ? formatCursor(last) : null,
  }
}

type MergedSignatures = { shown: readonly SolanaSignature[]; hasMore: boolean }

type SignatureList = { signatures: readonly SolanaSignature[]; received: number }

/** Merges the lists of several accounts, up to the end of a slot. */
function mergeLists(
  lists: readonly SignatureList[],
  { size, limit }: { size: number; limit: number },
): MergedSignatures {
  const merged = new Map(lists.flatMap(({ signatures }) => signatures.map((each) => [each.signature, each] as const)))
  const sorted = [...merged.values()].toSorted((a, b) => b.slot - a.slot)
  // A list at its limit may end within a slot, so that slot and older ones are incomplete.
  const incomplete = lists
    .filter(({ received }) => received >= limit)
    .map(({ signatures }) => signatures.at(-1)?.slot ?? 0)
  const horizon = Math.max(-1, ...incomplete)
  const complete = sorted.filter(({ slot }) => slot > horizon)
  const candidates = complete.length === 0 && limit === maxSignatures ? sorted : complete
  const end = candidates[size - 1]?.slot ?? Number.NEGATIVE_INFINITY
  const shown = candidates.filter(({ slot }) => slot >= end)
  return { shown, hasMore: shown.length < sorted.length || incomplete.length > 0 }
}

async function getTokenAccounts(rpc: ChainRpc, owner: string, tokens: readonly Token[]): Promise<readonly string[]> {
  const options = { encoding: 'jsonParsed', commitment: 'confirmed' }
  const responses = await rpc.batch(
    tokenPrograms.map((programId) => ['getTokenAccountsByOwner', [owner, { programId }, options]] as const),
  )
  const listed = new Set(tokens.map(({ address }) => address))
  const accounts = responses.flatMap((response) => {
    const value = getField(response, 'value')
    return (Array.isArray(value) ? value : []).flatMap((each: unknown) => {
      const account = getField(each, 'pubkey')
      const info = getField(each, 'account', 'data', 'parsed', 'info')
      if (typeof account !== 'string') return []
      const isListed = listed.has(String(getField(info, 'mint')))
      const isEmpty = (toAmount(getField(info, 'tokenAmount', 'amount')) ?? 0n) === 0n
      return [{ account, rank: isListed ? 0 : isEmpty ? 2 : 1 }]
    })
  })
  return accounts
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, maxTokenAccounts)
    .map(({ account }) => account)
}

/** Leaves out transactions of the slot that the previous page ended with, and later ones. */
function parseSignatures(list: unknown, shownFrom = Number.POSITIVE_INFINITY): SignatureList {
  const rows = Array.isArray(list) ? list : []
  const signatures = rows.flatMap((row: unknown): SolanaSignature[] => {
    const [signature, slot] = [getField(row, 'signature'), getField(row, 'slot')]
    if (typeof signature !== 'string' || !signaturePattern.test(signature) || !Number.isSafeInteger(slot)) return []
    const error = getField(row, 'err')
    const minedAt = fromUnixSeconds(getField(row, 'blockTime'))
    return [{ signature, slot: Number(slot), minedAt, failed: error !== null && error !== undefined }]
  })
  return { signatures: signatures.filter(({ slot }) => slot < shownFrom), received: rows.length }
}

function formatCursor({ slot, signature }: SolanaSignature): string {
  return `${slot}.${signature}`
}

function parseCursor(cursor: string): { slot: number; signature: string } {
  const [slot = '', signature = '', ...rest] = cursor.split('.')
  if (!/^\d{1,15}$/.test(slot) || !signaturePattern.test(signature) || rest.length > 0) {
    throw new Problem(400, 'cursor', 'This cursor is not valid for this list.')
  }
  return { slot: Number(slot), signature }
}
