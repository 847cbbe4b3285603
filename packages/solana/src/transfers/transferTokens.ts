import { inputError } from '@latchkey/protocol'
import { AccountRole, type Address, type Instruction } from '@solana/kit'
import { associatedTokenProgram, systemProgram } from './programs.ts'

/** Amounts are 64-bit numbers. */
export const largestAmount: bigint = 2n ** 64n - 1n

/**
 * Accepts an amount that fits in an instruction.
 *
 * @throws LatchkeyError `amount/invalid`
 */
export function assertTransferableAmount(amount: bigint): bigint {
  if (amount <= 0n || amount > largestAmount) throw inputError('amount/invalid', { value: String(amount) })
  return amount
}

/** Writes a transfer of lamports: instruction 2 of the System program. */
export function transferLamports(from: Address, to: Address, lamports: bigint): Instruction {
  const data = new Uint8Array(12)
  const view = new DataView(data.buffer)
  view.setUint32(0, 2, true)
  view.setBigUint64(4, lamports, true)
  const accounts = [
    { address: from, role: AccountRole.WRITABLE_SIGNER },
    { address: to, role: AccountRole.WRITABLE },
  ]
  return { programAddress: systemProgram, accounts, data }
}

/** A transfer between two token accounts. */
export type TokenTransfer = {
  readonly program: Address
  readonly mint: Address
  readonly decimals: number
  readonly from: Address
  readonly to: Address
  readonly owner: Address
  readonly amount: bigint
}

/**
 * Writes a token transfer: TransferChecked, instruction 12 of both token programs. It names the mint and its decimals, so
 * that the program rejects a mix-up of either.
 */
export function transferTokens({ program, mint, decimals, from, to, owner, amount }: TokenTransfer): Instruction {
  const data = new Uint8Array(10)
  const view = new DataView(data.buffer)
  view.setUint8(0, 12)
  view.setBigUint64(1, amount, true)
  view.setUint8(9, decimals)
  const accounts = [
    { address: from, role: AccountRole.WRITABLE },
    { address: mint, role: AccountRole.READONLY },
    { address: to, role: AccountRole.WRITABLE },
    { address: owner, role: AccountRole.READONLY_SIGNER },
  ]
  return { programAddress: program, accounts, data }
}

/** Writes the creation of a token account at the payer's expense. It has no effect if the account exists by then. */
export function createTokenAccount(token: {
  program: Address
  mint: Address
  payer: Address
  owner: Address
  account: Address
}): Instruction {
  const accounts = [
    { address: token.payer, role: AccountRole.WRITABLE_SIGNER },
    { address: token.account, role: AccountRole.WRITABLE },
    { address: token.owner, role: AccountRole.READONLY },
    { address: token.mint, role: AccountRole.READONLY },
    { address: systemProgram, role: AccountRole.READONLY },
    { address: token.program, role: AccountRole.READONLY },
  ]
  return { programAddress: associatedTokenProgram, accounts, data: new Uint8Array([1]) }
}
