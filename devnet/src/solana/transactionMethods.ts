import { getCompiledTransactionMessageDecoder, lamports, type EncodedAccount } from '@solana/kit'
import { encodeAccount } from './encodeAccount.ts'
import { encodeStatus, encodeTransaction } from './encodeTransaction.ts'
import { JsonRpcError, readRecord, type Methods } from './jsonRpc.ts'
import type { Ledger } from './ledger.ts'
import { readAddress, readAmount, readBytes, readTexts } from './parameters.ts'

/** What a signature costs. */
const lamportsPerSignature = 5_000

/** What sends transactions and asks what became of them. */
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
      const told = wanted === undefined || wanted === null ? null : accountsAfter(ledger, accounts, readRecord(wanted))
      const nothing = { accounts: told, innerInstructions: null, returnData: null, loadedAccountsDataSize: 0 }
      return withContext({ ...nothing, err: error, logs, unitsConsumed: units, replacementBlockhash })
    },
    getFeeForMessage([message]) {
      const bytes = readBytes(message, { encoding: 'base64' })
      const { header } = getCompiledTransactionMessageDecoder().decode(bytes)
      return withContext(lamportsPerSignature * header.numSignerAccounts)
    },
    getSignatureStatuses([signatures]) {
      const statuses = readTexts(signatures).map((each) => {
        const record = ledger.history.get(each)
        return record === undefined ? null : encodeStatus(record)
      })
      return withContext(statuses)
    },
    getSignaturesForAddress([where, config]) {
      const { limit = 1_000, before, until } = readRecord(config)
      const records = ledger.history.of(readAddress(where))
      const start = before === undefined ? 0 : records.findIndex(({ signature }) => signature === before) + 1
      const end = until === undefined ? -1 : records.findIndex(({ signature }) => signature === until)
      return records
        .slice(start, end === -1 ? undefined : end)
        .slice(0, Number(limit))
        .map(({ signature, slot, blockTime, error }) => {
          return { signature, slot, blockTime, err: error, memo: null, confirmationStatus: 'finalized' }
        })
    },
    getTransaction([signature, config]) {
      const record = ledger.history.get(String(signature))
      return record === undefined ? null : encodeTransaction(record, config)
    },
    requestAirdrop: ([where, amount]) => faucet(readAddress(where), lamports(readAmount(amount))),
  }
}

/** What was asked for, in its order: as it would be, or as it is where the transaction does not touch it. */
function accountsAfter(
  { vm }: Ledger,
  accounts: readonly EncodedAccount[],
  { addresses, encoding }: Readonly<Record<string, unknown>>,
): readonly (object | null)[] {
  return readTexts(addresses).map((each) => {
    const touched = accounts.find(({ address }) => address === each)
    const here = touched === undefined ? vm.getAccount(readAddress(each)) : { ...touched, exists: true as const }
    return here.exists && here.lamports > 0n ? encodeAccount(vm, here, { encoding }) : null
  })
}

/** Sends SOL to whoever asks; answers with the transaction's signature. */
export type Faucet = (to: ReturnType<typeof readAddress>, amount: ReturnType<typeof lamports>) => Promise<string>

/** More at once would let one click empty the faucet. */
const faucetLimit = 1_000_000_000_000n

/** @throws JsonRpcError -32602 when it is too much. */
export function checkAirdrop(amount: bigint): void {
  if (amount > faucetLimit) throw new JsonRpcError(-32_602, 'The faucet gives at most 1000 SOL at once.')
}
