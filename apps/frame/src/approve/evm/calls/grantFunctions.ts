import { isUnlimited } from '../isUnlimited.ts'
import type { CallEffect, KnownFunction, ReadEffects } from './callEffects.ts'
import { mostItems, permitBatchAt, tokenAllowanceAt } from './permit2.ts'

const maxUint256 = 2n ** 256n - 1n

/** Allowance of the called token: words of the spender, the amount and the deadline. */
const allowanceAt =
  (spender: number, units: number, deadline?: number): ReadEffects =>
  (args, token) => [
    {
      kind: 'allowance',
      token,
      spender: args.address(spender),
      units: args.number(units),
      ...(deadline !== undefined && { deadline: args.number(deadline) }),
    },
  ]

/** Unlimited allowance of the called token, while `flag` is set. */
const wholeAllowanceAt =
  (spender: number, flag?: number): ReadEffects =>
  (args, token) => {
    const isGranted = flag === undefined || args.number(flag) !== 0n
    return [{ kind: 'allowance', token, spender: args.address(spender), units: isGranted ? maxUint256 : 0n }]
  }

/** Operator of everything in the called contract, while `flag` is set. */
const operatorAt =
  (operator: number, flag?: number): ReadEffects =>
  (args, collection) => {
    const isGranted = flag === undefined || args.number(flag) !== 0n
    return [{ kind: 'operator', collection, operator: args.address(operator), isGranted }]
  }

/** A permit covers `permitted`; the call moves `units`. */
function permittedTransfer(moved: {
  token: string
  from: string
  to: string
  units: bigint
  permitted: bigint
}): readonly CallEffect[] {
  const { permitted, ...transfer } = moved
  const { token, to: spender } = transfer
  return [
    { kind: 'transfer', ...transfer },
    ...(isUnlimited(permitted) ? [{ kind: 'allowance', token, spender, units: permitted } as const] : []),
  ]
}

const readPermitTransfer: ReadEffects = (args) =>
  permittedTransfer({
    token: args.address(0),
    permitted: args.number(1),
    to: args.address(4),
    units: args.number(5),
    from: args.address(6),
  })

const readPermitTransfers: ReadEffects = (args) => {
  const permitted = args.struct(0).list(0, 2, mostItems)
  const details = args.list(1, 2, mostItems)
  const from = args.address(2)
  const moved = permitted.items.flatMap((item, at) => {
    const detail = details.items[at]
    const to = detail?.address(0) ?? from
    const units = detail?.number(1) ?? 0n
    return permittedTransfer({ token: item.address(0), permitted: item.number(1), to, units, from })
  })
  return permitted.isTruncated || details.isTruncated ? [...moved, { kind: 'unreadable' }] : moved
}

const permitTransfer = '((address,uint256),uint256,uint256),(address,uint256),address'
const permitTransfers = '((address,uint256)[],uint256,uint256),(address,uint256)[],address'

/**
 * Functions that let another account spend, by selector: ERC-20 and its extensions, ERC-2612 and DAI permits, ERC-777,
 * ERC-1363, ERC-6909, LSP7, Permit2, and the delegations of Aave, Compound and Maker.
 */
export const grantFunctions: Readonly<Record<string, KnownFunction>> = {
  '0x095ea7b3': grant('approve(address,uint256)', allowanceAt(0, 1)),
  '0xdaea85c5': grant('approve(address)', wholeAllowanceAt(0)),
  '0x39509351': grant('increaseAllowance(address,uint256)', allowanceAt(0, 1)),
  '0xd73dd623': grant('increaseApproval(address,uint256)', allowanceAt(0, 1)),
  '0x3177029f': grant('approveAndCall(address,uint256)', allowanceAt(0, 1)),
  '0xcae9ca51': grant('approveAndCall(address,uint256,bytes)', allowanceAt(0, 1)),
  '0xc04a8a10': grant('approveDelegation(address,uint256)', allowanceAt(0, 1)),
  '0xb49506fd': grant('authorizeOperator(address,uint256,bytes)', allowanceAt(0, 1)),
  '0x426a8493': grant('approve(address,uint256,uint256)', allowanceAt(0, 2)),
  '0xd505accf': grant('permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', allowanceAt(1, 2, 3)),
  '0x9fd5a6cf': grant('permit(address,address,uint256,uint256,bytes)', allowanceAt(1, 2, 3)),
  '0x8fcbaf0c': grant('permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)', wholeAllowanceAt(1, 4)),
  '0xa22cb465': grant('setApprovalForAll(address,bool)', operatorAt(0, 1)),
  '0x558a7297': grant('setOperator(address,bool)', operatorAt(0, 1)),
  '0x110496e5': grant('allow(address,bool)', operatorAt(0, 1)),
  '0x959b8c3f': grant('authorizeOperator(address)', operatorAt(0)),
  '0xa3b22fc4': grant('hope(address)', operatorAt(0)),
  '0x87517c45': grant('approve(address,address,uint160,uint48)', tokenAllowanceAt(0, 1, 2, 3)),
  '0x2b67b570': grant(
    'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
    tokenAllowanceAt(1, 5, 2, 3),
  ),
  '0x2a2d80d1': grant('permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)', permitBatchAt(1)),
  '0x30f28b7a': grant(`permitTransferFrom(${permitTransfer},bytes)`, readPermitTransfer),
  '0xedd9444b': grant(`permitTransferFrom(${permitTransfers},bytes)`, readPermitTransfers),
  '0x137c29fe': grant(`permitWitnessTransferFrom(${permitTransfer},bytes32,string,bytes)`, readPermitTransfer),
  '0xfe8ec1a7': grant(`permitWitnessTransferFrom(${permitTransfers},bytes32,string,bytes)`, readPermitTransfers),
}

function grant(signature: string, read: ReadEffects): KnownFunction {
  return { signature, read: (args, to) => ({ effects: read(args, to) }) }
}
