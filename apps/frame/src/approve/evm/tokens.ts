import { hexToBytes } from '@noble/hashes/utils.js'
import type { Chain } from '../../chain/chain.ts'
import type { Amount } from '../approvalFacts.ts'
import { isSuspiciousName } from '../splitVisibleText.ts'
import { isHex } from './parseQuantity.ts'

/** A token as its contract describes itself. */
export type Token = {
  readonly address: string
  readonly symbol?: string
  readonly decimals?: number
  /** Total supply in base units. */
  readonly supply?: bigint
}

/** Descriptions of tokens. Names are untrusted, so the address is shown as well. */
export type Tokens = {
  of(address: string): Promise<Token>
  amount(token: Token, units: bigint): Amount
  /** True if a suspicious name was read. */
  hasSuspiciousName(): boolean
}

const selectors = { symbol: '0x95d89b41', decimals: '0x313ce567', supply: '0x18160ddd' } as const
const longestSymbol = 24
/** After the timeout, amounts are shown in base units. */
const timeoutMs = 4_000

/** Creates descriptions of tokens. Each token is read once. */
export function createTokens(chain: Chain, chainId: string): Tokens {
  const descriptions = new Map<string, Promise<Token>>()
  let isSuspicious = false

  async function call(to: string, data: string): Promise<string | undefined> {
    const response = await chain
      .request(chainId, 'eth_call', [{ to, data }, 'latest'], { timeoutMs })
      .catch(() => undefined)
    return isHex(response) && response !== '0x' ? response : undefined
  }

  async function describe(address: string): Promise<Token> {
    const [name, places, issued] = await Promise.all([
      call(address, selectors.symbol),
      call(address, selectors.decimals),
      call(address, selectors.supply),
    ])
    const symbol = name === undefined ? undefined : decodeAbiString(name)
    if (symbol !== undefined && isSuspiciousName(symbol)) isSuspicious = true
    const count = places?.length === 66 ? BigInt(places) : undefined
    const decimals = count !== undefined && count <= 77n ? Number(count) : undefined
    return {
      address,
      ...(symbol !== undefined && { symbol }),
      ...(decimals !== undefined && { decimals }),
      // The item ids of a collection have no relation to its number of items.
      ...(decimals !== undefined && issued?.length === 66 && { supply: BigInt(issued) }),
    }
  }

  return {
    async of(address) {
      const key = address.toLowerCase()
      const found = descriptions.get(key) ?? describe(address)
      descriptions.set(key, found)
      return found
    },
    amount: ({ symbol, decimals }, units) => ({ units, decimals, symbol }),
    hasSuspiciousName: () => isSuspicious,
  }
}

/** Decodes an ABI string. Early tokens return `bytes32`. */
function decodeAbiString(result: string): string | undefined {
  const bytes = hexToBytes(result.slice(2).padEnd(Math.ceil((result.length - 2) / 2) * 2, '0'))
  const isShort = bytes.length === 32
  const length = isShort ? 32 : Number(BigInt(`0x${result.slice(66, 130) || '0'}`) % 2n ** 32n)
  const from = isShort ? 0 : 64
  const text = new TextDecoder().decode(bytes.subarray(from, from + Math.min(length, 256))).replace(/\0+$/, '')
  const shown = [...text.trim()].slice(0, longestSymbol).join('')
  return shown === '' ? undefined : shown
}
