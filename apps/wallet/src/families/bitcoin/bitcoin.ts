import { hex } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import { isRecord } from '../../config.ts'
import { refusals } from '../../rpcError.ts'
import type { Account, Family, FamilyRequest, Question } from '../family.ts'
import { askService, readUnspent } from './esplora.ts'
import { developmentAccounts, type BitcoinAccount, type BitcoinKey } from './keys.ts'
import { signMessage } from './message.ts'
import { describePsbt, readPsbt, signPsbt } from './psbt.ts'
import { composeTransfer, readTransfer, sendTransfer } from './transfer.ts'

/** Everything that the wallet does in bip122. */
export function bitcoin(): Family {
  const accounts = developmentAccounts()

  /** @throws RpcError 4100 unless the session shares it. */
  function accountOf({ params, accounts: shared }: FamilyRequest): BitcoinAccount {
    const wanted = isRecord(params) ? params['account'] : undefined
    const address = typeof wanted === 'string' ? wanted : shared[0]?.address
    const account = accounts.find((each) => each.address === address)
    if (account === undefined || !shared.some((each) => each.address === address)) {
      throw refusals.unauthorized(String(address))
    }
    return account
  }

  const readers: { [method: string]: (request: FamilyRequest) => Question } = {
    signMessage(request) {
      const account = accountOf(request)
      const { message, address = account.address, protocol } = isRecord(request.params) ? request.params : {}
      if (typeof message !== 'string') throw refusals.invalid('no message')
      const key = keyOf(account, address)
      const answer = async (): Promise<unknown> => ({
        address: key.address,
        signature: hex.encode(signMessage(key, message, protocol)),
      })
      return { kind: 'message', account, message: { kind: 'text', text: message }, answer }
    },
    signPsbt(request) {
      const account = accountOf(request)
      const wanted = readPsbt(request.params, account)
      return {
        kind: 'typedData',
        account,
        data: describePsbt(wanted, request.network),
        async answer() {
          const psbt = signPsbt(wanted)
          if (!wanted.broadcast) return { psbt }
          const finished = Transaction.fromPSBT(wanted.transaction.toPSBT())
          finished.finalize()
          return { psbt, txid: await askService(request.network, 'tx', finished.hex) }
        },
      }
    },
    sendTransfer(request) {
      const { network } = request
      const account = accountOf(request)
      const wanted = readTransfer(request.params)
      return {
        kind: 'transaction',
        account,
        transaction: { network, value: wanted.value, data: '0x', action: { kind: 'send', to: wanted.to } },
        estimate: async () => ({ atMost: (await composeTransfer(network, account, wanted)).fee }),
        answer: async () => ({ txid: await sendTransfer(network, account, wanted) }),
      }
    },
  }

  return {
    namespace: 'bip122',
    accounts,
    methods: Object.keys(readers),
    events: ['accountsChanged', 'chainChanged', 'bip122_addressesChanged'],
    async balances(network, _, address) {
      const amount = (await readUnspent(network, address)).reduce((sum, output) => sum + output.amount, 0n)
      return [{ asset: 'native', ...network.nativeCurrency, amount }]
    },
    read(request) {
      const read = Object.hasOwn(readers, request.method) ? readers[request.method] : undefined
      if (read === undefined) throw refusals.unsupported(request.method)
      return read(request)
    },
    sessionProperties: (shared) => ({ bip122_getAccountAddresses: JSON.stringify(addressesOf(accounts, shared)) }),
    accountEvent: (address, chainId) => ({ name: 'accountsChanged', data: [`${chainId}:${address}`] }),
    networkEvent: ({ caipNetworkId }) => ({ name: 'chainChanged', data: caipNetworkId }),
  }
}

/** @throws RpcError 4100 for an address of another account. */
function keyOf({ keys }: BitcoinAccount, address: unknown): BitcoinKey {
  const key = keys.find((each) => each.address === address)
  if (key === undefined) throw refusals.unauthorized(String(address))
  return key
}

/** What apps are told of the accounts that they get, so that they need not ask. */
function addressesOf(accounts: readonly BitcoinAccount[], shared: readonly Account[]): object[] {
  const own = accounts.filter(({ address }) => shared.some((each) => each.address === address))
  return own.flatMap(({ keys }) =>
    keys.map(({ address, publicKey, path, intention }) => ({ address, publicKey, path, intention })),
  )
}
