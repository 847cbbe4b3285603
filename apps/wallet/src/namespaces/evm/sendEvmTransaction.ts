import type { Network } from '@latchkey/protocol'
import type { Hex, PrivateKeyAccount } from 'viem'
import { estimateFeesPerGas, estimateGas, getBalance, getTransactionCount, sendRawTransaction } from 'viem/actions'
import { RpcError } from '../../rpcError.ts'
import type { Fee } from '../transactionSummary.ts'
import { withRpcError, type EvmClient } from './evmClient.ts'
import type { TransactionRequest } from './transactionRequest.ts'

/**
 * Estimates the maximum fee of a transaction. The estimate fails if the transaction would fail.
 *
 * @throws RpcError with the network's reason if the transaction would fail, -32603 if the network doesn't respond
 */
export async function estimateFee(client: EvmClient, network: Network, request: TransactionRequest): Promise<Fee> {
  // Estimates even if the app sets a gas limit, because the estimate tells whether the call would fail.
  const balance = getBalance(client, { address: request.from })
  const estimates = Promise.all([estimateGasLimit(client, request), getGasPrice(client, request), balance])
  const [estimated, price, owned] = await withRpcError(network, estimates)
  const maximum = (request.gas ?? estimated) * price
  // Some nodes ignore the balance when they estimate.
  if (owned < request.value + maximum)
    throw new RpcError(-32000, 'The balance is too low for the amount and the network fee.')
  return { maximum }
}

/**
 * Signs a transaction and broadcasts it.
 *
 * @returns the transaction hash, once the network accepts the transaction
 * @throws RpcError with the network's reason, or -32603 if the network doesn't respond
 */
export async function sendEvmTransaction(
  client: EvmClient,
  network: Network,
  signer: PrivateKeyAccount,
  request: TransactionRequest,
): Promise<Hex> {
  const serializedTransaction = await withRpcError(network, signEvmTransaction(client, signer, request))
  return withRpcError(network, sendRawTransaction(client, { serializedTransaction }))
}

async function signEvmTransaction(
  client: EvmClient,
  signer: PrivateKeyAccount,
  request: TransactionRequest,
): Promise<Hex> {
  const { to, value, data, nonce } = request
  const gas = request.gas ?? (await estimateGasLimit(client, request))
  const common = { chainId: client.chain.id, to, value, data, gas, nonce: nonce ?? (await getNonce(client, request)) }
  const { gasPrice } = request
  if (gasPrice !== undefined) return signer.signTransaction({ ...common, type: 'legacy', gasPrice })
  const fees = await getFees(client, request)
  return signer.signTransaction({ ...common, type: 'eip1559', ...fees })
}

function getNonce(client: EvmClient, { from }: TransactionRequest): Promise<number> {
  return getTransactionCount(client, { address: from, blockTag: 'pending' })
}

function estimateGasLimit(client: EvmClient, { from, to, value, data }: TransactionRequest): Promise<bigint> {
  return estimateGas(client, { account: from, to, value, data })
}

async function getGasPrice(client: EvmClient, request: TransactionRequest): Promise<bigint> {
  return request.gasPrice ?? (await getFees(client, request)).maxFeePerGas
}

async function getFees(
  client: EvmClient,
  { maxFeePerGas, maxPriorityFeePerGas }: TransactionRequest,
): Promise<{ maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }> {
  const estimated = await estimateFeesPerGas(client)
  const highest = maxFeePerGas ?? estimated.maxFeePerGas
  const tip = maxPriorityFeePerGas ?? estimated.maxPriorityFeePerGas
  return { maxFeePerGas: highest, maxPriorityFeePerGas: tip < highest ? tip : highest }
}
