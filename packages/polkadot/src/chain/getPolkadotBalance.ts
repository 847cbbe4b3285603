import type { Balance, Clock } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'
import { parseSs58Address } from '../address/ss58Address.ts'
import { readAccountRecord } from './accountRecord.ts'

/** Reads the free balance of an account: everything that is not reserved. */
export async function getPolkadotBalance(
  clock: Clock | undefined,
  network: Network,
  address: string,
): Promise<Balance> {
  const { decimals, symbol } = network.nativeCurrency
  const record = await readAccountRecord({ network, clock }, parseSs58Address(address))
  return { value: record?.free ?? 0n, decimals, symbol }
}
