import type { ReceiverNote, Transfer } from '@latchkey/core/money'
import { parseAccountId, type Network } from '@latchkey/protocol'
import type { Address, Hex } from 'viem'
import { isAddress } from '../address.ts'
import { checkedAddress } from '../checkedAddress.ts'
import { readerOf, type Readers } from '../readers.ts'
import { readQuantity } from './plan.ts'

/** Addresses that people send to by mistake or to destroy; below them all the chain's own contracts. */
const burnt: readonly string[] = [
  '0x000000000000000000000000000000000000dead',
  '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
  '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
]
const lastOfChain = 0xffffn

/** Code that only says whose code a key runs (EIP-7702): its owner is a person all the same. */
const delegation = '0xef0100'

/** What is worth knowing of a receiver. A chain that does not answer tells nothing: what is known without it is told. */
export async function inspectReceiver(
  readers: Readers,
  network: Network,
  { from, to, asset }: Omit<Transfer, 'amount'>,
): Promise<readonly ReceiverNote[]> {
  const receiver = readAddress(to)
  if (receiver === undefined) return ['invalid']
  const same = (other: string | undefined): boolean => other?.toLowerCase() === receiver.toLowerCase()
  if (same(asset.address)) return ['asset']
  if (burnt.includes(receiver.toLowerCase()) || BigInt(receiver) <= lastOfChain) return ['burn']
  const own: readonly ReceiverNote[] = same(parseAccountId(from).address) ? ['oneself'] : []
  const told = await lookAt(readers, network, receiver).catch(() => undefined)
  return told === undefined
    ? own
    : [...(told === 'contract' ? [told] : []), ...own, ...(told === 'unused' ? [told] : [])]
}

async function lookAt(
  readers: Readers,
  network: Network,
  address: Address,
): Promise<'contract' | 'unused' | undefined> {
  const reader = readerOf(readers, network)
  const [code, count, balance] = await Promise.all([
    reader.request({ method: 'eth_getCode', params: [address, 'latest'] }),
    reader.request({ method: 'eth_getTransactionCount', params: [address, 'latest'] }),
    reader.request({ method: 'eth_getBalance', params: [address, 'latest'] }),
  ])
  if (isContract(code)) return 'contract'
  return readQuantity(count) === 0n && readQuantity(balance) === 0n ? 'unused' : undefined
}

function isContract(code: Hex | undefined): boolean {
  return code !== undefined && code !== '0x' && !code.startsWith(delegation)
}

function readAddress(value: string): Address | undefined {
  try {
    return isAddress(value) ? checkedAddress(value) : undefined
  } catch {
    return undefined
  }
}
