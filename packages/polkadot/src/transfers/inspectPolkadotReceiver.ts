import type { ReceiverNote, Transfer } from '@latchkey/core/money'
import { isLatchkeyError, parseAccountId } from '@latchkey/protocol'
import { formatSs58Address, parseSs58Address } from '../address/ss58Address.ts'
import { getSs58Format } from '../address/ss58Format.ts'
import { readAccountRecord } from '../chain/accountRecord.ts'
import { genericFormat } from '../chain/polkadotNetworks.ts'
import type { Chain } from '../chain/requestPolkadotRpc.ts'
import { toHex } from '../wallet/toHex.ts'

/**
 * Returns warnings about a receiver: an invalid address, the sender itself, the address format of another network, or an
 * account that does not exist on this network.
 *
 * @throws LatchkeyError `rpc/unreachable`
 */
export async function inspectPolkadotReceiver(
  chain: Chain,
  { from, to }: Omit<Transfer, 'amount'>,
): Promise<readonly ReceiverNote[]> {
  const key = parseReceiver(to)
  if (key === undefined) return ['invalid']
  const format: readonly ReceiverNote[] = isOfNetwork(chain, to, key) ? [] : ['other-format']
  if (toHex(key) === toHex(parseSs58Address(parseAccountId(from).address))) return [...format, 'oneself']
  const record = await readAccountRecord(chain, key)
  return record === undefined ? [...format, 'unused'] : format
}

function parseReceiver(to: string): Uint8Array | undefined {
  try {
    return parseSs58Address(to)
  } catch (error) {
    if (!isLatchkeyError(error, 'address/invalid')) throw error
    return undefined
  }
}

/** Addresses in the generic format belong to no other network. */
function isOfNetwork({ network }: Chain, address: string, key: Uint8Array): boolean {
  const own = getSs58Format([network], network.caipNetworkId)
  return [own, genericFormat].some((format) => formatSs58Address(key, format) === address)
}
