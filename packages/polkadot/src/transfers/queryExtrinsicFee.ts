import { concatBytes } from '@noble/hashes/utils.js'
import { u32 } from '@polkadot-api/substrate-bindings'
import { requestPolkadotRpc, type Chain } from '../chain/requestPolkadotRpc.ts'
import { fromHex } from '../wallet/fromHex.ts'
import { toHex } from '../wallet/toHex.ts'
import { encodeExtrinsic, type UnsignedExtrinsic } from './extrinsic.ts'

/** The longest signature: ECDSA, with the byte of its scheme. Only its length counts. */
const anySignature = new Uint8Array(66).fill(2)

/** The length of the fee at the end of the response (`RuntimeDispatchInfo`), in bytes. */
const feeLength = 16

/**
 * Asks the runtime for the fee of a transaction at the latest block.
 *
 * @returns base units of the native currency
 * @throws LatchkeyError `rpc/unreachable`, `send/unsupported`
 */
export async function queryExtrinsicFee(
  chain: Chain,
  unsigned: UnsignedExtrinsic,
  signer: Uint8Array,
): Promise<bigint> {
  const extrinsic = encodeExtrinsic(chain, unsigned, { signer, signature: anySignature })
  const input = toHex(concatBytes(extrinsic, u32.enc(extrinsic.length)))
  return requestPolkadotRpc(chain, {
    method: 'state_call',
    params: ['TransactionPaymentApi_query_info', input],
    parse(result) {
      const bytes = fromHex(result)
      if (bytes.length <= feeLength) throw new Error('The fee is invalid.')
      return BigInt(toHex(bytes.slice(-feeLength).toReversed()))
    },
  })
}
