import { createClient, hexToBigInt, isHex, numberToHex, parseAbi, type Hex } from 'viem'
import { readContract } from 'viem/actions'
import { requestChain } from './requestChain.ts'
import { transportTo } from './signing.ts'

const tokenAbi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function balanceOf(address) view returns (uint256)',
])

/** Reads an account's assets from the chain (EIP-7811). Prices are unknown, so they are zero. */
export async function readWalletAssets(rpcUrl: string, account: Hex, tokens: readonly Hex[]): Promise<object[]> {
  const client = createClient({ transport: transportTo(rpcUrl) })
  const readToken = async (address: Hex): Promise<object> => {
    const read = <name extends 'name' | 'symbol' | 'decimals'>(functionName: name) =>
      readContract(client, { address, abi: tokenAbi, functionName })
    const [name, symbol, decimals, balance] = await Promise.all([
      read('name'),
      read('symbol'),
      read('decimals'),
      readContract(client, { address, abi: tokenAbi, functionName: 'balanceOf', args: [account] }),
    ])
    const metadata = { name, symbol, decimals, price: 0, iconUrl: '' }
    return { address, balance: numberToHex(balance), type: 'ERC20', metadata }
  }
  const native = await requestChain(rpcUrl, 'eth_getBalance', [account, 'latest'])
  const metadata = { name: 'Ether', symbol: 'ETH', decimals: 18, price: 0, iconUrl: '' }
  const balance = numberToHex(isHex(native) ? hexToBigInt(native) : 0n)
  return [{ address: 'native', balance, type: 'NATIVE', metadata }, ...(await Promise.all(tokens.map(readToken)))]
}
