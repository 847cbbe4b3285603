import type { Connection, TransactionRequest } from '@latchkey/core'
import { parseAccountId, type AccountId, inputError, requestError } from '@latchkey/protocol'
import { address as toAddress } from '@solana/kit'
import { parseSolanaAddress } from '../address/parseSolanaAddress.ts'
import { getSolanaClient, wrapUnreachable, requireNetwork, type SolanaClients } from '../chain/solanaClients.ts'
import { encodeTransaction } from '../transfers/encodeTransaction.ts'
import { largestAmount, transferLamports } from '../transfers/transferTokens.ts'
import { requestSignAndSend } from './requestSignAndSend.ts'

/**
 * Asks the wallet to pay in SOL.
 *
 * @returns the signature of the transaction in base58, which is also its id
 * @throws LatchkeyError `amount/invalid`, `address/invalid`, `request/not-allowed` if the request has data
 */
export async function sendSolanaTransaction(
  clients: SolanaClients,
  connection: Connection,
  account: AccountId,
  { to, value = 0n, data }: TransactionRequest,
): Promise<string> {
  const payer = toAddress(parseAccountId(account).address)
  const network = requireNetwork(clients, connection.chainId)
  if (value < 0n || value > largestAmount) throw inputError('amount/invalid', { value: String(value) })
  const instructions = [transferLamports(payer, parseSolanaAddress(to), value)]
  // A payment on Solana can't carry data. Programs are called with complete transactions.
  if (data !== undefined) throw requestError('request/not-allowed', { method: 'data' })
  const request = getSolanaClient(clients, network).getLatestBlockhash({ commitment: 'confirmed' })
  const { value: lifetime } = await wrapUnreachable(network, request.send())
  const { wire } = encodeTransaction({ payer, instructions, units: 0 }, lifetime)
  return requestSignAndSend(clients, connection, account, wire, { preflightCommitment: 'confirmed' })
}
