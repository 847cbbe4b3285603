import type { CallEffect, KnownFunction, ReadEffects } from './callEffects.ts'
import { mostItems, readPermit2Transfers } from './permit2.ts'

/** Transfer of the called token: words of the receiver, the amount and the sender. */
const transferAt =
  (to: number, units: number, from?: number): ReadEffects =>
  (args, token) => [
    {
      kind: 'transfer',
      token,
      to: args.address(to),
      units: args.number(units),
      ...(from !== undefined && { from: args.address(from) }),
    },
  ]

/** Transfer of an item of the called collection. */
const itemAt =
  (id: number, count?: number): ReadEffects =>
  (args, collection) => [
    {
      kind: 'item',
      collection,
      from: args.address(0),
      to: args.address(1),
      id: args.number(id),
      count: count === undefined ? 1n : args.number(count),
    },
  ]

const readItems: ReadEffects = (args, collection) => {
  const [ids, counts] = [args.list(2, 1, mostItems), args.list(3, 1, mostItems)]
  const [from, to] = [args.address(0), args.address(1)]
  const moved = ids.items.map((item, at): CallEffect => ({
    kind: 'item',
    collection,
    from,
    to,
    id: item.number(0),
    count: counts.items[at]?.number(0) ?? 0n,
  }))
  return ids.isTruncated ? [...moved, { kind: 'unreadable' }] : moved
}

const authorization = 'address,address,uint256,uint256,uint256,bytes32'

/**
 * Functions that transfer tokens, by selector: ERC-20, ERC-721, ERC-1155, ERC-777, ERC-1363, ERC-677, EIP-3009, Permit2
 * and DSToken.
 */
export const transferFunctions: Readonly<Record<string, KnownFunction>> = {
  '0xa9059cbb': transfer('transfer(address,uint256)', transferAt(0, 1)),
  '0x23b872dd': transfer('transferFrom(address,address,uint256)', transferAt(1, 2, 0)),
  '0xbe45fd62': transfer('transfer(address,uint256,bytes)', transferAt(0, 1)),
  '0x9bd9bbc6': transfer('send(address,uint256,bytes)', transferAt(0, 1)),
  '0x62ad1b83': transfer('operatorSend(address,address,uint256,bytes,bytes)', transferAt(1, 2, 0)),
  '0x1296ee62': transfer('transferAndCall(address,uint256)', transferAt(0, 1)),
  '0x4000aea0': transfer('transferAndCall(address,uint256,bytes)', transferAt(0, 1)),
  '0xd8fbe994': transfer('transferFromAndCall(address,address,uint256)', transferAt(1, 2, 0)),
  '0xc1d34b89': transfer('transferFromAndCall(address,address,uint256,bytes)', transferAt(1, 2, 0)),
  '0xb753a98c': transfer('push(address,uint256)', transferAt(0, 1)),
  '0xbb35783b': transfer('move(address,address,uint256)', transferAt(1, 2, 0)),
  '0xe3ee160e': transfer(`transferWithAuthorization(${authorization},uint8,bytes32,bytes32)`, transferAt(1, 2, 0)),
  '0xcf092995': transfer(`transferWithAuthorization(${authorization},bytes)`, transferAt(1, 2, 0)),
  '0xef55bec6': transfer(`receiveWithAuthorization(${authorization},uint8,bytes32,bytes32)`, transferAt(1, 2, 0)),
  '0x88b7ab63': transfer(`receiveWithAuthorization(${authorization},bytes)`, transferAt(1, 2, 0)),
  '0x36c78516': transfer('transferFrom(address,address,uint160,address)', (args) => [
    { kind: 'transfer', from: args.address(0), to: args.address(1), units: args.number(2), token: args.address(3) },
  ]),
  '0x0d58b1db': transfer('transferFrom((address,address,uint160,address)[])', readPermit2Transfers),
  '0x42842e0e': transfer('safeTransferFrom(address,address,uint256)', itemAt(2)),
  '0xb88d4fde': transfer('safeTransferFrom(address,address,uint256,bytes)', itemAt(2)),
  '0xf242432a': transfer('safeTransferFrom(address,address,uint256,uint256,bytes)', itemAt(2, 3)),
  '0x2eb2c2d6': transfer('safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', readItems),
  '0xfe99049a': transfer('transferFrom(address,address,uint256,uint256)', itemAt(2, 3)),
}

function transfer(signature: string, read: ReadEffects): KnownFunction {
  return { signature, read: (args, to) => ({ effects: read(args, to) }) }
}
