import { getCompiledTransactionMessageDecoder, lamports, type EncodedAccount } from '@solana/kit'
import { encodeAccount } from './encodeAccount.ts'
import { encodeStatus, encodeTransaction } from './encodeTransaction.ts'
import { JsonRpcError, readRecord, type Methods } from './jsonRpc.ts'
import type { Ledger } from './ledger.ts'
import { parseAddressParameter, parseAmountParameter, readBytes, parseTextsParameter } from './addressParameter.ts'

/** The fee per signature, in lamports. */
const lamportsPerSignature = 5_000

/** The methods that send and look up transactions. */
export function transactionMethods(ledger: Ledger, faucet: Faucet): Methods {
  const withContext = (value: unknown): object => ({ context: { slot: ledger.slot(), apiVersion: '3.0.0' }, value })
  return {
    sendTransaction([wire, config]) {
      const skipPreflight = readRecord(config)['skipPreflight'] === true
      return ledger.send(readBytes(wire, config), { skipPreflight }).signature
    },
    simulateTransaction([wire, config]) {
      const { sigVerify, replaceRecentBlockhash, accounts: wanted } = readRecord(config)
      const {
        error,
        logs,
        units,
        accounts = [],
      } = ledger.simulate(readBytes(wire, config), {
        checksSignatures: sigVerify === true,
        replacesBlockhash: replaceRecentBlockhash === true,
      })
      const replacementBlockhash = replaceRecentBlockhash === true ? ledger.blockhashes.latest() : undefined
      const accountStates =
        wanted === undefined || wanted === null ? null : accountsAfter(ledger, accounts, readRecord(wanted))
      const nothing = { accounts: accountStates, innerInstructions: null, returnData: null, loadedAccountsDataSize: 0 }
      return withContext({ ...nothing, err: error, logs, unitsConsumed: units, replacementBlockhash })
    },
    getFeeForMessage([message]) {
      const bytes = readBytes(message, { encoding: 'base64' })
      const { header } = getCompiledTransactionMessageDecoder().decode(bytes)
      return withContext(lamportsPerSignature * header.numSignerAccounts)
    },
    getSignatureStatuses([signatures]) {
      const statuses = parseTextsParameter(signatures).map((each) => {
        const record = ledger.history.get(each)
        return record === undefined ? null : encodeStatus(record)
      })
      return withContext(statuses)
    },
    getSignaturesForAddress([where, config]) {
      const { limit = 1_000, before, until } = readRecord(config)
      const records = ledger.history.of(parseAddressParameter(where), typeof before === 'string' ? before : undefined)
      const end = until === undefined ? -1 : records.findIndex(({ signature }) => signature === until)
      return records
        .slice(0, end === -1 ? undefined : end)
        .slice(0, Number(limit))
        .map(({ signature, slot, blockTime, error }) => {
          return { signature, slot, blockTime, err: error, memo: null, confirmationStatus: 'finalized' }
        })
    },
    getTransaction([signature, config]) {
      const record = ledger.history.get(String(signature))
      return record === undefined ? null : encodeTransaction(record, config)
    },
    requestAirdrop: ([where, amount]) => faucet(parseAddressParameter(where), lamports(parseAmountParameter(amount))),
  }
}

/** The requested accounts, in order, after the simulation. */
function accountsAfter(
  { vm }: Ledger,
  accounts: readonly EncodedAccount[],
  { addresses, encoding }: Readonly<Record<string, unknown>>,
): readonly (object | null)[] {
  return parseTextsParameter(addresses).map((each) => {
    const touched = accounts.find(({ address }) => address === each)
    const here =
      touched === undefined ? vm.getAccount(parseAddressParameter(each)) : { ...touched, exists: true as const }
    return here.exists && here.lamports > 0n ? encodeAccount(vm, here, { encoding }) : null
  })
}

/** The faucet: sends SOL and returns the transaction's signature. */
export type Faucet = (
  to: ReturnType<typeof parseAddressParameter>,
  amount: ReturnType<typeof lamports>,
) => Promise<string>

/** The maximum per request. */
const faucetLimit = 1_000_000_000_000n

/** @throws JsonRpcError -32602 if it is too much. */
export function checkAirdrop(amount: bigint): void {
  if (amount > faucetLimit) throw new JsonRpcError(-32_602, 'The faucet gives at most 1000 SOL at once.')
}
