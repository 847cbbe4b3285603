import type { HistoryItem, HistoryTransfer, TokenBalance } from '@latchkey/protocol'
import { transferKinds, zeroAddress, type Hex } from '../../indexer/block.ts'
import type { TransferRecord } from '../../indexer/history/historyStore.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import { formatBaseUnits } from '../../kit/chain/formatBaseUnits.ts'
import { filterTransfers, getCounterparty, getOperationType, isTransfer } from '../history/operationType.ts'
import { cleanText } from '../tokens/abi.ts'
import { isSpam } from '../tokens/spam.ts'

/** Metadata of a token, as a provider reports it. */
export type ProviderToken = { name?: string | undefined; symbol?: string | undefined; decimals?: number | undefined }

/** A transfer, as a provider reports it. */
export type ProviderTransfer = TransferRecord & { about: ProviderToken }

/** A transaction, as a provider reports it. Lists of transfers leave some fields unknown. */
export type ProviderTransaction = {
  hash: Hex
  block: number
  minedAt: number
  /** The account that signed it, or null if a list only tells who a token came from. */
  signer: Hex | null
  sender: Hex
  receiver: Hex | null
  created: Hex | null
  nonce: number
  method: Hex | null
  succeeded: boolean
  transfers: readonly ProviderTransfer[]
}

/**
 * Converts a transaction to a history item of an account. The operator's token list overrides the provider's metadata.
 * Returns undefined if another account signed the transaction, and it moves nothing of this account.
 */
export function toHistoryItem(chain: Chain, account: Hex, transaction: ProviderTransaction): HistoryItem | undefined {
  const concerned = transaction.transfers.filter(({ sender, receiver }) => sender === account || receiver === account)
  const own = filterTransfers(concerned, { isSigner: transaction.signer === account })
  if (own.length === 0 && ![transaction.signer, transaction.created].includes(account)) return undefined
  const { caipNetworkId } = chain
  return {
    id: `${caipNetworkId}:${transaction.hash}`,
    metadata: {
      operationType: getOperationType({ ...transaction, account, movements: own }),
      hash: transaction.hash,
      minedAt: new Date(transaction.minedAt).toISOString(),
      sentFrom: transaction.sender,
      sentTo: transaction.receiver ?? transaction.created ?? '',
      status: transaction.succeeded ? 'confirmed' : 'failed',
      nonce: transaction.nonce,
      application: null,
      chain: caipNetworkId,
    },
    transfers: transaction.succeeded
      ? own.filter(isTransfer).map((each) => toProviderHistoryTransfer(chain, account, each))
      : [],
  }
}

/** Converts the native value of a transaction to a transfer. */
export function toNativeTransfer(sender: Hex, receiver: Hex | null, value: bigint): readonly ProviderTransfer[] {
  if (value === 0n || receiver === null) return []
  return [
    {
      kind: transferKinds.native,
      token: zeroAddress,
      sender,
      receiver,
      tokenId: null,
      amount: String(value),
      about: {},
    },
  ]
}

function toProviderHistoryTransfer(chain: Chain, account: Hex, moved: ProviderTransfer): HistoryTransfer {
  const { kind, token, sender, receiver, amount } = moved
  const common = {
    direction: sender === receiver ? ('self' as const) : receiver === account ? ('in' as const) : ('out' as const),
    counterparty: getCounterparty(moved, account),
    value: null,
    price: null,
  }
  const about = kind === transferKinds.native ? chain.nativeCurrency : findTokenMetadata(chain, token, moved.about)
  if (kind === transferKinds.erc721 || kind === transferKinds.erc1155) {
    const [name, symbol] = [about.name ?? null, about.symbol ?? null]
    const flags = { is_spam: isSpam({ name, symbol }, chain.tokens) }
    // Pictures of a provider are not shown, because apps would load them from a third party.
    return {
      ...common,
      fungible_info: null,
      nft_info: { name, content: null, flags, address: `${chain.caipNetworkId}:${token}` },
      quantity: { numeric: amount },
    }
  }
  const [name, symbol] = [about.name ?? null, about.symbol ?? null]
  const isListed = kind === transferKinds.native || isListedToken(chain, token)
  const flags = { is_spam: !isListed && isSpam({ name, symbol }, chain.tokens) }
  return {
    ...common,
    fungible_info: {
      name,
      symbol,
      icon: findTokenIcon(chain, token),
      flags,
      ...(kind === transferKinds.native ? {} : { address: `${chain.caipNetworkId}:${token}` }),
    },
    nft_info: null,
    quantity: { numeric: formatBaseUnits(BigInt(amount), about.decimals ?? 0) },
  }
}

function findTokenMetadata({ tokens }: Chain, token: string, { name, symbol, decimals }: ProviderToken): ProviderToken {
  const listed = tokens.find(({ address }) => address.toLowerCase() === token)
  if (listed !== undefined) return listed
  return { name: cleanOptionalText(name), symbol: cleanOptionalText(symbol), decimals }
}

function isListedToken({ tokens }: Chain, token: string): boolean {
  return tokens.some(({ address }) => address.toLowerCase() === token)
}

function cleanOptionalText(value: string | undefined): string | undefined {
  const text = cleanText(value ?? '')
  return text === '' ? undefined : text
}

function findTokenIcon({ tokens }: Chain, token: string): { url: string } | null {
  const { iconUrl = '' } = tokens.find(({ address }) => address.toLowerCase() === token) ?? {}
  return iconUrl === '' ? null : { url: iconUrl }
}

/** Converts a native balance. */
export function toNativeBalance({ caipNetworkId, nativeCurrency }: Chain, amount: bigint): TokenBalance {
  const { name, symbol, decimals } = nativeCurrency
  const quantity = { decimals: String(decimals), numeric: formatBaseUnits(amount, decimals) }
  return { name, symbol, chainId: caipNetworkId, price: 0, quantity, iconUrl: '' }
}

/** Converts the balance of a token. Returns an empty list if the decimals are unknown or the token is spam. */
export function toTokenBalances(
  chain: Chain,
  token: Hex,
  amount: bigint,
  reported: ProviderToken,
): readonly TokenBalance[] {
  const { name, symbol, decimals } = findTokenMetadata(chain, token, reported)
  const label = symbol ?? name
  if (amount === 0n || label === undefined || decimals === undefined) return []
  const listed = chain.tokens.find(({ address }) => address.toLowerCase() === token)
  const isSuspected = isSpam({ name: name ?? null, symbol: symbol ?? null }, chain.tokens)
  if (listed === undefined && isSuspected) return []
  return [
    {
      name: name ?? label,
      symbol: label,
      chainId: chain.caipNetworkId,
      address: `${chain.caipNetworkId}:${listed?.address ?? token}`,
      price: 0,
      quantity: { decimals: String(decimals), numeric: formatBaseUnits(amount, decimals) },
      iconUrl: listed?.iconUrl ?? '',
    },
  ]
}
