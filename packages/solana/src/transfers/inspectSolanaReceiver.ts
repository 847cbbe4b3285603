import type { ReceiverNote, Transfer } from '@latchkey/core/money'
import { parseAccountId, type Network } from '@latchkey/protocol'
import { isOffCurveAddress } from '@solana/kit'
import { isSolanaAddress } from '../address/isSolanaAddress.ts'
import { parseSolanaAddress } from '../address/parseSolanaAddress.ts'
import type { SolanaClients } from '../chain/solanaClients.ts'
import { getAccounts } from './mint.ts'
import { getReceiverAccount } from './transferPlan.ts'
import { burnAddresses, systemProgram } from './programs.ts'

/**
 * Inspects the receiver of a transfer. It reports addresses without a private key (off the curve), accounts that belong to
 * a program, the mint itself, the sender, and accounts that were never used.
 */
export async function inspectSolanaReceiver(
  clients: SolanaClients,
  network: Network,
  { from, to, asset }: Omit<Transfer, 'amount'>,
): Promise<readonly ReceiverNote[]> {
  if (!isSolanaAddress(to)) return ['invalid']
  const receiver = parseSolanaAddress(to)
  const [[account], tokenAccount] = await Promise.all([
    getAccounts(clients, network, [receiver]),
    asset.address === undefined
      ? undefined
      : getReceiverAccount(clients, network, parseSolanaAddress(asset.address), receiver),
  ])
  const isOwnedByProgram = account === undefined ? isOffCurveAddress(receiver) : account.owner !== systemProgram
  const facts: readonly (readonly [ReceiverNote, boolean])[] = [
    ['asset', to === asset.address],
    ['burn', burnAddresses.includes(to)],
    ['contract', isOwnedByProgram || account?.executable === true],
    ['oneself', to === parseAccountId(from).address],
    ['unused', account === undefined],
    ['opens-account', tokenAccount?.isOpen === false],
  ]
  return facts.filter(([, isTrue]) => isTrue).map(([note]) => note)
}
