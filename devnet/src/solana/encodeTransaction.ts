import { getBase58Decoder, getBase64Decoder } from '@solana/kit'
import { readRecord } from './jsonRpc.ts'
import type { Message } from './execution.ts'
import { tokenAmount } from './encodeAccount.ts'
import type { TokenBalance, TransactionRecord } from './history.ts'

/** Encodes an executed transaction as `getTransaction` does: as bytes or as JSON. */
export function encodeTransaction(record: TransactionRecord, config: unknown): object {
  const { slot, blockTime, message } = record
  return {
    slot,
    blockTime,
    version: message.version === 'legacy' ? 'legacy' : message.version,
    transaction: encodeWire(record, typeof config === 'string' ? config : readRecord(config)['encoding']),
    meta: encodeMeta(record),
  }
}

/** The status of a transaction. Every executed transaction is final. */
export function encodeStatus({ slot, error }: TransactionRecord): object {
  const status = error === null ? { Ok: null } : { Err: error }
  return { slot, confirmations: null, err: error, status, confirmationStatus: 'finalized' }
}

function encodeMeta(record: TransactionRecord): object {
  const { error, fee, before, after, tokensBefore, tokensAfter, logs, units } = record
  return {
    err: error,
    status: error === null ? { Ok: null } : { Err: error },
    fee,
    preBalances: before,
    postBalances: after,
    preTokenBalances: tokensBefore.map(encodeTokenBalance),
    postTokenBalances: tokensAfter.map(encodeTokenBalance),
    innerInstructions: [],
    loadedAddresses: { readonly: [], writable: [] },
    logMessages: logs,
    rewards: [],
    computeUnitsConsumed: units,
  }
}

function encodeTokenBalance({ accountIndex, mint, owner, amount, decimals }: TokenBalance): object {
  return { accountIndex, mint, owner, uiTokenAmount: tokenAmount(amount, decimals) }
}

function encodeWire({ wire, message, signatures }: TransactionRecord, encoding: unknown): unknown {
  if (encoding === 'base58') return [getBase58Decoder().decode(wire), 'base58']
  if (encoding === 'base64') return [getBase64Decoder().decode(wire), 'base64']
  return { signatures, message: encodeMessage(message, encoding === 'jsonParsed') }
}

function encodeMessage(message: Message, isParsed: boolean): object {
  const { header, staticAccounts, lifetimeToken: recentBlockhash, version } = message
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header
  const lookups = version === 'legacy' ? {} : { addressTableLookups: message.addressTableLookups ?? [] }
  const instructions = message.instructions.map(({ programAddressIndex, accountIndices = [], data }) => ({
    ...(isParsed
      ? { programId: staticAccounts[programAddressIndex], accounts: accountIndices.map((at) => staticAccounts[at]) }
      : { programIdIndex: programAddressIndex, accounts: accountIndices }),
    data: data === undefined ? '' : getBase58Decoder().decode(data),
    stackHeight: null,
  }))
  if (isParsed) return { accountKeys: parsedKeys(message), recentBlockhash, instructions, ...lookups }
  return {
    header: {
      numRequiredSignatures: numSignerAccounts,
      numReadonlySignedAccounts: numReadonlySignerAccounts,
      numReadonlyUnsignedAccounts: numReadonlyNonSignerAccounts,
    },
    accountKeys: staticAccounts,
    recentBlockhash,
    instructions,
    ...lookups,
  }
}

function parsedKeys({ header, staticAccounts }: Message): readonly object[] {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header
  return staticAccounts.map((pubkey, at) => {
    const signer = at < numSignerAccounts
    const end = signer
      ? numSignerAccounts - numReadonlySignerAccounts
      : staticAccounts.length - numReadonlyNonSignerAccounts
    return { pubkey, signer, source: 'transaction', writable: at < end }
  })
}
