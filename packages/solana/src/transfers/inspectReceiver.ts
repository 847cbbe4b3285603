import type { ReceiverNote, Transfer } from '@latchkey/core/money'
import { parseAccountId, type Network } from '@latchkey/protocol'
import { isOffCurveAddress } from '@solana/kit'
import { isAddress } from '../address.ts'
import { checkedAddress } from '../checkedAddress.ts'
import type { Readers } from '../readers.ts'
import { readAccounts } from './mint.ts'
import { readReceiver } from './plan.ts'
import { burnAddresses, systemProgram } from './programs.ts'

/**
 * Looks at who is to be paid: addresses that no key can sign for (programs' own, off the curve), accounts that are a
 * program's, the mint itself, oneself, and those that were never used.
 */
export async function inspectReceiver(
  readers: Readers,
  network: Network,
  { from, to, asset }: Omit<Transfer, 'amount'>,
): Promise<readonly ReceiverNote[]> {
  if (!isAddress(to)) return ['invalid']
  const receiver = checkedAddress(to)
  const [[account], place] = await Promise.all([
    readAccounts(readers, network, [receiver]),
    asset.address === undefined ? undefined : readReceiver(readers, network, checkedAddress(asset.address), receiver),
  ])
  const isProgramsOwn = account === undefined ? isOffCurveAddress(receiver) : account.owner !== systemProgram
  const facts: readonly (readonly [ReceiverNote, boolean])[] = [
    ['asset', to === asset.address],
    ['burn', burnAddresses.includes(to)],
    ['contract', isProgramsOwn || account?.executable === true],
    ['oneself', to === parseAccountId(from).address],
    ['unused', account === undefined],
    ['opens-account', place?.isOpen === false],
  ]
  return facts.filter(([, holds]) => holds).map(([note]) => note)
}
