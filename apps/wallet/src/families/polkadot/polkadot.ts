import { hex } from '@scure/base'
import { isRecord } from '../../config.ts'
import { refusals } from '../../rpcError.ts'
import type { Family, FamilyRequest, Question } from '../family.ts'
import type { Message } from '../question.ts'
import { readBalances } from './balances.ts'
import { developmentAccounts, type PolkadotAccount } from './keys.ts'
import { readPayload } from './payload.ts'

/** Everything that the wallet does in polkadot. */
export function polkadot(): Family {
  const accounts = developmentAccounts()

  /** @throws RpcError 4100 unless the session shares it. */
  function signerOf({ params, accounts: shared }: FamilyRequest): PolkadotAccount {
    const wanted = isRecord(params) ? params['address'] : undefined
    const address = typeof wanted === 'string' ? wanted : shared[0]?.address
    const account = accounts.find((each) => each.address === address)
    if (account === undefined || !shared.some((each) => each.address === address)) {
      throw refusals.unauthorized(String(address))
    }
    return account
  }

  const readers: { [method: string]: (request: FamilyRequest) => Question } = {
    polkadot_signMessage(request) {
      const account = signerOf(request)
      const said = isRecord(request.params) ? request.params['message'] : undefined
      if (typeof said !== 'string') throw refusals.invalid('no message')
      const { message, bytes } = readMessage(said)
      const answer = async (): Promise<unknown> => ({ signature: `0x${hex.encode(account.sign(wrap(bytes)))}` })
      return { kind: 'message', account, message, answer }
    },
    polkadot_signTransaction(request) {
      const account = signerOf(request)
      const payload = isRecord(request.params) ? request.params['transactionPayload'] : undefined
      const { bytes, summary } = readPayload(payload, request.network)
      const answer = async (): Promise<unknown> => ({
        signature: `0x${hex.encode(Uint8Array.of(account.kindByte, ...account.sign(bytes)))}`,
      })
      return { kind: 'typedData', account, data: summary, answer }
    },
  }

  return {
    namespace: 'polkadot',
    accounts,
    methods: Object.keys(readers),
    events: ['accountsChanged', 'chainChanged'],
    balances: (network, _, address) => readBalances(network, address),
    read(request) {
      const read = Object.hasOwn(readers, request.method) ? readers[request.method] : undefined
      if (read === undefined) throw refusals.unsupported(request.method)
      return read(request)
    },
    accountEvent: (address, chainId) => ({ name: 'accountsChanged', data: [`${chainId}:${address}`] }),
    networkEvent: ({ caipNetworkId }) => ({ name: 'chainChanged', data: caipNetworkId }),
  }
}

/** Takes hex for the bytes that it stands for, as wallets of this family do, and all else for text. */
function readMessage(said: string): { message: Message; bytes: Uint8Array } {
  if (!/^0x([0-9a-f]{2})+$/i.test(said)) return { message: { kind: 'text', text: said }, bytes: utf8.encode(said) }
  const bytes = hex.decode(said.slice(2).toLowerCase())
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { message: { kind: 'text', text }, bytes }
  } catch {
    return { message: { kind: 'bytes', hex: said }, bytes }
  }
}

const utf8 = new TextEncoder()
const [before, after] = [utf8.encode('<Bytes>'), utf8.encode('</Bytes>')]

/** Raw data between its tags, so that it can never be a transaction; what has them has them once. */
function wrap(bytes: Uint8Array): Uint8Array {
  const starts = before.every((byte, at) => bytes[at] === byte)
  const ends = after.every((byte, at) => bytes[bytes.length - after.length + at] === byte)
  const isWrapped = starts && ends && bytes.length >= before.length + after.length
  return isWrapped ? bytes : Uint8Array.of(...before, ...bytes, ...after)
}
