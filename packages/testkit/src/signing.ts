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
import { askChain, isRecord } from './chainRpc.ts'
import { hexChainId } from './chainList.ts'
import { RpcError } from './rpcError.ts'

/** Gas for a transaction that is sent although the node foresees that it reverts. */
const insistingGas = 1_000_000n

export type SigningChain = { id: number; rpcUrl: string | undefined }

/** The methods that a key is needed for, done with a real key. */
export async function signWith(
  accounts: readonly LocalAccount[],
  chain: SigningChain,
  method: string,
  params: readonly unknown[],
): Promise<Hex> {
  const [first, second] = params
  switch (method) {
    case 'personal_sign': {
      if (typeof first !== 'string') throw invalid('personal_sign wants a message.')
      return accountOf(accounts, second).signMessage({ message: isHex(first) ? { raw: first } : first })
    }
    case 'eth_signTypedData_v4': {
      const typedData: unknown = typeof second === 'string' ? JSON.parse(second) : second
      // The signer itself refuses what is no typed data.
      return accountOf(accounts, first).signTypedData(typedData as never)
    }
    case 'eth_sendTransaction': {
      if (!isRecord(first)) throw invalid('eth_sendTransaction wants a transaction.')
      return send(accountOf(accounts, first['from']), chain, first)
    }
    default:
      throw new RpcError(4200, `The wallet has no method ${method}.`)
  }
}

/** @throws RpcError 4100 when the page may not use the account. */
export function accountOf(accounts: readonly LocalAccount[], address: unknown): LocalAccount {
  const wanted = String(address).toLowerCase()
  const account = accounts.find((candidate) => candidate.address.toLowerCase() === wanted)
  if (account !== undefined) return account
  throw new RpcError(4100, 'The requested account has not been authorized by the user.')
}

async function send(account: LocalAccount, { id, rpcUrl }: SigningChain, asked: Record<string, unknown>): Promise<Hex> {
  if (rpcUrl === undefined) throw new RpcError(4901, 'The wallet is not connected to this chain.')
  if (asked['chainId'] !== undefined && asked['chainId'] !== hexChainId(id)) {
    throw invalid(`The transaction is for another chain than the active one (${hexChainId(id)}).`)
  }
  const { to, data } = asked
  const transaction = {
    to: isHex(to) ? to : undefined,
    value: amount(asked['value']),
    data: isHex(data) ? data : undefined,
  }
  try {
    const gas = amount(asked['gas']) ?? (await estimate(rpcUrl, account, transaction))
    return await walletOf(account, id, rpcUrl).sendTransaction({ ...transaction, ...fixedBy(asked), gas })
  } catch (error) {
    throw new RpcError(-32000, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
}

/** Prices and number that a page asks for, taken as they are. */
function fixedBy(asked: Record<string, unknown>): {
  nonce?: number
  maxFeePerGas?: bigint
  maxPriorityFeePerGas?: bigint
} {
  const nonce = amount(asked['nonce'])
  const maxFeePerGas = amount(asked['maxFeePerGas'])
  const priced = { maxFeePerGas, maxPriorityFeePerGas: amount(asked['maxPriorityFeePerGas']) }
  return { ...(nonce === undefined ? {} : { nonce: Number(nonce) }), ...(maxFeePerGas === undefined ? {} : priced) }
}

/** A key with its way to a chain. */
export function walletOf(
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

/** A chain's endpoint, asked once for each question. */
export function transportTo(rpcUrl: string): Transport {
  return custom({ request: ({ method, params }) => askChain(rpcUrl, method, params) }, { retryCount: 0 })
}

/** Like an owner who confirms in spite of the warning, the wallet sends what is going to revert. */
async function estimate(
  rpcUrl: string,
  { address: from }: LocalAccount,
  { to, value = 0n, data }: { to?: Hex; value?: bigint; data?: Hex },
): Promise<bigint> {
  const question = [{ from, to, value: numberToHex(value), data }]
  return askChain(rpcUrl, 'eth_estimateGas', question).then(
    (gas) => amount(gas) ?? insistingGas,
    () => insistingGas,
  )
}

/** A number of the wire; undefined when it is none. */
export function amount(value: unknown): bigint | undefined {
  return isHex(value) ? BigInt(value) : undefined
}

export function invalid(message: string): RpcError {
  return new RpcError(-32602, message)
}
