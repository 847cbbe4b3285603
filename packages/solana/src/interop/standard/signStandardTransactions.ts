import type { Latchkey } from '@latchkey/core'
import { networkError, type ChainId } from '@latchkey/protocol'
import { parseSendOptions } from '../../actions/sendOptions.ts'
import type { SolanaClients } from '../../chain/solanaClients.ts'
import { toStandardChain } from '../../chain/solanaNetworks.ts'
import { requireSharedAccount, type SharedWallet } from '../requireSharedAccount.ts'
import { requestVerifiedMessage, requestVerifiedTransactions } from '../requestVerified.ts'
import { sendThroughWallet } from '../sendThroughWallet.ts'
import type { StandardMessageInput, StandardSendInput, StandardTransactionInput } from './standardAccount.ts'

/** The parts of an instance that its standard wallet signs with. */
export type SigningDependencies = Pick<Latchkey, 'wallet' | 'networks'> & {
  readonly clients: SolanaClients
  /** Switches the primary Solana wallet to a network. */
  switchNetwork(chainId: ChainId): Promise<unknown>
}

/** Signs messages, one after the other, and verifies the signatures. */
export function signStandardMessages(
  dependencies: SigningDependencies,
  inputs: readonly StandardMessageInput[],
): Promise<readonly { signedMessage: Uint8Array; signature: Uint8Array; signatureType: 'ed25519' }[]> {
  return inSequence(inputs, async ({ account: { address }, message }) => {
    const { connection, account } = requireSharedAccount(dependencies, address)
    const signature = await requestVerifiedMessage(connection, account, message)
    return { signedMessage: message, signature, signatureType: 'ed25519' }
  })
}

/** Signs transactions, those of one account and chain with a single approval. */
export async function signStandardTransactions(
  dependencies: SigningDependencies,
  inputs: readonly StandardTransactionInput[],
): Promise<readonly { signedTransaction: Uint8Array }[]> {
  const [first] = inputs
  if (first === undefined) return []
  const isSameTarget = ({ account, chain }: StandardTransactionInput): boolean =>
    account.address === first.account.address && chain === first.chain
  if (!inputs.every(isSameTarget)) {
    return (await inSequence(inputs, (input) => signStandardTransactions(dependencies, [input]))).flat()
  }
  const { connection, account } = await selectWallet(dependencies, first)
  const transactions = inputs.map(({ transaction }) => transaction)
  const signed = await requestVerifiedTransactions(connection, account, transactions)
  return signed.map((signedTransaction) => ({ signedTransaction }))
}

/** Signs and sends transactions, one after the other. */
export function sendStandardTransactions(
  dependencies: SigningDependencies,
  inputs: readonly StandardSendInput[],
): Promise<readonly { signature: Uint8Array }[]> {
  return inSequence(inputs, async (input) => {
    const options = parseSendOptions(input.options ?? {})
    const wallet = await selectWallet(dependencies, input)
    return { signature: await sendThroughWallet(dependencies.clients, wallet, input.transaction, options) }
  })
}

/** Returns the wallet of a request, switched to its chain. */
async function selectWallet(
  dependencies: SigningDependencies,
  { account: { address }, chain }: StandardTransactionInput,
): Promise<SharedWallet> {
  const wallet = requireSharedAccount(dependencies, address)
  if (chain === undefined || isOnChain(wallet, chain)) return wallet
  await dependencies.switchNetwork(findChainId(dependencies, chain))
  return requireSharedAccount(dependencies, address)
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
