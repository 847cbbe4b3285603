import type { OperationType } from '@latchkey/protocol'
import { kinds, nobody, type Hex, type Kind } from '../../indexer/block.ts'

/** A movement as an account is concerned by it. */
export type Movement = { kind: Kind; token: Hex; sender: Hex; receiver: Hex; tokenId: string | null; amount: string }

type Seen = {
  account: Hex
  sender: Hex
  receiver: Hex | null
  created: Hex | null
  method: Hex | null
  movements: readonly Movement[]
}

/** Calls that say by their name what they are for: the first four bytes of `keccak256(signature)`. */
const named: Readonly<Record<string, OperationType>> = {
  '0xd0e30db0': 'deposit', // deposit()
  '0xb6b55f25': 'deposit', // deposit(uint256)
  '0x6e553f65': 'deposit', // deposit(uint256,address)
  '0x2e1a7d4d': 'withdraw', // withdraw(uint256)
  '0xb460af94': 'withdraw', // withdraw(uint256,address,address)
  '0xa694fc3a': 'stake', // stake(uint256)
  '0x2e17de78': 'unstake', // unstake(uint256)
  '0x4e71d92d': 'claim', // claim()
  '0x3d18b912': 'claim', // getReward()
  '0xc5ebeaec': 'borrow', // borrow(uint256)
  '0x371fd8e6': 'repay', // repay(uint256)
  '0x0e752702': 'repay', // repayBorrow(uint256)
}

const allowances: readonly Kind[] = [kinds.approval, kinds.permission]

/** Whether a movement moves anything; allowances do not. */
export function moves({ kind }: Movement): boolean {
  return !allowances.includes(kind)
}

/** What a transaction was for an account. */
export function operationOf({ account, sender, created, method, movements }: Seen): OperationType {
  const own = sender === account
  if (created !== null && own) return 'deploy'
  const moved = movements.filter(moves)
  const [into, out] = [
    moved.filter((each) => each.receiver === account),
    moved.filter((each) => each.sender === account),
  ]
  const byName = own && method !== null ? named[method] : undefined
  if (byName !== undefined && moved.length > 0) return byName
  if (into.length > 0 && out.length > 0 && differ(into, out)) return 'trade'
  if (into.length > 0 && into.every((each) => each.sender === nobody)) return 'mint'
  if (out.length > 0 && out.every((each) => each.receiver === nobody)) return 'burn'
  if (out.length > 0) return 'send'
  if (into.length > 0) return 'receive'
  return movements.length > 0 ? 'approve' : 'execute'
}

function differ(into: readonly Movement[], out: readonly Movement[]): boolean {
  const asset = ({ token, kind, tokenId }: Movement): string => `${token}/${kind}/${tokenId ?? ''}`
  const left = new Set(out.map(asset))
  return into.some((each) => !left.has(asset(each)))
}
