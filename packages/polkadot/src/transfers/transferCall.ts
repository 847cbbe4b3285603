import { networkError } from '@latchkey/protocol'
import { compact } from '@polkadot-api/substrate-bindings'
import type { Chain } from '../chain/requestPolkadotRpc.ts'
import type { Runtime } from '../runtime/decodeRuntime.ts'
import { toHex } from '../wallet/toHex.ts'

/** An encoded transfer. */
export type TransferCall = {
  readonly bytes: Uint8Array
  /** The bytes before an account key wherever the chain expects an address. */
  readonly addressPrefix: Uint8Array
}

/** The pallet and the call, one byte each. The number of the pallet differs between chains. */
const locationLength = 2

/** The number of `transfer_keep_alive` in the Balances pallet of every chain. It never changes, because old calls use it. */
const transferKeepAlive = 3

/** The forms of an address: the variant `Id` of `MultiAddress`, or the key alone. */
const addressPrefixes = [Uint8Array.of(0), Uint8Array.of()] as const

/**
 * Encodes a transfer that keeps the sender's account open (`Balances.transfer_keep_alive`).
 *
 * The metadata comes from an endpoint that may be hostile, so the result is accepted only if it has the number of this call,
 * and names exactly this receiver and this amount.
 *
 * @throws LatchkeyError `rpc/unreachable` if the metadata describes another encoding
 */
export function encodeTransferCall(
  { network }: Chain,
  runtime: Runtime,
  { receiver, amount }: { receiver: Uint8Array; amount: bigint },
): TransferCall {
  const bytes = runtime.encodeTransfer(receiver, amount)
  const content = toHex(bytes.subarray(locationLength))
  const addressPrefix = addressPrefixes.find(
    (prefix) => content === toHex(Uint8Array.of(...prefix, ...receiver, ...compact.enc(amount))),
  )
  if (bytes[1] !== transferKeepAlive || addressPrefix === undefined)
    throw networkError('rpc/unreachable', { network: network.name })
  return { bytes, addressPrefix }
}
