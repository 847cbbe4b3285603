import {
  getAddressDecoder,
  getBase58Decoder,
  getBase64Decoder,
  type EncodedAccount,
  type ReadonlyUint8Array,
} from '@solana/kit'
import type { LiteSVM } from 'litesvm'
import { token2022Program, tokenProgram } from './genesis.ts'
import { readRecord } from './jsonRpc.ts'

/** The balance of one SPL token. */
export type TokenHolding = { mint: string; owner: string; amount: bigint; state: string }

/** Encodes an account as nodes do: data in base58, base64 or, for token accounts and mints, parsed. */
export function encodeAccount(vm: LiteSVM, account: EncodedAccount, config: unknown): object {
  const { encoding = 'base64', dataSlice } = readRecord(config)
  const { lamports, programAddress, executable, space } = account
  const parsed = encoding === 'jsonParsed' ? parseTokenData(vm, account) : undefined
  return {
    lamports,
    owner: programAddress,
    executable,
    // Solana no longer collects rent.
    rentEpoch: 0,
    space,
    data: parsed ?? encodeData(sliceData(account.data, dataSlice), encoding === 'base58' ? 'base58' : 'base64'),
  }
}

/** Parses a token account; `undefined` for other accounts. */
export function readHolding({ data, programAddress }: EncodedAccount): TokenHolding | undefined {
  if (!isTokenProgram(programAddress) || data.length < 165) return undefined
  const view = viewOf(data)
  const { decode } = getAddressDecoder()
  return {
    mint: decode(data.subarray(0, 32)),
    owner: decode(data.subarray(32, 64)),
    amount: view.getBigUint64(64, true),
    state: ['uninitialized', 'initialized', 'frozen'][view.getUint8(108)] ?? 'uninitialized',
  }
}

/** Parses a mint; `undefined` for other accounts. */
export function readMint({ data, programAddress }: EncodedAccount):
  | {
      authority: string | null
      supply: bigint
      decimals: number
    }
  | undefined {
  if (!isTokenProgram(programAddress) || data.length !== 82) return undefined
  const view = viewOf(data)
  const hasAuthority = view.getUint32(0, true) === 1
  return {
    authority: hasAuthority ? getAddressDecoder().decode(data.subarray(4, 36)) : null,
    supply: view.getBigUint64(36, true),
    decimals: view.getUint8(44),
  }
}

/** Encodes a token amount as nodes do. */
export function tokenAmount(amount: bigint, decimals: number): object {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const [whole, part] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals)]
  const text = `${whole}.${part}`.replace(/\.?0*$/, '')
  const uiAmountString = decimals === 0 ? digits : text
  return { amount: String(amount), decimals, uiAmount: Number(uiAmountString), uiAmountString }
}

function parseTokenData(vm: LiteSVM, account: EncodedAccount): object | undefined {
  const program = account.programAddress === tokenProgram ? 'spl-token' : 'spl-token-2022'
  const holding = readHolding(account)
  const space = account.data.length
  if (holding !== undefined) {
    const { mint, owner, amount, state } = holding
    const minted = vm.getAccount(mint as EncodedAccount['address'])
    const decimals = minted.exists ? (readMint(minted)?.decimals ?? 0) : 0
    const info = { isNative: false, mint, owner, state, tokenAmount: tokenAmount(amount, decimals) }
    return { program, space, parsed: { type: 'account', info } }
  }
  const mint = readMint(account)
  if (mint === undefined) return undefined
  const { authority: mintAuthority, supply, decimals } = mint
  const info = { mintAuthority, supply: String(supply), decimals, isInitialized: true, freezeAuthority: null }
  return { program, space, parsed: { type: 'mint', info } }
}

function isTokenProgram(owner: string): boolean {
  return owner === tokenProgram || owner === token2022Program
}

function encodeData(data: ReadonlyUint8Array, encoding: 'base58' | 'base64'): readonly [string, string] {
  const decoder = encoding === 'base58' ? getBase58Decoder() : getBase64Decoder()
  return [decoder.decode(data), encoding]
}

function sliceData(data: ReadonlyUint8Array, wanted: unknown): ReadonlyUint8Array {
  const { offset, length } = readRecord(wanted)
  if (typeof offset !== 'number' || typeof length !== 'number') return data
  return data.subarray(offset, offset + length)
}

function viewOf(data: ReadonlyUint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength)
}
