import { hex } from '@scure/base'
import { isRecord } from '@latchkey/protocol'
import { rpcErrors } from '../../rpcError.ts'
import { decodeRequest, type RequestDecoders } from '../decodeRequest.ts'
import { getSigner } from '../getSigner.ts'
import type { AdapterRequest, DecodedRequest, NamespaceAdapter } from '../namespaceAdapter.ts'
import type { Message } from '../typedDataSummary.ts'
import { getPolkadotBalances } from './getPolkadotBalances.ts'
import { createPolkadotAccounts, type PolkadotAccount } from './polkadotAccount.ts'
import { parsePayloadRequest } from './payloadRequest.ts'

/** Creates the wallet's adapter for the namespace polkadot. */
export function createPolkadotAdapter(): NamespaceAdapter {
  const accounts = createPolkadotAccounts()
  const decoders: RequestDecoders = {
    polkadot_signMessage: (request) => decodePolkadotMessage(request, getSigner(accounts, request, 'address')),
    polkadot_signTransaction: (request) => decodePolkadotTransaction(request, getSigner(accounts, request, 'address')),
  }
  return {
    namespace: 'polkadot',
    accounts,
    methods: Object.keys(decoders),
    events: ['accountsChanged', 'chainChanged'],
    getBalances: (network, _, address) => getPolkadotBalances(network, address),
    decode: (request) => decodeRequest(decoders, request),
    accountEvent: (address, chainId) => ({ name: 'accountsChanged', data: [`${chainId}:${address}`] }),
    networkEvent: ({ caipNetworkId }) => ({ name: 'chainChanged', data: caipNetworkId }),
  }
}

function decodePolkadotMessage({ params }: AdapterRequest, account: PolkadotAccount): DecodedRequest {
  const content = isRecord(params) ? params['message'] : undefined
  if (typeof content !== 'string') throw rpcErrors.invalid('message is missing')
  const { message, bytes } = parseMessage(content)
  const execute = async (): Promise<unknown> => ({ signature: `0x${hex.encode(account.sign(wrapBytes(bytes)))}` })
  return { kind: 'message', account, message, execute }
}

function decodePolkadotTransaction({ params, network }: AdapterRequest, account: PolkadotAccount): DecodedRequest {
  const payload = isRecord(params) ? params['transactionPayload'] : undefined
  const { bytes, summary } = parsePayloadRequest(payload, network)
  const execute = async (): Promise<unknown> => ({
    signature: `0x${hex.encode(Uint8Array.of(account.kindByte, ...account.sign(bytes)))}`,
  })
  return { kind: 'typedData', account, data: summary, execute }
}

/** Decodes hex to bytes, as Polkadot wallets do, and takes everything else as text. */
function parseMessage(content: string): { message: Message; bytes: Uint8Array } {
  if (!/^0x([0-9a-f]{2})+$/i.test(content))
    return { message: { kind: 'text', text: content }, bytes: utf8.encode(content) }
  const bytes = hex.decode(content.slice(2).toLowerCase())
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { message: { kind: 'text', text }, bytes }
  } catch {
    return { message: { kind: 'bytes', hex: content }, bytes }
  }
}

const utf8 = new TextEncoder()
const [before, after] = [utf8.encode('<Bytes>'), utf8.encode('</Bytes>')]

/** Wraps raw data in its tags, so that it can never be a transaction. Wrapped data stays unchanged. */
function wrapBytes(bytes: Uint8Array): Uint8Array {
  const starts = before.every((byte, at) => bytes[at] === byte)
  const ends = after.every((byte, at) => bytes[bytes.length - after.length + at] === byte)
  const isWrapped = starts && ends && bytes.length >= before.length + after.length
  return isWrapped ? bytes : Uint8Array.of(...before, ...bytes, ...after)
}
