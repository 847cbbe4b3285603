import { type Clock, type Provider, walletPatience, within } from '@latchkey/core'
import { LatchkeyError } from '@latchkey/protocol'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { call, extensionFailure, type ExtensionAccount } from './extension.ts'
import { field } from './field.ts'
import { accountKeyOf } from './ss58.ts'

/** A provider whose requests end when the extension is gone. */
export type ExtensionProvider = Provider & { abandon(): void }

/** The words of polkadot over WalletConnect, for an extension of the page. Every request ends. */
export function extensionProvider(
  injected: unknown,
  accounts: () => readonly ExtensionAccount[],
  clock: Clock,
): ExtensionProvider {
  const underWay = new Set<() => void>()

  /** The address as the extension itself writes it: not all of them know another writing again. */
  function signerOf(params: unknown): string {
    const address = field(params, 'address')
    const key = typeof address === 'string' ? accountKeyOf(address).join() : undefined
    const account = accounts().find((each) => each.key.join() === key)
    if (account === undefined) throw invalid('an address of the wallet')
    return account.raw
  }

  const own: Readonly<Record<string, (params: unknown) => Promise<unknown>>> = {
    async polkadot_signMessage(params) {
      const [message, type] = [field(params, 'message'), field(params, 'type')]
      if (typeof message !== 'string') throw invalid('a message')
      // A text that looks like hex would be taken for bytes.
      const data = type === 'bytes' ? message : `0x${bytesToHex(utf8ToBytes(message))}`
      const signed = await call(field(injected, 'signer'), 'signRaw', {
        address: signerOf(params),
        data,
        type: 'bytes',
      })
      return { signature: field(signed, 'signature') }
    },
    async polkadot_signTransaction(params) {
      const payload = field(params, 'transactionPayload')
      if (typeof payload !== 'object' || payload === null) throw invalid('a payload')
      const signing = { ...payload, address: signerOf(params) }
      const signed = await call(field(injected, 'signer'), 'signPayload', signing)
      return { signature: field(signed, 'signature'), signedTransaction: field(signed, 'signedTransaction') }
    },
  }

  async function carryOut(method: string, params: unknown): Promise<unknown> {
    try {
      const handle = Object.hasOwn(own, method) ? own[method] : undefined
      if (handle === undefined) throw Object.assign(new Error(`There is no ${method}.`), { code: 4200 })
      return await handle(params)
    } catch (error) {
      throw extensionFailure(method, error)
    }
  }

  return {
    request({ method, params }) {
      // What was to be signed may have been signed.
      const unknown = (): LatchkeyError => new LatchkeyError('request/unknown', { method })
      const asked = new Promise<unknown>((resolve, reject) => {
        const end = (): void => reject(unknown())
        underWay.add(end)
        carryOut(method, params)
          .then(resolve, reject)
          .finally(() => underWay.delete(end))
      })
      return within(clock, walletPatience.approval, asked, unknown)
    },
    abandon: () => {
      for (const end of underWay) end()
    },
  }
}

function invalid(what: string): Error {
  return Object.assign(new Error(`Invalid parameters: ${what} is needed.`), { code: -32_602 })
}
