import {
  callMethod,
  createMethodProvider,
  invalidParams,
  type AbandonableProvider,
  type MethodHandlers,
} from '@latchkey/adapter-kit'
import type { Clock } from '@latchkey/core'
import { getField, isRecord } from '@latchkey/protocol'
import { toHex } from '../wallet/toHex.ts'
import { findExtensionAccount, type ExtensionAccount } from './extensionAccounts.ts'
import { toExtensionError } from './toExtensionError.ts'

/** Gives an extension the methods that WalletConnect defines for polkadot. Every request ends. */
export function createExtensionProvider(
  injected: unknown,
  accounts: () => readonly ExtensionAccount[],
  clock: Clock,
): AbandonableProvider {
  return createMethodProvider(createExtensionMethods(injected, accounts), clock, toExtensionError)
}

function createExtensionMethods(injected: unknown, accounts: () => readonly ExtensionAccount[]): MethodHandlers {
  const sign = (method: string, request: object): Promise<unknown> =>
    callMethod(getField(injected, 'signer'), method, request)

  /** Returns the address in the extension's own format. Not all extensions recognise other formats. */
  function findSigner(params: unknown): string {
    const address = getField(params, 'address')
    const account = typeof address === 'string' ? findExtensionAccount(accounts(), address) : undefined
    if (account === undefined) throw invalidParams('an address of the wallet')
    return account.raw
  }

  return {
    async polkadot_signMessage(params) {
      const [message, type] = [getField(params, 'message'), getField(params, 'type')]
      if (typeof message !== 'string') throw invalidParams('a message')
      // An extension would decode a string that looks like hex, so strings are sent as bytes.
      const data = type === 'bytes' ? message : toHex(new TextEncoder().encode(message))
      const signed = await sign('signRaw', { address: findSigner(params), data, type: 'bytes' })
      return { signature: getField(signed, 'signature') }
    },
    async polkadot_signTransaction(params) {
      const payload = getField(params, 'transactionPayload')
      if (!isRecord(payload)) throw invalidParams('a payload')
      const signed = await sign('signPayload', { ...payload, address: findSigner(params) })
      return { signature: getField(signed, 'signature'), signedTransaction: getField(signed, 'signedTransaction') }
    },
  }
}
