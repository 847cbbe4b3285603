import type { Calldata } from './calldata.ts'
import type { CallEffect, KnownFunction, OrderItem, ReadEffects } from './callEffects.ts'

/** More of them are unreadable on a screen. */
const [mostOrders, mostItems] = [8, 16]

const readOrders: ReadEffects = (args) => {
  const orders = args.structs(0, mostOrders)
  const read = orders.items.flatMap((order) => readOrder(order.struct(0)))
  return orders.isTruncated ? [...read, { kind: 'unreadable' }] : read
}

/** The words are those of `OrderParameters`. Offers have five words, considerations also a recipient. */
function readOrder(parameters: Calldata): readonly CallEffect[] {
  const offerer = parameters.address(0)
  const [offer, consideration] = [parameters.list(2, 5, mostItems), parameters.list(3, 6, mostItems)]
  const give = offer.items.map((item) => readItem(item, { isGiven: true, isOwn: true }))
  const receive = consideration.items.map((item) =>
    readItem(item, { isGiven: false, isOwn: item.address(5) === offerer }),
  )
  const isTruncated = offer.isTruncated || consideration.isTruncated
  return [{ kind: 'order', order: { give, receive } }, ...(isTruncated ? [{ kind: 'unreadable' } as const] : [])]
}

function readItem(item: Calldata, { isGiven, isOwn }: { isGiven: boolean; isOwn: boolean }): OrderItem {
  const [start, end] = [item.number(3), item.number(4)]
  const [lower, higher] = start < end ? [start, end] : [end, start]
  return {
    isFungible: item.number(0) <= 1n,
    token: item.address(1),
    id: item.number(2),
    units: isGiven ? higher : lower,
    isOwn,
  }
}

const items = '(uint8,address,uint256,uint256,uint256)[],(uint8,address,uint256,uint256,uint256,address)[]'
const order = `((address,address,${items},uint8,uint256,uint256,bytes32,uint256,bytes32,uint256),bytes)`

/**
 * Functions of Seaport that make orders of the caller valid without a signature. Nothing moves in this transaction, so a simulation
 * shows no change. Orders that are executed at once show theirs.
 */
export const orderFunctions: Readonly<Record<string, KnownFunction>> = {
  '0x88147732': {
    signature: `validate(${order}[])`,
    read: (args, to) => ({ effects: readOrders(args, to) }),
  },
}
