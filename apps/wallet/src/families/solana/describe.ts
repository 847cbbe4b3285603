import { hex } from '@scure/base'
import type { Network } from '@latchkey/protocol'
import type { KnownToken } from '../../config.ts'
import type { TransactionAction, TransactionSummary, TypedDataSummary, TypedNode } from '../question.ts'
import type { SolanaTransaction, Step } from './transaction.ts'

/** Programs that have a name for people. */
const programs: { readonly [address: string]: string } = {
  '11111111111111111111111111111111': 'System',
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'SPL Token',
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: 'Token-2022',
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: 'Associated Token Account',
  MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr: 'Memo',
  ComputeBudget111111111111111111111111111111: 'Compute Budget',
}

/** Only prices the transaction. */
const computeBudget = 'ComputeBudget111111111111111111111111111111'

/** What one step does, as far as its data tells. */
type Deed =
  | { kind: 'transfer'; from: string; to: string; lamports: bigint }
  | { kind: 'tokenTransfer'; mint: string; to: string; amount: bigint }

/** Tells what a transaction does that is to be sent. */
export function describeTransaction(
  { transaction, steps }: SolanaTransaction,
  network: Network,
  tokens: readonly KnownToken[],
): TransactionSummary {
  const acting = steps.filter(({ program }) => program !== computeBudget)
  const [step] = acting
  const deed = acting.length === 1 && step !== undefined ? readDeed(step) : undefined
  const value = deed?.kind === 'transfer' ? deed.lamports : 0n
  const data = deed === undefined ? (`0x${hex.encode(new Uint8Array(transaction.messageBytes))}` as const) : '0x'
  return { network, value, data, action: actionOf(deed, acting, network, tokens) }
}

function actionOf(
  deed: Deed | undefined,
  acting: readonly Step[],
  network: Network,
  tokens: readonly KnownToken[],
): TransactionAction {
  if (deed?.kind === 'transfer') return { kind: 'send', to: deed.to }
  if (deed?.kind === 'tokenTransfer') {
    const { mint, to, amount } = deed
    const token = tokens.find((each) => each.caipNetworkId === network.caipNetworkId && each.address === mint)
    const known = token && { symbol: token.symbol, decimals: token.decimals }
    return { kind: 'tokenTransfer', token: { address: mint, known }, from: undefined, to, amount }
  }
  const [first] = acting
  const names = acting.map(({ program }) => programs[program] ?? 'unknown program').join(', ')
  return { kind: 'call', to: first?.program ?? 'Nobody', selector: `${acting.length} instructions: ${names}` }
}

/** Tells what transactions do that are only to be signed: all of their steps, because nobody knows who sends them when. */
export function describeForSigning(transactions: readonly SolanaTransaction[]): TypedDataSummary {
  const [first] = transactions
  const payer: TypedNode = { name: 'feePayer', type: 'address', value: first?.feePayer ?? '' }
  const message = transactions.map((transaction, at): TypedNode => {
    const members = transaction.steps.map(describeStep)
    return { name: transactions.length === 1 ? 'instructions' : `transaction ${at + 1}`, type: 'list', members }
  })
  const primaryType = transactions.length === 1 ? 'Transaction' : `${transactions.length} transactions`
  return { primaryType, domain: [payer], message, foreignChain: undefined }
}

function describeStep(step: Step, at: number): TypedNode {
  const deed = readDeed(step)
  const program = programs[step.program] ?? step.program
  const members: TypedNode[] =
    deed === undefined
      ? [
          { name: 'data', type: 'bytes', value: `0x${hex.encode(step.data)}` },
          ...step.accounts.map((value, index): TypedNode => ({ name: `account ${index + 1}`, type: 'address', value })),
        ]
      : Object.entries(deed).map(([name, value]) => ({ name, type: typeof value, value: String(value) }))
  return { name: `${at + 1}. ${program}`, type: 'instruction', members }
}

function readDeed({ program, accounts, data }: Step): Deed | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const name = programs[program]
  const [first = '', second = '', third = ''] = accounts
  if (name === 'System' && data.length === 12 && view.getUint32(0, true) === 2) {
    return { kind: 'transfer', from: first, to: second, lamports: view.getBigUint64(4, true) }
  }
  const isToken = name === 'SPL Token' || name === 'Token-2022'
  // TransferChecked names the mint; a plain Transfer does not, so that nobody knows what moves.
  if (isToken && data.length === 10 && data[0] === 12) {
    return { kind: 'tokenTransfer', mint: second, to: third, amount: view.getBigUint64(1, true) }
  }
  return undefined
}
