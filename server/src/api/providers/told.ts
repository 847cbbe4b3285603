import type { HistoryItem, HistoryTransfer, TokenBalance } from '@latchkey/protocol'
import { kinds, nobody, type Hex } from '../../indexer/block.ts'
import type { Chain } from '../../kit/chains.ts'
import { decimal } from '../../kit/decimal.ts'
import { moves, operationOf, type Movement } from '../history/operation.ts'
import { cleaned } from '../tokens/abi.ts'
import { isSuspicious } from '../tokens/spam.ts'

/** What a provider calls a token. */
export type About = { name?: string | undefined; symbol?: string | undefined; decimals?: number | undefined }

/** A movement as a provider tells it. */
export type Moved = Movement & { about: About }

/** What a provider tells of a transaction; of one that it tells only movements of, not all is known. */
export type Told = {
  hash: Hex
  block: number
  minedAt: number
  sender: Hex
  receiver: Hex | null
  created: Hex | null
  nonce: number
  method: Hex | null
  succeeded: boolean
  moved: readonly Moved[]
}

/** What a transaction was for an account, in the form of the data service. What the operator lists goes first. */
export function itemOf(chain: Chain, account: Hex, told: Told): HistoryItem {
  const own = told.moved.filter(({ sender, receiver }) => sender === account || receiver === account)
  const { caipNetworkId } = chain
  return {
    id: `${caipNetworkId}:${told.hash}`,
    metadata: {
      operationType: operationOf({ ...told, account, movements: own }),
      hash: told.hash,
      minedAt: new Date(told.minedAt).toISOString(),
      sentFrom: told.sender,
      sentTo: told.receiver ?? told.created ?? '',
      status: told.succeeded ? 'confirmed' : 'failed',
      nonce: told.nonce,
      application: null,
      chain: caipNetworkId,
    },
    transfers: told.succeeded ? own.filter(moves).map((each) => transferOf(chain, account, each)) : [],
  }
}

/** The native value of a transaction as a movement. */
export function nativeMove(sender: Hex, receiver: Hex | null, value: bigint): readonly Moved[] {
  if (value === 0n || receiver === null) return []
  return [{ kind: kinds.native, token: nobody, sender, receiver, tokenId: null, amount: String(value), about: {} }]
}

function transferOf(chain: Chain, account: Hex, moved: Moved): HistoryTransfer {
  const { kind, token, sender, receiver, amount } = moved
  const common = {
    direction: sender === receiver ? ('self' as const) : receiver === account ? ('in' as const) : ('out' as const),
    value: null,
    price: null,
  }
  const about = kind === kinds.native ? chain.nativeCurrency : aboutToken(chain, token, moved.about)
  if (kind === kinds.erc721 || kind === kinds.erc1155) {
    const [name, symbol] = [about.name ?? null, about.symbol ?? null]
    const flags = { is_spam: isSuspicious({ name, symbol }, chain.tokens) }
    // Pictures would be a stranger's: a provider's addresses are not shown to pages.
    return { ...common, fungible_info: null, nft_info: { name, content: null, flags }, quantity: { numeric: amount } }
  }
  return {
    ...common,
    fungible_info: { name: about.name ?? null, symbol: about.symbol ?? null, icon: iconOf(chain, token) },
    nft_info: null,
    quantity: { numeric: decimal(BigInt(amount), about.decimals ?? 0) },
  }
}

function aboutToken({ tokens }: Chain, token: string, { name, symbol, decimals }: About): About {
  const listed = tokens.find(({ address }) => address.toLowerCase() === token)
  if (listed !== undefined) return listed
  return { name: shown(name), symbol: shown(symbol), decimals }
}

function shown(told: string | undefined): string | undefined {
  const text = cleaned(told ?? '')
  return text === '' ? undefined : text
}

function iconOf({ tokens }: Chain, token: string): { url: string } | null {
  const { iconUrl = '' } = tokens.find(({ address }) => address.toLowerCase() === token) ?? {}
  return iconUrl === '' ? null : { url: iconUrl }
}

/** The native balance in the form of the data service. */
export function nativeBalance({ caipNetworkId, nativeCurrency }: Chain, amount: bigint): TokenBalance {
  const { name, symbol, decimals } = nativeCurrency
  const quantity = { decimals: String(decimals), numeric: decimal(amount, decimals) }
  return { name, symbol, chainId: caipNetworkId, price: 0, quantity, iconUrl: '' }
}

/** The balance of a token; none when nobody knows how it is counted, or when it is a lure. */
export function tokenBalance(chain: Chain, token: Hex, amount: bigint, told: About): readonly TokenBalance[] {
  const { name, symbol, decimals } = aboutToken(chain, token, told)
  const called = symbol ?? name
  if (amount === 0n || called === undefined || decimals === undefined) return []
  const listed = chain.tokens.find(({ address }) => address.toLowerCase() === token)
  const isLure = isSuspicious({ name: name ?? null, symbol: symbol ?? null }, chain.tokens)
  if (listed === undefined && isLure) return []
  return [
    {
      name: name ?? called,
      symbol: called,
      chainId: chain.caipNetworkId,
      address: `${chain.caipNetworkId}:${listed?.address ?? token}`,
      price: 0,
      quantity: { decimals: String(decimals), numeric: decimal(amount, decimals) },
      iconUrl: listed?.iconUrl ?? '',
    },
  ]
}
