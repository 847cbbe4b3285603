import { hex } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import { isRecord } from '@latchkey/protocol'
import { rpcErrors } from '../../rpcError.ts'
import type { RequestDecoders } from '../decodeRequest.ts'
import { getSigner } from '../getSigner.ts'
import type { AdapterRequest, DecodedRequest } from '../namespaceAdapter.ts'
import type { BitcoinAccount, BitcoinKey } from './bitcoinAccount.ts'
import { describePsbt, parsePsbtRequest, signPsbt } from './psbtRequest.ts'
import { requestEsplora } from './requestEsplora.ts'
import { signMessage } from './signMessage.ts'
import { createTransfer, parseTransferRequest, sendTransfer } from './transferRequest.ts'

/** Creates the decoders of the Bitcoin methods. */
export function createBitcoinDecoders(accounts: readonly BitcoinAccount[]): RequestDecoders {
  const signer = (request: AdapterRequest): BitcoinAccount => getSigner(accounts, request, 'account')
  return {
    signMessage: (request) => decodeBitcoinMessage(request, signer(request)),
    signPsbt: (request) => decodePsbt(request, signer(request)),
    sendTransfer: (request) => decodeTransfer(request, signer(request)),
  }
}

function decodeBitcoinMessage({ params }: AdapterRequest, account: BitcoinAccount): DecodedRequest {
  const { message, address = account.address, protocol } = isRecord(params) ? params : {}
  if (typeof message !== 'string') throw rpcErrors.invalid('message is missing')
  const key = findKey(account, address)
  const execute = async (): Promise<unknown> => ({
    address: key.address,
    signature: hex.encode(signMessage(key, message, protocol)),
  })
  return { kind: 'message', account, message: { kind: 'text', text: message }, execute }
}

function decodePsbt({ params, network }: AdapterRequest, account: BitcoinAccount): DecodedRequest {
  const request = parsePsbtRequest(params, account)
  return {
    kind: 'typedData',
    account,
    data: describePsbt(request, network),
    async execute() {
      const psbt = signPsbt(request)
      if (!request.broadcast) return { psbt }
      const finalized = Transaction.fromPSBT(request.transaction.toPSBT())
      finalized.finalize()
      return { psbt, txid: await requestEsplora(network, 'tx', finalized.hex) }
    },
  }
}

function decodeTransfer({ params, network }: AdapterRequest, account: BitcoinAccount): DecodedRequest {
  const transfer = parseTransferRequest(params)
  return {
    kind: 'transaction',
    account,
    transaction: { network, value: transfer.value, data: '0x', action: { kind: 'send', to: transfer.to } },
    estimate: async () => ({ maximum: (await createTransfer(network, account, transfer)).fee }),
    execute: async () => ({ txid: await sendTransfer(network, account, transfer) }),
  }
}

/** @throws RpcError 4100 if the address belongs to another account */
function findKey({ keys }: BitcoinAccount, address: unknown): BitcoinKey {
  const key = keys.find((each) => each.address === address)
  if (key === undefined) throw rpcErrors.unauthorized(String(address))
  return key
}
