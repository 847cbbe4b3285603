import { hexToBytes } from '@noble/hashes/utils.js'
import type { Chain } from '../../chain/chain.ts'
import type { Amount } from '../facts.ts'
import { isOddName } from '../text.ts'
import { isHex } from './hex.ts'

/** A contract, as it speaks of itself. */
export type Token = { readonly address: string; readonly symbol?: string; readonly decimals?: number }

/** What tokens call themselves. Anybody can call a token anything: the address stands beside it. */
export type Tokens = {
  of(address: string): Promise<Token>
  amount(token: Token, units: bigint): Amount
  /** Whether a name that was read is one to be careful with. */
  areOdd(): boolean
}

const selectors = { symbol: '0x95d89b41', decimals: '0x313ce567' } as const
const longestSymbol = 24
/** The network says it at once, or the units are shown as they are. */
const patience = 4_000

/** Asks each token once. */
export function createTokens(chain: Chain, chainId: string): Tokens {
  const asked = new Map<string, Promise<Token>>()
  let isOdd = false

  async function call(to: string, data: string): Promise<string | undefined> {
    const answer = await chain.ask(chainId, 'eth_call', [{ to, data }, 'latest'], { patience }).catch(() => undefined)
    return isHex(answer) && answer !== '0x' ? answer : undefined
  }

  async function describe(address: string): Promise<Token> {
    const [name, places] = await Promise.all([call(address, selectors.symbol), call(address, selectors.decimals)])
    const symbol = name === undefined ? undefined : readText(name)
    if (symbol !== undefined && isOddName(symbol)) isOdd = true
    const count = places?.length === 66 ? BigInt(places) : undefined
    const decimals = count !== undefined && count <= 77n ? Number(count) : undefined
    return { address, ...(symbol !== undefined && { symbol }), ...(decimals !== undefined && { decimals }) }
  }

  return {
    async of(address) {
      const key = address.toLowerCase()
      const found = asked.get(key) ?? describe(address)
      asked.set(key, found)
      return found
    },
    amount: ({ symbol, decimals }, units) => ({ units, decimals, symbol }),
    areOdd: () => isOdd,
  }
}

/** A text of ABI; the first tokens answered with 32 bytes. */
function readText(answer: string): string | undefined {
  const bytes = hexToBytes(answer.slice(2).padEnd(Math.ceil((answer.length - 2) / 2) * 2, '0'))
  const isShort = bytes.length === 32
  const length = isShort ? 32 : Number(BigInt(`0x${answer.slice(66, 130) || '0'}`) % 2n ** 32n)
  const from = isShort ? 0 : 64
  const text = new TextDecoder().decode(bytes.subarray(from, from + Math.min(length, 256))).replace(/\0+$/, '')
  const shown = [...text.trim()].slice(0, longestSymbol).join('')
  return shown === '' ? undefined : shown
}
