import type { Connection } from '@latchkey/core'
import type { Fee, SubmittedTransaction, Transfer } from '@latchkey/core/money'
import {
  createErrors,
  inputError,
  isLatchkeyError,
  parseAccountId,
  walletError,
  requestError,
} from '@latchkey/protocol'
import { verifyPolkadotBytes } from '@latchkey/verify/polkadot'
import { parseSs58Address } from '../address/ss58Address.ts'
import { getFinalizedBlock, getGenesisHash } from '../chain/blocks.ts'
import { requestPolkadotRpc, type Chain } from '../chain/requestPolkadotRpc.ts'
import { loadRuntime, type Runtimes } from '../runtime/loadRuntime.ts'
import { fromHex } from '../wallet/fromHex.ts'
import { requestPayloadSignature } from '../wallet/requestPayloadSignature.ts'
import { toHex } from '../wallet/toHex.ts'
import { choosePeriod } from './era.ts'
import {
  encodeExtrinsic,
  encodeSignedBytes,
  hashExtrinsic,
  toSignerPayload,
  type UnsignedExtrinsic,
} from './extrinsic.ts'
import { queryExtrinsicFee } from './queryExtrinsicFee.ts'
import { submitExtrinsic } from './submitExtrinsic.ts'
import { encodeTransferCall } from './transferCall.ts'

const paymentError = createErrors<'wallet/payments-unsupported' | 'transaction/changed'>({
  'wallet/payments-unsupported': ({ wallet, network }) =>
    `${wallet} can't sign payments on ${network}. Use another wallet.`,
  'transaction/changed': ({ wallet }) =>
    `${wallet} signed something else than the requested payment. Nothing was sent.`,
})

const method = 'polkadot_signTransaction'

/** The codes for a method that the wallet or the session does not have: EIP-1193, JSON-RPC, WalletConnect. */
const missingMethodCodes: readonly (number | undefined)[] = [4200, -32_601, 3001, 5101, 10_001]

/** The length of a signature with the byte of its scheme: Ed25519, sr25519, ECDSA. */
const signatureLengths: readonly number[] = [65, 65, 66]

/**
 * Asks the wallet to sign a transfer, and sends it. What the wallet returns is sent only if it is a signature of exactly
 * this transfer.
 *
 * @param fee the fee that the user saw. A transfer that has become more expensive is refused.
 * @throws LatchkeyError `address/invalid`, `amount/invalid`, `rpc/unreachable`, `send/unsupported`, `transaction/changed`,
 * `rpc/failed` if the network refused it, `wallet/payments-unsupported` if the wallet can't sign transactions; the errors of
 * `requestPayloadSignature`
 */
export async function sendPolkadotTransfer(
  { chain, runtimes, connection }: { chain: Chain; runtimes: Runtimes; connection: Connection },
  transfer: Transfer,
  fee: Fee | undefined,
): Promise<SubmittedTransaction> {
  const { from, to, asset, amount } = transfer
  if (asset.address !== undefined) throw inputError('address/invalid', { namespace: 'polkadot', value: asset.address })
  if (amount <= 0n) throw inputError('amount/invalid', { value: String(amount) })
  const { address } = parseAccountId(from)
  const [signer, receiver] = [parseSs58Address(address), parseSs58Address(to)]
  const unsigned = await prepareExtrinsic({ chain, runtimes }, { address, receiver, amount })
  if (fee !== undefined && (await queryExtrinsicFee(chain, unsigned, signer)) > fee.value) {
    const reason = 'insufficient fee: it rose since the review'
    throw requestError('request/failed', { method, code: -32_000, reason })
  }
  const signature = await requestSignature(chain, connection, { unsigned, from, signer })
  const extrinsic = encodeExtrinsic(chain, unsigned, { signer, signature })
  await submitExtrinsic(chain, toHex(extrinsic))
  return {
    hash: hashExtrinsic(extrinsic),
    nonce: unsigned.nonce,
    block: unsigned.birth.number,
    lastBlock: unsigned.birth.number + BigInt(unsigned.period) - 1n,
    content: toHex(unsigned.call.bytes),
  }
}

async function prepareExtrinsic(
  { chain, runtimes }: { chain: Chain; runtimes: Runtimes },
  { address, receiver, amount }: { address: string; receiver: Uint8Array; amount: bigint },
): Promise<UnsignedExtrinsic> {
  const [runtime, genesisHash, birth, nonce] = await Promise.all([
    loadRuntime(chain, runtimes),
    getGenesisHash(chain),
    getFinalizedBlock(chain),
    getNextNonce(chain, address),
  ])
  const call = encodeTransferCall(chain, runtime, { receiver, amount })
  return { call, runtime, genesisHash, birth, period: choosePeriod(runtime.blockHashCount), nonce }
}

/** Returns the nonce of the next transaction, after those that wait in the pool. */
function getNextNonce(chain: Chain, address: string): Promise<number> {
  return requestPolkadotRpc(chain, {
    method: 'system_accountNextIndex',
    params: [address],
    parse(result) {
      if (typeof result !== 'number' || !Number.isInteger(result) || result < 0 || result >= 2 ** 32)
        throw new Error('The nonce is invalid.')
      return result
    },
  })
}

async function requestSignature(
  chain: Chain,
  connection: Connection,
  { unsigned, from, signer }: { unsigned: UnsignedExtrinsic; from: Transfer['from']; signer: Uint8Array },
): Promise<Uint8Array> {
  const signedBytes = encodeSignedBytes(chain, unsigned)
  const payload = toSignerPayload(unsigned, parseAccountId(from).address)
  const wallet = connection.wallet.name
  const response = await requestPayloadSignature(connection, from, payload).catch((error: unknown) => {
    if (!isMissingMethod(error)) throw error
    throw paymentError('wallet/payments-unsupported', { wallet, network: chain.network.name }, { cause: error })
  })
  const signature = fromHex(response.signature)
  if (signatureLengths[signature[0] ?? 3] !== signature.length)
    throw walletError('wallet/invalid-response', { wallet, method })
  if (!verifyPolkadotBytes(signer, signedBytes, signature)) throw paymentError('transaction/changed', { wallet })
  return signature
}

/** True if the wallet did nothing because it can't sign transactions. */
function isMissingMethod(error: unknown): boolean {
  if (isLatchkeyError(error, 'request/not-allowed')) return true
  return isLatchkeyError(error, 'request/failed') && missingMethodCodes.includes(error.context.code)
}
