import { readUint } from '../approve/solana/byteReader.ts'
import { computeBudget, isTokenProgram, programName, systemProgram } from '../approve/solana/programName.ts'
import { parseMessage, type SolanaMessage } from '../approve/solana/solanaMessage.ts'
import { isDurable } from '../approve/solana/isDurable.ts'
import { joinSpendings, nothingSpent, unknownSpending, type Spending } from './spending.ts'
import { tokenAccountsOf } from './tokenAccountsOf.ts'

/** Lamports that a token account costs (rent exemption of 165 bytes). Extensions of Token-2022 make it larger. */
const accountRent = 10_000_000n
const feePerSignature = 5_000n
const defaultUnits = 1_400_000n
const asset = 'solana'

/**
 * Returns the spending of signed bytes: the amounts, fees and rents of a transaction. Text spends nothing.
 *
 * @param account the wallet's address
 * @param known receivers of the policy, so that their token accounts are recognised
 */
export function solanaSpending(bytes: Uint8Array, account: string, known: readonly string[]): Spending {
  const message = readMessage(bytes)
  if (message === undefined) return isText(bytes) ? nothingSpent : unknownSpending
  // Accounts in lookup tables are not in the signed bytes, and a durable nonce makes a transaction valid for any day.
  if (message.lookups.length > 0 || isDurable(message)) return unknownSpending
  const at = (place: number): string => message.accounts[place] ?? ''
  const steps = message.instructions.map(({ program, accounts, data }) =>
    stepSpending({ program: at(program), accounts: accounts.map(at), data, account, known }),
  )
  return joinSpendings([feeSpending(message, account), ...steps])
}

function readMessage(bytes: Uint8Array): SolanaMessage | undefined {
  try {
    return parseMessage(bytes)
  } catch {
    return undefined
  }
}

/**
 * A transaction begins with its number of signers or with a version. 32 signers don't fit into one, and no text in UTF-8 begins
 * with a byte of the versions up to 63.
 */
function isText([first = 0]: Uint8Array): boolean {
  return first >= 0x20 && (first < 0x80 || first >= 0xc0)
}

function feeSpending({ accounts, signers, instructions }: SolanaMessage, account: string): Spending {
  if (accounts[0] !== account) return nothingSpent
  let price = 0n
  let units = defaultUnits
  for (const { program, data } of instructions) {
    if (accounts[program] !== computeBudget) continue
    if (data[0] === 2 && data.length >= 5) units = readUint(data, 1, 4)
    if (data[0] === 3 && data.length >= 9) price = readUint(data, 1, 8)
  }
  const fee = feePerSignature * BigInt(signers) + (units * price) / 1_000_000n + 1n
  return { ...nothingSpent, amounts: [{ asset, units: fee }] }
}

type PolicyStep = {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Uint8Array
  readonly account: string
  readonly known: readonly string[]
}

function stepSpending(step: PolicyStep): Spending {
  const { program } = step
  const name = programName(program)
  if (program === computeBudget || name === 'Memo') return nothingSpent
  if (program === systemProgram) return systemSpending(step)
  if (isTokenProgram(program)) return tokenSpending(step)
  if (name === 'Associated Token Account' && step.data.length <= 1 && (step.data[0] ?? 0) <= 1)
    return rentSpending(step)
  return unknownSpending
}

function rentSpending({ accounts: [payer], account }: PolicyStep): Spending {
  return payer === account ? { ...nothingSpent, amounts: [{ asset, units: accountRent }] } : nothingSpent
}

function systemSpending({ accounts: [from, to = ''], data, account }: PolicyStep): Spending {
  if (data.length !== 12 || readUint(data, 0, 4) !== 2n) return unknownSpending
  if (from !== account) return nothingSpent
  return { amounts: [{ asset, units: readUint(data, 4, 8) }], receivers: [`solana:${to}`], isUnknown: false }
}

/** Only the checked forms name their mint. */
function tokenSpending({ program, accounts, data, account, known }: PolicyStep): Spending {
  const [, second = '', third = '', authority] = accounts
  const isChecked = (data[0] === 12 || data[0] === 13) && data.length === 10
  if (data[0] === 5 && data.length === 1) return nothingSpent
  if (!isChecked) return unknownSpending
  if (authority !== account && !accounts.slice(4).includes(account)) return nothingSpent
  const owner =
    data[0] === 12
      ? known.find((each) => tokenAccountsOf(each.replace(/^solana:/, ''), second, program).includes(third))
      : undefined
  return {
    amounts: [{ asset: `${asset}/${second}`, units: readUint(data, 1, 8) }],
    receivers: [owner ?? `solana:${third}`],
    isUnknown: false,
  }
}
