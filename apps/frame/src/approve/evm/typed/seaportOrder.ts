import type { Row, Value } from '../../approvalFacts.ts'
import type { OrderItem, SeaportOrder } from '../calls/callEffects.ts'
import { isAddress } from '../parseQuantity.ts'
import type { Tokens } from '../tokens.ts'
import { getNumber, listMembers, listStructs, type TypedStruct } from './typedStructs.ts'

type Native = { readonly symbol: string; readonly decimals: number }

/** Orders of one bulk signature. More of them are unreadable on a screen. */
const mostOrders = 8
const mostItems = 16

/** Finds the orders in signed data, including those of a bulk order. `undefined` if there are too many to show. */
export function findSeaportOrders(message: TypedStruct): readonly SeaportOrder[] | undefined {
  const orders = listStructs(message).flatMap((struct): readonly SeaportOrder[] => {
    const { offerer, offer, consideration } = struct
    if (!isAddress(offerer) || !Array.isArray(offer) || !Array.isArray(consideration)) return []
    return [
      {
        give: listMembers(struct, 'offer').map((item) => parseItem(item, offerer, true)),
        receive: listMembers(struct, 'consideration').map((item) => parseItem(item, offerer, false)),
      },
    ]
  })
  const isReadable = orders.every(({ give, receive }) => give.length <= mostItems && receive.length <= mostItems)
  return orders.length <= mostOrders && isReadable ? orders : undefined
}

function parseItem(item: TypedStruct, offerer: string, isGiven: boolean): OrderItem {
  const [start, end] = [getNumber(item, 'startAmount') ?? 0n, getNumber(item, 'endAmount') ?? 0n]
  const { token, recipient } = item
  const [lower, higher] = start < end ? [start, end] : [end, start]
  return {
    isFungible: (getNumber(item, 'itemType') ?? 0n) <= 1n,
    token: isAddress(token) ? token.toLowerCase() : zeroAddress,
    id: getNumber(item, 'identifierOrCriteria') ?? 0n,
    units: isGiven ? higher : lower,
    isOwn: isGiven || (isAddress(recipient) && recipient.toLowerCase() === offerer.toLowerCase()),
  }
}

const zeroAddress = `0x${'0'.repeat(40)}`

/** Part of a whole token that counts as nothing: 0.0001. */
const negligibleShare = 10_000n

/**
 * True if the offerer receives nothing, a negligible amount, or less than half of what goes to others or of the same
 * token that the offerer gives. Prices of other assets are unknown.
 */
export async function isPoorTrade({ give, receive }: SeaportOrder, native: Native, tokens: Tokens): Promise<boolean> {
  if (give.every(({ units }) => units === 0n)) return false
  const sum = (items: readonly OrderItem[], token: string): bigint =>
    items.filter((each) => each.isFungible && each.token === token).reduce((total, { units }) => total + units, 0n)
  const own = receive.filter(({ isOwn }) => isOwn)
  const isWorth = await Promise.all(
    own.map(async ({ isFungible, token, units }) => {
      if (!isFungible) return units > 0n
      const decimals = token === zeroAddress ? native.decimals : ((await tokens.of(token)).decimals ?? 0)
      const received = sum(own, token)
      const isNegligible = received * negligibleShare < 10n ** BigInt(decimals)
      return !isNegligible && received * 2n >= sum(receive, token) && received * 2n >= sum(give, token)
    }),
  )
  return !isWorth.includes(true)
}

/** Lists what the offerer gives and receives. */
export async function orderRows(order: SeaportOrder, native: Native, tokens: Tokens): Promise<readonly Row[]> {
  const given = order.give.map((item) => itemRows('give', item, native, tokens))
  const received = order.receive.filter(({ isOwn }) => isOwn).map((item) => itemRows('receive', item, native, tokens))
  const none: readonly Row[] = received.length === 0 ? [{ label: 'receive', value: { kind: 'nothing' } }] : []
  return [...(await Promise.all([...given, ...received])).flat(), ...none]
}

async function itemRows(
  label: 'give' | 'receive',
  { isFungible, token, id, units }: OrderItem,
  native: Native,
  tokens: Tokens,
): Promise<readonly Row[]> {
  if (isFungible && token === zeroAddress)
    return [{ label, value: { kind: 'amount', amount: { units, decimals: native.decimals, symbol: native.symbol } } }]
  const described = await tokens.of(token)
  const address: Value = { kind: 'address', address: token, name: described.symbol }
  if (isFungible)
    return [
      { label, value: { kind: 'amount', amount: tokens.amount(described, units) } },
      { label: 'token', value: address },
    ]
  const count = units === 1n ? '' : `${units} × `
  return [
    { label, value: { kind: 'text', text: `${count}#${id}` } },
    { label: 'collection', value: address },
  ]
}
