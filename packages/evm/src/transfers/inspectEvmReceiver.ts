import type { ReceiverNote, Transfer } from '@latchkey/core/money'
import { parseAccountId, type Network } from '@latchkey/protocol'
import type { Address, Hex } from 'viem'
import { isEvmAddress } from '../address/isEvmAddress.ts'
import { parseEvmAddress } from '../address/parseEvmAddress.ts'
import { getEvmClient, type EvmClients } from '../chain/evmClients.ts'
import { parseQuantity } from './transactionPlan.ts'

/** Addresses to which money is sent by mistake, or to destroy it. */
const burnAddresses: readonly string[] = [
  '0x000000000000000000000000000000000000dead',
  '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
  '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
]
/** The last address that a chain reserves for its own contracts. */
const lastReservedAddress = 0xffffn

/** The code of a key that delegates to a contract (EIP-7702). It still belongs to a person. */
const delegationPrefix = '0xef0100'

/** Inspects the receiver of a transfer. If the chain can't be read, only the notes that need no request are returned. */
export async function inspectEvmReceiver(
  clients: EvmClients,
  network: Network,
  { from, to, asset }: Omit<Transfer, 'amount'>,
): Promise<readonly ReceiverNote[]> {
  const receiver = tryParseAddress(to)
  if (receiver === undefined) return ['invalid']
  const isReceiver = (other: string | undefined): boolean => other?.toLowerCase() === receiver.toLowerCase()
  if (isReceiver(asset.address)) return ['asset']
  if (burnAddresses.includes(receiver.toLowerCase()) || BigInt(receiver) <= lastReservedAddress) return ['burn']
  const own: readonly ReceiverNote[] = isReceiver(parseAccountId(from).address) ? ['oneself'] : []
  const kind = await classifyAddress(clients, network, receiver).catch(() => undefined)
  return kind === undefined
    ? own
    : [...(kind === 'contract' ? [kind] : []), ...own, ...(kind === 'unused' ? [kind] : [])]
}

async function classifyAddress(
  clients: EvmClients,
  network: Network,
  address: Address,
): Promise<'contract' | 'unused' | undefined> {
  const client = getEvmClient(clients, network)
  const [code, count, balance] = await Promise.all([
    client.request({ method: 'eth_getCode', params: [address, 'latest'] }),
    client.request({ method: 'eth_getTransactionCount', params: [address, 'latest'] }),
    client.request({ method: 'eth_getBalance', params: [address, 'latest'] }),
  ])
  if (isContract(code)) return 'contract'
  return parseQuantity(count) === 0n && parseQuantity(balance) === 0n ? 'unused' : undefined
}

function isContract(code: Hex | undefined): boolean {
  return code !== undefined && code !== '0x' && !code.startsWith(delegationPrefix)
}

function tryParseAddress(value: string): Address | undefined {
  try {
    return isEvmAddress(value) ? parseEvmAddress(value) : undefined
  } catch {
    return undefined
  }
}
