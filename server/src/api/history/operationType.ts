import type { OperationType } from '@latchkey/protocol'
import { movesAssets, zeroAddress, type Hex } from '../../indexer/block.ts'
import type { TransferRecord } from '../../indexer/history/historyStore.ts'

type TransactionRecord = {
  account: Hex
  sender: Hex
  receiver: Hex | null
  created: Hex | null
  method: Hex | null
  movements: readonly TransferRecord[]
}

/** Operation types of known functions, by selector: the first four bytes of `keccak256(signature)`. */
const operationsBySelector: Readonly<Record<string, OperationType>> = {
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

/** True for transfers, false for approvals. */
export function isTransfer({ kind }: TransferRecord): boolean {
  return movesAssets(kind)
}

/**
 * Removes transfers of nothing that the account did not sign. Anyone can call `transferFrom` with the amount zero for
 * any account, to place the address of a look-alike into its history (address poisoning).
 */
export function filterTransfers<Moved extends TransferRecord>(
  movements: readonly Moved[],
  { isSigner }: { isSigner: boolean },
): readonly Moved[] {
  return isSigner ? movements : movements.filter((each) => !isTransfer(each) || BigInt(each.amount) > 0n)
}

/** Gets the other side of a transfer. */
export function getCounterparty({ sender, receiver }: TransferRecord, account: Hex): Hex {
  return sender === account ? receiver : sender
}

/** Gets the type of a transaction from the point of view of an account. */
export function getOperationType({ account, sender, created, method, movements }: TransactionRecord): OperationType {
  const own = sender === account
  if (created !== null && own) return 'deploy'
  const moved = movements.filter(isTransfer)
  const [into, out] = [
    moved.filter((each) => each.receiver === account),
    moved.filter((each) => each.sender === account),
  ]
  const byName = own && method !== null ? operationsBySelector[method] : undefined
  if (byName !== undefined && moved.length > 0) return byName
  if (into.length > 0 && out.length > 0 && holdsDifferentAssets(into, out)) return 'trade'
  if (into.length > 0 && into.every((each) => each.sender === zeroAddress)) return 'mint'
  if (out.length > 0 && out.every((each) => each.receiver === zeroAddress)) return 'burn'
  if (out.length > 0) return 'send'
  if (into.length > 0) return 'receive'
  return movements.length > 0 ? 'approve' : 'execute'
}

function holdsDifferentAssets(into: readonly TransferRecord[], out: readonly TransferRecord[]): boolean {
  const asset = ({ token, kind, tokenId }: TransferRecord): string => `${token}/${kind}/${tokenId ?? ''}`
  const left = new Set(out.map(asset))
  return into.some((each) => !left.has(asset(each)))
}
