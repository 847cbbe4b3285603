import { getChainReference } from '@latchkey/adapter-kit'
import { getField, getStringField } from '@latchkey/protocol'
import { requestPolkadotRpc, type Chain } from './requestPolkadotRpc.ts'

/** A block of a chain. */
export type Block = { readonly number: bigint; readonly hash: string }

const hashPattern = /^0x[0-9a-f]{64}$/i

/**
 * Returns the latest block that can no longer be replaced.
 *
 * @throws LatchkeyError `rpc/unreachable`
 */
export async function getFinalizedBlock(chain: Chain): Promise<Block> {
  const hash = await requestPolkadotRpc(chain, { method: 'chain_getFinalizedHead', params: [], parse: parseHash })
  const number = await requestPolkadotRpc(chain, { method: 'chain_getHeader', params: [hash], parse: parseNumber })
  return { number, hash }
}

/**
 * Returns the hash of a block.
 *
 * @throws LatchkeyError `rpc/unreachable`
 */
export function getBlockHash(chain: Chain, number: bigint): Promise<string> {
  return requestPolkadotRpc(chain, { method: 'chain_getBlockHash', params: [Number(number)], parse: parseHash })
}

/**
 * Returns the hash of the first block. Endpoints of another chain are not used.
 *
 * @throws LatchkeyError `rpc/unreachable`
 */
export function getGenesisHash(chain: Chain): Promise<string> {
  const start = `0x${getChainReference(chain.network.caipNetworkId)}`
  return requestPolkadotRpc(chain, {
    method: 'chain_getBlockHash',
    params: [0],
    parse(result) {
      const hash = parseHash(result)
      if (!hash.toLowerCase().startsWith(start)) throw new Error(`The endpoint belongs to another chain: ${hash}.`)
      return hash
    },
  })
}

/**
 * Returns the encoded transactions of a block.
 *
 * @throws LatchkeyError `rpc/unreachable`
 */
export function getExtrinsics(chain: Chain, blockHash: string): Promise<readonly string[]> {
  return requestPolkadotRpc(chain, {
    method: 'chain_getBlock',
    params: [blockHash],
    parse(result) {
      const extrinsics = getField(result, 'block', 'extrinsics')
      if (!Array.isArray(extrinsics)) throw new Error('The block is invalid.')
      return extrinsics.map(String)
    },
  })
}

function parseHash(value: unknown): string {
  if (typeof value !== 'string' || !hashPattern.test(value)) throw new Error('The block hash is invalid.')
  return value
}

function parseNumber(header: unknown): bigint {
  const number = getStringField(header, 'number')
  if (number === undefined || !/^0x[0-9a-f]{1,16}$/i.test(number)) throw new Error('The block number is invalid.')
  return BigInt(number)
}
