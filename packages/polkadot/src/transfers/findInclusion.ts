import { readAccountRecord } from '../chain/accountRecord.ts'
import { getBlockHash, getExtrinsics, type Block } from '../chain/blocks.ts'
import type { Chain } from '../chain/requestPolkadotRpc.ts'
import { fromHex } from '../wallet/fromHex.ts'
import { hashExtrinsic } from './extrinsic.ts'
import { isSignedBy } from './isSignedBy.ts'

/** A transaction to find, and the finalized blocks that may contain it. */
export type SoughtExtrinsic = {
  readonly hash: string
  readonly nonce: number
  /** The account key of the sender. */
  readonly signer: Uint8Array
  readonly first: bigint
  readonly last: bigint
  /** True if no later block can contain it. */
  readonly isExpired: boolean
}

/** The block of a transaction, and its position there. */
export type Inclusion = { readonly block: Block; readonly index: number }

/** Another transaction of the sender that used the nonce. */
export type Replacement = { readonly by: string; readonly extrinsic: string }

/** The number of blocks that are requested at the same time. */
const concurrentBlocks = 8n

/**
 * Finds a transaction in finalized blocks. The account's nonce tells which block used the nonce of the transaction, so a
 * few requests suffice. All blocks are read if the nodes no longer have their state, or if the nonce may have started
 * again because the account was closed.
 *
 * @returns undefined if none of the blocks contains the transaction or another one with its nonce
 * @throws LatchkeyError `rpc/unreachable`
 */
export async function findInclusion(
  chain: Chain,
  sought: SoughtExtrinsic,
): Promise<Inclusion | Replacement | undefined> {
  const latest = await readNonce(chain, sought, sought.last).catch(() => undefined)
  if (latest === sought.nonce) return undefined
  // Earlier transactions of the account are still pending.
  if (latest !== undefined && latest < sought.nonce && !sought.isExpired) return undefined
  if (latest !== undefined && latest > sought.nonce) {
    const found = await findNonceUse(chain, sought).catch(() => undefined)
    if (found !== undefined) return found
  }
  return searchBlocks(chain, sought)
}

/** Reads the account's nonce after a block. */
async function readNonce(chain: Chain, { signer }: SoughtExtrinsic, number: bigint): Promise<number> {
  return (await readAccountRecord(chain, signer, await getBlockHash(chain, number)))?.nonce ?? 0
}

/** Finds the transaction that used the nonce, by bisection. */
async function findNonceUse(chain: Chain, sought: SoughtExtrinsic): Promise<Inclusion | Replacement | undefined> {
  let [low, high] = [sought.first, sought.last]
  while (low < high) {
    const middle = (low + high) / 2n
    if ((await readNonce(chain, sought, middle)) > sought.nonce) high = middle
    else low = middle + 1n
  }
  const { block, extrinsics } = await readBlock(chain, low)
  const index = indexOf(extrinsics, sought.hash)
  if (index >= 0) return { block, index }
  const before = await readNonce(chain, sought, low - 1n)
  // The transactions of an account are in the order of their nonces.
  const extrinsic = extrinsics.filter((each) => isSignedBy(fromHex(each), sought.signer))[sought.nonce - before]
  return extrinsic === undefined ? undefined : { by: hashExtrinsic(fromHex(extrinsic)), extrinsic }
}

async function searchBlocks(chain: Chain, { hash, first, last }: SoughtExtrinsic): Promise<Inclusion | undefined> {
  for (let at = first; at <= last; at += concurrentBlocks) {
    const numbers = Array.from({ length: Number(concurrentBlocks) }, (_, offset) => at + BigInt(offset))
    const blocks = await Promise.all(numbers.filter((each) => each <= last).map((each) => readBlock(chain, each)))
    for (const { block, extrinsics } of blocks) {
      const index = indexOf(extrinsics, hash)
      if (index >= 0) return { block, index }
    }
  }
  return undefined
}

async function readBlock(
  chain: Chain,
  number: bigint,
): Promise<{ readonly block: Block; readonly extrinsics: readonly string[] }> {
  const hash = await getBlockHash(chain, number)
  return { block: { number, hash }, extrinsics: await getExtrinsics(chain, hash) }
}

function indexOf(extrinsics: readonly string[], hash: string): number {
  return extrinsics.findIndex((each) => hashExtrinsic(fromHex(each)) === hash)
}
