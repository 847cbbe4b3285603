import {
  createWalletClient,
  custom,
  defineChain,
  isHex,
  type Hex,
  type LocalAccount,
  type TransactionRequest,
} from 'viem'
import { askChain, isRecord } from './chainRpc.ts'
import { RpcError } from './rpcError.ts'

/** The methods that a key is needed for, done with a real key. */
export async function signWith(
  account: LocalAccount,
  chain: { id: number; rpcUrl: string },
  method: string,
  params: readonly unknown[],
): Promise<Hex> {
  switch (method) {
    case 'personal_sign': {
      const [message] = params
      if (typeof message !== 'string') throw invalid('personal_sign wants a message')
      return account.signMessage({ message: isHex(message) ? { raw: message } : message })
    }
    case 'eth_signTypedData_v4': {
      const [, typedData] = params
      // The signer itself refuses what is no typed data.
      return account.signTypedData((typeof typedData === 'string' ? JSON.parse(typedData) : typedData) as never)
    }
    case 'eth_sendTransaction': {
      const [transaction] = params
      if (!isRecord(transaction)) throw invalid('eth_sendTransaction wants a transaction')
      return send(account, chain, transaction)
    }
    default:
      throw new RpcError(4200, `The wallet has no method ${method}`)
  }
}

async function send(
  account: LocalAccount,
  { id, rpcUrl }: { id: number; rpcUrl: string },
  { to, value, data, gas }: Record<string, unknown>,
): Promise<Hex> {
  const chain = defineChain({
    id,
    name: `Chain ${id}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const transport = custom({ request: ({ method, params }) => askChain(rpcUrl, method, params) }, { retryCount: 0 })
  const request = {
    to: isHex(to) ? to : undefined,
    value: isHex(value) ? BigInt(value) : undefined,
    data: isHex(data) ? data : undefined,
    gas: isHex(gas) ? BigInt(gas) : undefined,
  } satisfies TransactionRequest
  return createWalletClient({ account, chain, transport }).sendTransaction(request)
}

function invalid(message: string): RpcError {
  return new RpcError(-32602, message)
}
