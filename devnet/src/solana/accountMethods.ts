import { address, type Address, type EncodedAccount, type ReadonlyUint8Array } from '@solana/kit'
import { encodeAccount, readHolding, readMint, tokenAmount } from './encodeAccount.ts'
import { tokenProgram } from './genesis.ts'
import { JsonRpcError, readRecord, type Methods } from './jsonRpc.ts'
import type { Ledger } from './ledger.ts'
import { parseAddressParameter, parseAddressesParameter, readBytes } from './addressParameter.ts'

/** The methods for accounts and their tokens. */
export function accountMethods(ledger: Ledger): Methods {
  const { vm } = ledger
  const withContext = (value: unknown): object => ({ context: { slot: ledger.slot(), apiVersion: '3.0.0' }, value })

  function read(where: Address, config: unknown): object | null {
    const account = vm.getAccount(where)
    return account.exists && account.lamports > 0n ? encodeAccount(vm, account, config) : null
  }

  function listed(accounts: readonly EncodedAccount[], config: unknown): readonly object[] {
    return accounts.map((account) => ({ pubkey: account.address, account: encodeAccount(vm, account, config) }))
  }

  /** @throws JsonRpcError -32602 if it is not a mint. */
  function mintAt(where: Address): { supply: bigint; decimals: number } {
    const account = vm.getAccount(where)
    const mint = account.exists ? readMint(account) : undefined
    if (mint === undefined) throw new JsonRpcError(-32_602, 'Invalid param: not a Token mint')
    return mint
  }

  return {
    getBalance: ([where]) => withContext(vm.getBalance(parseAddressParameter(where)) ?? 0n),
    getAccountInfo: ([where, config]) => withContext(read(parseAddressParameter(where), config)),
    getMultipleAccounts: ([where, config]) =>
      withContext(parseAddressesParameter(where).map((each) => read(each, config))),
    getProgramAccounts([program, config]) {
      const { filters, withContext: wrapped } = readRecord(config)
      const wanted = Array.isArray(filters) ? filters : []
      const found = vm
        .getProgramAccounts(parseAddressParameter(program))
        .filter(({ data }) => wanted.every((each) => matchesFilter(data, each)))
      return wrapped === true ? withContext(listed(found, config)) : listed(found, config)
    },
    getTokenAccountsByOwner([owner, filter, config]) {
      const { mint, programId = tokenProgram } = readRecord(filter)
      const program =
        mint === undefined ? parseAddressParameter(programId) : ownerOf(vm.getAccount(parseAddressParameter(mint)))
      const found = vm.getProgramAccounts(program).filter((account) => {
        const holding = readHolding(account)
        return holding?.owner === owner && (mint === undefined || holding?.mint === mint)
      })
      return withContext(listed(found, config))
    },
    getTokenAccountBalance([where]) {
      const account = vm.getAccount(parseAddressParameter(where))
      const holding = account.exists ? readHolding(account) : undefined
      if (holding === undefined) throw new JsonRpcError(-32_602, 'Invalid param: not a Token account')
      return withContext(tokenAmount(holding.amount, mintAt(address(holding.mint)).decimals))
    },
    getTokenSupply([where]) {
      const { supply, decimals } = mintAt(parseAddressParameter(where))
      return withContext(tokenAmount(supply, decimals))
    },
  }
}

function ownerOf(account: { exists: false } | ({ exists: true } & EncodedAccount)): Address {
  if (account.exists) return account.programAddress
  throw new JsonRpcError(-32_602, 'Invalid param: could not find mint')
}

/** A filter of `getProgramAccounts`: by size, or by bytes at an offset. */
function matchesFilter(data: ReadonlyUint8Array, filter: unknown): boolean {
  const { dataSize, memcmp } = readRecord(filter)
  if (dataSize !== undefined) return data.length === dataSize
  const { offset, bytes, encoding = 'base58' } = readRecord(memcmp)
  const wanted = readBytes(bytes, { encoding })
  return typeof offset === 'number' && wanted.every((byte, at) => data[offset + at] === byte)
}
