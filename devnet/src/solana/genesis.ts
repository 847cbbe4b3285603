import {
  address,
  getAddressEncoder,
  getProgramDerivedAddress,
  lamports,
  type Address,
  type EncodedAccount,
} from '@solana/kit'
import type { LiteSVM } from 'litesvm'
import { solanaAddresses } from './solanaAddresses.ts'

/** The genesis hash; its first 32 characters are the chain reference (CAIP-2). */
export const genesisHash = '4v1ju4tNqf5CsyUi7nTjjWA5qbKrizisiSGny98TRMY7'

/** A token of the local Solana. */
export type SolanaToken = { address: string; name: string; symbol: string; decimals: number }

export const systemProgram: Address = address('11111111111111111111111111111111')
export const tokenProgram: Address = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
export const token2022Program: Address = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
const associatedTokenProgram = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')

/** The initial SPL tokens of every funded account. */
export const solanaTokens = [
  { address: 'F7tozZD6SBLifJMFSePpFvKnSGsvxQqjsrro5K4DM7cp', name: 'Latch Dollar', symbol: 'LUSD', decimals: 6 },
] as const satisfies readonly SolanaToken[]

const lamportsEach = 10_000n * 1_000_000_000n
const faucetLamports = 100_000_000n * 1_000_000_000n
const tokensEach = 10_000n

/** Funds the accounts with SOL and SPL tokens, minted by the first one, and the faucet with SOL. */
export async function createGenesis(vm: LiteSVM, faucet: Address): Promise<void> {
  const put = (account: Omit<EncodedAccount, 'executable' | 'space'>): void =>
    vm.setAccount({ ...account, executable: false, space: BigInt(account.data.length) })
  const rich = [...solanaAddresses.map((owner) => [owner, lamportsEach] as const), [faucet, faucetLamports] as const]
  for (const [owner, amount] of rich) {
    put({ address: owner, data: new Uint8Array(), lamports: lamports(amount), programAddress: systemProgram })
  }
  for (const token of solanaTokens) {
    const mint = address(token.address)
    const each = tokensEach * 10n ** BigInt(token.decimals)
    const data = mintData(solanaAddresses[0], each * BigInt(solanaAddresses.length), token.decimals)
    put({ address: mint, data, lamports: rentOf(vm, data), programAddress: tokenProgram })
    for (const owner of solanaAddresses) {
      const held = tokenAccountData(mint, owner, each)
      const holder = await tokenAccountOf(owner, mint)
      put({ address: holder, data: held, lamports: rentOf(vm, held), programAddress: tokenProgram })
    }
  }
}

/** The associated token account of an owner and a mint. */
export async function tokenAccountOf(owner: Address, mint: Address): Promise<Address> {
  const encode = getAddressEncoder().encode
  const seeds = [encode(owner), encode(tokenProgram), encode(mint)]
  const [derived] = await getProgramDerivedAddress({ programAddress: associatedTokenProgram, seeds })
  return derived
}

/** A mint in the layout of the SPL Token program: authority, supply, decimals, initialized, no freeze authority. */
function mintData(authority: Address, supply: bigint, decimals: number): Uint8Array {
  const data = new Uint8Array(82)
  const view = new DataView(data.buffer)
  view.setUint32(0, 1, true)
  data.set(getAddressEncoder().encode(authority), 4)
  view.setBigUint64(36, supply, true)
  view.setUint8(44, decimals)
  view.setUint8(45, 1)
  return data
}

/** A token account in the same layout: mint, owner, amount, initialized. */
function tokenAccountData(mint: Address, owner: Address, amount: bigint): Uint8Array {
  const data = new Uint8Array(165)
  data.set(getAddressEncoder().encode(mint), 0)
  data.set(getAddressEncoder().encode(owner), 32)
  const view = new DataView(data.buffer)
  view.setBigUint64(64, amount, true)
  view.setUint8(108, 1)
  return data
}

function rentOf(vm: LiteSVM, data: Uint8Array): EncodedAccount['lamports'] {
  return lamports(vm.minimumBalanceForRentExemption(BigInt(data.length)))
}
