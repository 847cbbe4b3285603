import type { Network } from '@latchkey/protocol'
import { isAddress, isAddressEqual, type Address } from 'viem'
import { rpcErrors } from '../../rpcError.ts'
import type { RequestDecoders } from '../decodeRequest.ts'
import type { AdapterRequest, DecodedRequest } from '../namespaceAdapter.ts'
import type { EvmAccount } from './evmAccount.ts'
import { chainNumber, type EvmClient } from './evmClient.ts'
import { parseMessageRequest } from './messageRequest.ts'
import { assertEndpoint, parseAddChain, parseSwitchChain } from './parseAddChain.ts'
import { estimateFee, sendEvmTransaction } from './sendEvmTransaction.ts'
import { describeTransaction, parseTransactionRequest } from './transactionRequest.ts'
import { parseTypedDataRequest } from './typedDataRequest.ts'

/** Creates the decoders of the EVM methods. */
export function createEvmDecoders(
  accounts: readonly EvmAccount[],
  getClient: (network: Network) => EvmClient,
): RequestDecoders {
  return {
    personal_sign(request) {
      const { address, bytes, message } = parseMessageRequest(request.params)
      const account = getSharedAccount(accounts, address, request)
      return {
        kind: 'message',
        account,
        message,
        execute: () => account.signer.signMessage({ message: { raw: bytes } }),
      }
    },
    eth_signTypedData_v4(request) {
      const { address, definition, summary } = parseTypedDataRequest(request.params, chainNumber(request.network))
      const account = getSharedAccount(accounts, address, request)
      return { kind: 'typedData', account, data: summary, execute: () => account.signer.signTypedData(definition) }
    },
    eth_sendTransaction: (request) => decodeEvmTransaction(request, accounts, getClient(request.network)),
    wallet_switchEthereumChain: ({ params, networks }) => ({
      kind: 'switchNetwork',
      network: parseSwitchChain(params, networks),
    }),
    wallet_addEthereumChain({ params, networks }) {
      const network = parseAddChain(params, networks)
      return { kind: 'addNetwork', network, check: () => assertEndpoint(network) }
    },
  }
}

function decodeEvmTransaction(
  request: AdapterRequest,
  accounts: readonly EvmAccount[],
  client: EvmClient,
): DecodedRequest {
  const { network, params, tokens } = request
  const parsed = parseTransactionRequest(params)
  const account = getSharedAccount(accounts, parsed.from, request)
  const { value, data } = parsed
  return {
    kind: 'transaction',
    account,
    transaction: { network, value, data, action: describeTransaction(parsed, network, tokens) },
    estimate: () => estimateFee(client, network, parsed),
    execute: () => sendEvmTransaction(client, network, account.signer, parsed),
  }
}

/** @throws RpcError 4100 if the session doesn't share the account */
function getSharedAccount(accounts: readonly EvmAccount[], address: Address, request: AdapterRequest): EvmAccount {
  const matches = (each: { address: string }): boolean =>
    isAddress(each.address, { strict: false }) && isAddressEqual(each.address, address)
  const account = accounts.find(matches)
  if (account === undefined || !request.accounts.some(matches)) throw rpcErrors.unauthorized(address)
  return account
}
