import type { Latchkey } from '@latchkey/core'
import { connectionForRequest } from '@latchkey/core/internal'
import { networkError, type ChainId } from '@latchkey/protocol'
import { parseSendOptions } from '../../actions/sendOptions.ts'
import { toStandardChain } from '../../chain/solanaNetworks.ts'
import { requireSharedAccount, type SharedWallet } from '../requireSharedAccount.ts'
import { requestVerifiedMessage, requestVerifiedTransactions } from '../requestVerified.ts'
import { sendThroughWallet } from '../sendThroughWallet.ts'
import type { StandardMessageInput, StandardSendInput, StandardTransactionInput } from './standardWalletTypes.ts'

/** Signs messages, one after the other, and verifies the signatures. */
export function signStandardMessages(
  latchkey: Latchkey,
  inputs: readonly StandardMessageInput[],
): Promise<readonly { signedMessage: Uint8Array; signature: Uint8Array; signatureType: 'ed25519' }[]> {
  return inSequence(inputs, async ({ account: { address }, message }) => {
    const { connection, account } = requireSharedAccount(latchkey, address)
    const signature = await requestVerifiedMessage(connection, account, message)
    return { signedMessage: message, signature, signatureType: 'ed25519' }
  })
}

/** Signs transactions, those of one account and chain with a single approval. */
export async function signStandardTransactions(
  latchkey: Latchkey,
  inputs: readonly StandardTransactionInput[],
): Promise<readonly { signedTransaction: Uint8Array }[]> {
  const [first] = inputs
  if (first === undefined) return []
  const isSameTarget = ({ account, chain }: StandardTransactionInput): boolean =>
    account.address === first.account.address && chain === first.chain
  if (!inputs.every(isSameTarget)) {
    return (await inSequence(inputs, (input) => signStandardTransactions(latchkey, [input]))).flat()
  }
  const { connection, account } = await selectWallet(latchkey, first)
  const transactions = inputs.map(({ transaction }) => transaction)
  const signed = await requestVerifiedTransactions(connection, account, transactions)
  return signed.map((signedTransaction) => ({ signedTransaction }))
}

/** Signs and sends transactions, one after the other. */
export function sendStandardTransactions(
  latchkey: Latchkey,
  inputs: readonly StandardSendInput[],
): Promise<readonly { signature: Uint8Array }[]> {
  return inSequence(inputs, async (input) => {
    const options = parseSendOptions(input.options ?? {})
    const wallet = await selectWallet(latchkey, input)
    return { signature: await sendThroughWallet(latchkey, wallet, input.transaction, options) }
  })
}

/** Returns the wallet of a request, switched to its chain. */
async function selectWallet(
  latchkey: Latchkey,
  { account: { address }, chain }: StandardTransactionInput,
): Promise<SharedWallet> {
  const wallet = requireSharedAccount(latchkey, address)
  if (chain === undefined || isOnChain(wallet, chain)) return wallet
  await connectionForRequest(latchkey, { chainId: findChainId(latchkey, chain) })
  return requireSharedAccount(latchkey, address)
}

function isOnChain({ connection }: SharedWallet, chain: string): boolean {
  return chain === connection.chainId || chain === toStandardChain(connection.chainId)
}

/** @throws LatchkeyError `network/not-found` if the app did not configure the chain */
function findChainId({ networks }: Pick<Latchkey, 'networks'>, chain: string): ChainId {
  const network = networks.find(
    ({ chainNamespace, caipNetworkId }) =>
      chainNamespace === 'solana' && (caipNetworkId === chain || toStandardChain(caipNetworkId) === chain),
  )
  if (network === undefined) throw networkError('network/not-found', { chainId: chain })
  return network.caipNetworkId
}

async function inSequence<input, output>(
  inputs: readonly input[],
  run: (input: input) => Promise<output>,
): Promise<readonly output[]> {
  const outputs: output[] = []
  for (const input of inputs) outputs.push(await run(input))
  return outputs
}
