import type { Network } from '@latchkey/protocol'
import { isAddress, isAddressEqual, type Address } from 'viem'
import { refusals } from '../../rpcError.ts'
import type { Family, FamilyRequest, Question } from '../family.ts'
import type { TransactionSummary } from '../question.ts'
import { readBalances } from './balances.ts'
import { chainNumber, createClient, type EvmClient } from './client.ts'
import { developmentAccounts, type EvmAccount } from './keys.ts'
import { readMessage } from './message.ts'
import { checkEndpoint, readAdd, readSwitch } from './networkRequest.ts'
import { estimateFee, send } from './send.ts'
import { describeTransaction, readTransaction } from './transaction.ts'
import { readTypedData } from './typedData.ts'

/** Everything that the wallet does in eip155. */
export function evm(): Family {
  const accounts = developmentAccounts()
  const clients = new Map<string, EvmClient>()

  function clientOf(network: Network): EvmClient {
    const client = clients.get(network.caipNetworkId) ?? createClient(network)
    clients.set(network.caipNetworkId, client)
    return client
  }

  /** @throws RpcError 4100 unless the session shares the account. */
  function accountOf(address: Address, request: FamilyRequest): EvmAccount {
    const isIt = (each: { address: string }): boolean =>
      isAddress(each.address, { strict: false }) && isAddressEqual(each.address, address)
    const account = accounts.find(isIt)
    if (account === undefined || !request.accounts.some(isIt)) throw refusals.unauthorized(address)
    return account
  }

  const readers: { [method: string]: (request: FamilyRequest) => Question } = {
    personal_sign(request) {
      const { address, bytes, message } = readMessage(request.params)
      const account = accountOf(address, request)
      return {
        kind: 'message',
        account,
        message,
        answer: () => account.signer.signMessage({ message: { raw: bytes } }),
      }
    },
    eth_signTypedData_v4(request) {
      const { address, definition, summary } = readTypedData(request.params, chainNumber(request.network))
      const account = accountOf(address, request)
      return { kind: 'typedData', account, data: summary, answer: () => account.signer.signTypedData(definition) }
    },
    eth_sendTransaction(request) {
      const { network, params, tokens } = request
      const wanted = readTransaction(params)
      const account = accountOf(wanted.from, request)
      const { value, data } = wanted
      const transaction: TransactionSummary = {
        network,
        value,
        data,
        action: describeTransaction(wanted, network, tokens),
      }
      return {
        kind: 'transaction',
        account,
        transaction,
        estimate: () => estimateFee(clientOf(network), network, wanted),
        answer: () => send(clientOf(network), network, account.signer, wanted),
      }
    },
    wallet_switchEthereumChain: ({ params, networks }) => ({
      kind: 'switchNetwork',
      network: readSwitch(params, networks),
    }),
    wallet_addEthereumChain({ params, networks }) {
      const network = readAdd(params, networks)
      return { kind: 'addNetwork', network, check: () => checkEndpoint(network) }
    },
  }

  return {
    namespace: 'eip155',
    accounts,
    methods: Object.keys(readers),
    events: ['accountsChanged', 'chainChanged'],
    async balances(network, tokens, address) {
      if (!isAddress(address)) throw refusals.invalid('the address')
      return readBalances(clientOf(network), network, tokens, address)
    },
    read(request) {
      const read = Object.hasOwn(readers, request.method) ? readers[request.method] : undefined
      if (read === undefined) throw refusals.unsupported(request.method)
      return read(request)
    },
    async signIn({ address }, text) {
      const account = accounts.find((each) => each.address === address)
      if (account === undefined) throw refusals.unauthorized(address)
      return account.signer.signMessage({ message: text })
    },
    accountEvent: (address, chainId) => ({ name: 'accountsChanged', data: [`${chainId}:${address}`] }),
    networkEvent: (network) => ({ name: 'chainChanged', data: chainNumber(network) }),
  }
}
