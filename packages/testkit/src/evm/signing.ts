import {
  createWalletClient,
  custom,
  defineChain,
  isHex,
  numberToHex,
  type Chain,
  type Hex,
  type LocalAccount,
  type Transport,
  type WalletClient,
} from 'viem'
import { isRecord } from '@latchkey/protocol'
import { requestChain } from './requestChain.ts'
import { hexChainId } from './chainList.ts'
import { RpcError } from '../rpcError.ts'

/** The gas limit of a transaction that is sent even though its estimate reverts. */
const fallbackGas = 1_000_000n

export type SigningChain = { id: number; rpcUrl: string | undefined }

/** Executes a method that needs a key. */
export async function signEvmRequest(
  accounts: readonly LocalAccount[],
  chain: SigningChain,
  method: string,
  params: readonly unknown[],
): Promise<Hex> {
  const [first, second] = params
  switch (method) {
    case 'personal_sign': {
      if (typeof first !== 'string') throw invalidParams('personal_sign wants a message.')
      return findAuthorizedAccount(accounts, second).signMessage({ message: isHex(first) ? { raw: first } : first })
    }
    case 'eth_signTypedData_v4': {
      const typedData: unknown = typeof second === 'string' ? JSON.parse(second) : second
      // The signer rejects invalid typed data.
      return findAuthorizedAccount(accounts, first).signTypedData(typedData as never)
    }
    case 'eth_sendTransaction': {
      if (!isRecord(first)) throw invalidParams('eth_sendTransaction wants a transaction.')
      return sendEvmTransaction(findAuthorizedAccount(accounts, first['from']), chain, first)
    }
    default:
      throw new RpcError(4200, `The wallet has no method ${method}.`)
  }
}

/** @throws RpcError 4100 if the page may not use the account */
export function findAuthorizedAccount(accounts: readonly LocalAccount[], address: unknown): LocalAccount {
  const wanted = String(address).toLowerCase()
  const account = accounts.find((candidate) => candidate.address.toLowerCase() === wanted)
  if (account !== undefined) return account
  throw new RpcError(4100, 'The requested account has not been authorized by the user.')
}

async function sendEvmTransaction(
  account: LocalAccount,
  { id, rpcUrl }: SigningChain,
  parameters: Record<string, unknown>,
): Promise<Hex> {
  if (rpcUrl === undefined) throw new RpcError(4901, 'The wallet is not connected to this chain.')
  if (parameters['chainId'] !== undefined && parameters['chainId'] !== hexChainId(id)) {
    throw invalidParams(`The transaction is for another chain than the active one (${hexChainId(id)}).`)
  }
  const { to, data } = parameters
  const transaction = {
    to: isHex(to) ? to : undefined,
    value: parseHexQuantity(parameters['value']),
    data: isHex(data) ? data : undefined,
  }
  try {
    const gas = parseHexQuantity(parameters['gas']) ?? (await estimate(rpcUrl, account, transaction))
    const client = createKeyClient(account, id, rpcUrl)
    const options = parseNonceAndFees(parameters)
    const send = (): Promise<Hex> => client.sendTransaction({ ...transaction, ...options, gas })
    return await (options.nonce === undefined ? repeatWithNextNonce(send) : send())
  } catch (error) {
    throw new RpcError(-32000, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
}

const maxAttempts = 20
const nonceConflict = /nonce|underpriced|already known/i

/**
 * Repeats a request whose nonce another wallet with the same key has used in the meantime, as in tests that run in
 * parallel.
 */
async function repeatWithNextNonce(send: () => Promise<Hex>): Promise<Hex> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (attempt === maxAttempts || !(error instanceof Error) || !nonceConflict.test(error.message)) throw error
    }
  }
}

/** Takes nonce and fees from the page's request unchanged. */
function parseNonceAndFees(parameters: Record<string, unknown>): {
  nonce?: number
  maxFeePerGas?: bigint
  maxPriorityFeePerGas?: bigint
} {
  const nonce = parseHexQuantity(parameters['nonce'])
  const maxFeePerGas = parseHexQuantity(parameters['maxFeePerGas'])
  const priced = { maxFeePerGas, maxPriorityFeePerGas: parseHexQuantity(parameters['maxPriorityFeePerGas']) }
  return { ...(nonce === undefined ? {} : { nonce: Number(nonce) }), ...(maxFeePerGas === undefined ? {} : priced) }
}

/** Creates a viem client that signs with one key. */
export function createKeyClient(
  account: LocalAccount,
  id: number,
  rpcUrl: string,
): WalletClient<Transport, Chain, LocalAccount> {
  const chain = defineChain({
    id,
    name: `Chain ${id}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  return createWalletClient({ account, chain, transport: transportTo(rpcUrl) })
}

/** Creates a transport without retries. */
export function transportTo(rpcUrl: string): Transport {
  return custom({ request: ({ method, params }) => requestChain(rpcUrl, method, params) }, { retryCount: 0 })
}

/** Falls back to a fixed gas limit if the estimate reverts, like a user who confirms despite the warning. */
async function estimate(
  rpcUrl: string,
  { address: from }: LocalAccount,
  { to, value = 0n, data }: { to?: Hex; value?: bigint; data?: Hex },
): Promise<bigint> {
  const call = [{ from, to, value: numberToHex(value), data }]
  return requestChain(rpcUrl, 'eth_estimateGas', call).then(
    (gas) => parseHexQuantity(gas) ?? fallbackGas,
    () => fallbackGas,
  )
}

/** Parses a hexadecimal quantity. Returns `undefined` for other values. */
export function parseHexQuantity(value: unknown): bigint | undefined {
  return isHex(value) ? BigInt(value) : undefined
}

/** Creates the error of JSON-RPC for invalid parameters: -32602. */
export function invalidParams(message: string): RpcError {
  return new RpcError(-32602, message)
}
