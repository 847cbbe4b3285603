import type { ReceiverNote, Transfer } from '@latchkey/core/money'
import { parseAccountId, type Network } from '@latchkey/protocol'
import { isOffCurveAddress } from '@solana/kit'
import { isSolanaAddress } from '../address/isSolanaAddress.ts'
import { parseSolanaAddress } from '../address/parseSolanaAddress.ts'
import type { SolanaClients } from '../chain/solanaClients.ts'
import { findTransferBlock } from './extensions.ts'
import { getAccounts, isTokenAccount } from './mint.ts'
import { getReceiverAccount } from './transferPlan.ts'
import { burnAddresses, systemProgram } from './programs.ts'

/**
 * Inspects the receiver of a transfer. Token accounts and tokens that can't be sent are refused. It reports addresses without a private key (off the curve), accounts that belong to
 * a program, the mint itself, the sender, and accounts that were never used.
 */
export async function inspectSolanaReceiver(
  clients: SolanaClients,
  network: Network,
  { from, to, asset }: Omit<Transfer, 'amount'>,
): Promise<readonly ReceiverNote[]> {
  if (!isSolanaAddress(to)) return ['invalid']
  const receiver = parseSolanaAddress(to)
  const [account] = await getAccounts(clients, network, [receiver])
  if (isTokenAccount(account)) return ['token-account']
  const token =
    asset.address === undefined
      ? undefined
      : await getReceiverAccount(clients, network, parseSolanaAddress(asset.address), receiver)
  const block = token === undefined ? undefined : findTransferBlock(token.mint.extensions)
  if (block !== undefined) return [block]
  const isOwnedByProgram = account === undefined ? isOffCurveAddress(receiver) : account.owner !== systemProgram
  const facts: readonly (readonly [ReceiverNote, boolean])[] = [
    ['asset', to === asset.address],
    ['burn', burnAddresses.includes(to)],
    ['contract', isOwnedByProgram || account?.executable === true],
    ['oneself', to === parseAccountId(from).address],
    ['unused', account === undefined],
    ['opens-account', token?.isOpen === false],
  ]
  return facts.filter(([, isTrue]) => isTrue).map(([note]) => note)
}
