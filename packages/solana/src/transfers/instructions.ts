import { LatchkeyError } from '@latchkey/protocol'
import { AccountRole, type Address, type Instruction } from '@solana/kit'
import { associatedTokenProgram, systemProgram } from './programs.ts'

const largestAmount = 2n ** 64n - 1n

/**
 * An amount that a program can be told.
 *
 * @throws LatchkeyError `amount/invalid`.
 */
export function checkedAmount(amount: bigint): bigint {
  if (amount <= 0n || amount > largestAmount) throw new LatchkeyError('amount/invalid', { value: String(amount) })
  return amount
}

/** Lamports from one account to another: instruction 2 of the System program. */
export function moveLamports(from: Address, to: Address, lamports: bigint): Instruction {
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

/** What moves tokens from one account of them to another. */
export type TokenMove = {
  readonly program: Address
  readonly mint: Address
  readonly decimals: number
  readonly from: Address
  readonly to: Address
  readonly owner: Address
  readonly amount: bigint
}

/**
 * Tokens from one account to another, with the mint and its decimals named so that neither can be mistaken:
 * TransferChecked, instruction 12 of both token programs.
 */
export function moveTokens({ program, mint, decimals, from, to, owner, amount }: TokenMove): Instruction {
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

/** Opens somebody's account for a token at the payer's cost, or does nothing where it is there meanwhile. */
export function openTokenAccount(token: {
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
