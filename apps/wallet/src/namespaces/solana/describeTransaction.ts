import { hex } from '@scure/base'
import type { Network } from '@latchkey/protocol'
import type { KnownToken } from '../../walletConfig.ts'
import type { TransactionAction, TransactionSummary } from '../transactionSummary.ts'
import type { TypedDataSummary, TypedNode } from '../typedDataSummary.ts'
import type { SolanaTransaction, SolanaInstruction } from './solanaTransaction.ts'

/** Display names of known programs. */
const programs: { readonly [address: string]: string } = {
  '11111111111111111111111111111111': 'System',
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'SPL Token',
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: 'Token-2022',
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: 'Associated Token Account',
  MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr: 'Memo',
  ComputeBudget111111111111111111111111111111: 'Compute Budget',
}

/** Sets only the price of the transaction. */
const computeBudget = 'ComputeBudget111111111111111111111111111111'

/** The effect of one instruction, as decoded from its data. */
type InstructionEffect =
  | { kind: 'transfer'; from: string; to: string; lamports: bigint }
  | { kind: 'tokenTransfer'; mint: string; to: string; amount: bigint }

/** Describes a transaction that the wallet signs and sends. */
export function describeTransaction(
  { transaction, instructions }: SolanaTransaction,
  network: Network,
  tokens: readonly KnownToken[],
): TransactionSummary {
  const acting = instructions.filter(({ program }) => program !== computeBudget)
  const [step] = acting
  const effect = acting.length === 1 && step !== undefined ? parseEffect(step) : undefined
  const value = effect?.kind === 'transfer' ? effect.lamports : 0n
  const data = effect === undefined ? (`0x${hex.encode(new Uint8Array(transaction.messageBytes))}` as const) : '0x'
  return { network, value, data, action: toAction(effect, acting, network, tokens) }
}

function toAction(
  effect: InstructionEffect | undefined,
  acting: readonly SolanaInstruction[],
  network: Network,
  tokens: readonly KnownToken[],
): TransactionAction {
  if (effect?.kind === 'transfer') return { kind: 'send', to: effect.to }
  if (effect?.kind === 'tokenTransfer') {
    const { mint, to, amount } = effect
    const token = tokens.find((each) => each.caipNetworkId === network.caipNetworkId && each.address === mint)
    const known = token && { symbol: token.symbol, decimals: token.decimals }
    return { kind: 'tokenTransfer', token: { address: mint, known }, from: undefined, to, amount }
  }
  const [first] = acting
  const names = acting.map(({ program }) => programs[program] ?? 'unknown program').join(', ')
  return { kind: 'call', to: first?.program ?? 'Unknown program', selector: `${acting.length} instructions: ${names}` }
}

/** Describes transactions that the wallet only signs. Lists every instruction, because the app decides when to send them. */
export function describeTransactions(transactions: readonly SolanaTransaction[]): TypedDataSummary {
  const [first] = transactions
  const payer: TypedNode = { name: 'feePayer', type: 'address', value: first?.feePayer ?? '' }
  const message = transactions.map((transaction, at): TypedNode => {
    const members = transaction.instructions.map(describeInstruction)
    return { name: transactions.length === 1 ? 'instructions' : `transaction ${at + 1}`, type: 'list', members }
  })
  const primaryType = transactions.length === 1 ? 'Transaction' : `${transactions.length} transactions`
  return { primaryType, domain: [payer], message, otherChain: undefined }
}

function describeInstruction(step: SolanaInstruction, at: number): TypedNode {
  const effect = parseEffect(step)
  const program = programs[step.program] ?? step.program
  const members: TypedNode[] =
    effect === undefined
      ? [
          { name: 'data', type: 'bytes', value: `0x${hex.encode(step.data)}` },
          ...step.accounts.map((value, index): TypedNode => ({ name: `account ${index + 1}`, type: 'address', value })),
        ]
      : Object.entries(effect).map(([name, value]) => ({ name, type: typeof value, value: String(value) }))
  return { name: `${at + 1}. ${program}`, type: 'instruction', members }
}

function parseEffect({ program, accounts, data }: SolanaInstruction): InstructionEffect | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const name = programs[program]
  const [first = '', second = '', third = ''] = accounts
  if (name === 'System' && data.length === 12 && view.getUint32(0, true) === 2) {
    return { kind: 'transfer', from: first, to: second, lamports: view.getBigUint64(4, true) }
  }
  const isToken = name === 'SPL Token' || name === 'Token-2022'
  // TransferChecked names the mint. A plain Transfer doesn't, so the token stays unknown.
  if (isToken && data.length === 10 && data[0] === 12) {
    return { kind: 'tokenTransfer', mint: second, to: third, amount: view.getBigUint64(1, true) }
  }
  return undefined
}
