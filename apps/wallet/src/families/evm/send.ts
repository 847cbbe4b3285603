import type { Network } from '@latchkey/protocol'
import type { Hex, PrivateKeyAccount } from 'viem'
import { estimateFeesPerGas, estimateGas, getBalance, getTransactionCount, sendRawTransaction } from 'viem/actions'
import { RpcError } from '../../rpcError.ts'
import type { Fee } from '../question.ts'
import { askNetwork, type EvmClient } from './client.ts'
import type { TransactionRequest } from './transaction.ts'

/**
 * Asks the network what a transaction would cost at most, and thereby whether it would go through.
 *
 * @throws RpcError with the network's reason when it would fail, -32603 when the network does not answer.
 */
export async function estimateFee(client: EvmClient, network: Network, request: TransactionRequest): Promise<Fee> {
  // Asked also where the app sets a limit of its own: the network says whether the call would fail.
  const balance = getBalance(client, { address: request.from })
  const questions = Promise.all([gasOf(client, request), priceOf(client, request), balance])
  const [estimated, price, owned] = await askNetwork(network, questions)
  const atMost = (request.gas ?? estimated) * price
  // Not every node looks at the balance when it estimates.
  if (owned < request.value + atMost) throw new RpcError(-32000, 'The account has less than it sends and pays.')
  return { atMost }
}

/**
 * Signs a transaction and hands it to its network.
 *
 * @returns its hash, as soon as the network took it.
 * @throws RpcError with the network's reason, -32603 when the network does not answer.
 */
export async function send(
  client: EvmClient,
  network: Network,
  signer: PrivateKeyAccount,
  request: TransactionRequest,
): Promise<Hex> {
  const serializedTransaction = await askNetwork(network, sign(client, signer, request))
  return askNetwork(network, sendRawTransaction(client, { serializedTransaction }))
}

async function sign(client: EvmClient, signer: PrivateKeyAccount, request: TransactionRequest): Promise<Hex> {
  const { to, value, data, nonce } = request
  const gas = request.gas ?? (await gasOf(client, request))
  const common = { chainId: client.chain.id, to, value, data, gas, nonce: nonce ?? (await nonceOf(client, request)) }
  const { gasPrice } = request
  if (gasPrice !== undefined) return signer.signTransaction({ ...common, type: 'legacy', gasPrice })
  const fees = await feesOf(client, request)
  return signer.signTransaction({ ...common, type: 'eip1559', ...fees })
}

function nonceOf(client: EvmClient, { from }: TransactionRequest): Promise<number> {
  return getTransactionCount(client, { address: from, blockTag: 'pending' })
}

function gasOf(client: EvmClient, { from, to, value, data }: TransactionRequest): Promise<bigint> {
  return estimateGas(client, { account: from, to, value, data })
}

async function priceOf(client: EvmClient, request: TransactionRequest): Promise<bigint> {
  return request.gasPrice ?? (await feesOf(client, request)).maxFeePerGas
}

async function feesOf(
  client: EvmClient,
  { maxFeePerGas, maxPriorityFeePerGas }: TransactionRequest,
): Promise<{ maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }> {
  const estimated = await estimateFeesPerGas(client)
  const highest = maxFeePerGas ?? estimated.maxFeePerGas
  const tip = maxPriorityFeePerGas ?? estimated.maxPriorityFeePerGas
  return { maxFeePerGas: highest, maxPriorityFeePerGas: tip < highest ? tip : highest }
}
